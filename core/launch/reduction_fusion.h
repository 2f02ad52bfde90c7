// The reduction-fusion pass on launch graphs (spec 2): which regions become one kernel, and the graph with
// them as one. It must not know op graphs, nor the text that a graph came from.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/regions.h"
#include "base/result.h"
#include "launch/collapse.h"
#include "launch/compute_graph.h"
#include "launch/reduction_pattern.h"
#include "launch/region_decision.h"

namespace fuseboard {

/// A region that becomes one kernel.
struct ReductionFusionGroup {
  uint32_t root = 0;
  uint32_t sink = 0;
  std::vector<uint32_t> members;  ///< in topological order, root first, sink last
  ReductionPattern pattern = ReductionPattern::Generic;
};

struct ReductionFusionPlan {
  std::vector<ReductionFusionGroup> groups;  ///< roots in topological order; no node is in two
  uint64_t launches_saved = 0;               ///< members less one, over all groups
  std::vector<RegionDecision> decisions;     ///< of every root tried, in topological order
};

/// The largest region below every root that no earlier one claimed (spec 2, "Algorithm"; conditions 1 to 5).
/// Members have equal thread totals and stand in the same branches of conditionals; a launch whose total is
/// unknown joins none. Every fusible launch that is not inside another root's region has a
/// decision (launch/region_decision.h). The graph is not changed. Errors: empty-graph where there is no node;
/// what ComputeGraph::validate() finds. O((n + m) log n), without recursion.
Result<ReductionFusionPlan> analyse(const ComputeGraph& graph, Entry entry = Entry::dominated);

/// The groups as launch/collapse.h takes them; they point into the plan. O(groups).
std::vector<LaunchGroup> launch_groups(const ReductionFusionPlan& plan);

/// The graph with every group of a plan of its own collapsed into one launch (launch/collapse.h), which
/// stands where the root did. The graph given is not changed. O(n + m).
ComputeGraph rewrite(const ComputeGraph& graph, const ReductionFusionPlan& plan);

/// The new id of every node of the graph that `rewrite` was given: a member's is its group's. O(n).
std::vector<uint32_t> rewritten_ids(const ComputeGraph& graph, const ReductionFusionPlan& plan);

}  // namespace fuseboard
