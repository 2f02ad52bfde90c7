// The reduction-fusion pass on launch graphs (spec 2): which regions become one kernel, and the graph with
// them as one. It must not know op graphs, nor the text that a graph came from.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/regions.h"
#include "base/result.h"
#include "launch/compute_graph.h"
#include "launch/reduction_pattern.h"

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
};

/// The largest region below every root that no earlier one claimed (spec 2, "Algorithm"; conditions 1 to 5).
/// Members have equal thread totals; a launch whose total is unknown or leaves 64 bits joins none. The graph
/// is not changed. empty-graph where there is no node. O((n + m) log n), without recursion.
Result<ReductionFusionPlan> analyse(const ComputeGraph& graph, Entry entry = Entry::dominated);

/// The graph with every group of a plan of its own collapsed into one launch, which stands where the root
/// did: ids are those of the nodes kept, in their order. Its inputs are the buffers that some member reads
/// before an earlier member has written them, its outputs the sink's, its cost the sum (at least 1), its
/// geometry the root's; name and tag carry the pattern and the members' names. A group inside a branch of a
/// conditional stands there once. The graph given is not changed. O(n + m).
ComputeGraph rewrite(const ComputeGraph& graph, const ReductionFusionPlan& plan);

/// The new id of every node of the graph that `rewrite` was given: a member's is its group's. O(n).
std::vector<uint32_t> rewritten_ids(const ComputeGraph& graph, const ReductionFusionPlan& plan);

}  // namespace fuseboard
