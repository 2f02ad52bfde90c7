// The linear chain fuser on launch graphs, beside the region pass (spec 2, "Why a separate pass").
// It must not know op graphs, nor the text that a graph came from.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "launch/collapse.h"
#include "launch/compute_graph.h"
#include "launch/reduction_fusion.h"

namespace fuseboard {

/// Launches of which each is the sole consumer of the one before it, two at least.
struct ChainFusionGroup {
  std::vector<uint32_t> members;  ///< first to last
};

enum class ChainReason : uint8_t {
  no_reader,              ///< nothing waits for `last`
  several_readers,        ///< `next` and others do
  next_not_fusible,       ///< `next` is no launch that may join
  totals_differ,          ///< `next` has other threads than `last`
  branches_differ,        ///< `next` stands in other branches of conditionals
  total_unknown,          ///< the threads of `next`, or of `last` itself, are unknown
  next_belongs_elsewhere  ///< to a region, or to a chain begun earlier
};

/// "no-reader", "several-readers", ...
std::string_view chain_reason_text(ChainReason reason);

/// Where a chain stops, and why; one also for each fusible launch that is left alone.
struct ChainDecision {
  uint32_t first = 0;
  uint32_t last = 0;        ///< the same where the launch is alone
  uint32_t next = kNoNode;  ///< the first that waits for `last`
  ChainReason reason = ChainReason::no_reader;
};

struct ChainFusionPlan {
  std::vector<ChainFusionGroup> groups;  ///< firsts in topological order; no node is in two, or in a region
  std::vector<ChainDecision> decisions;  ///< firsts in topological order
  uint64_t launches_saved = 0;           ///< members less one, over all groups
};

/// Chains among the launches that no region of `regions` took: in topological order, every fusible launch
/// that is in no chain yet begins one, which goes on while a sole consumer follows, fusible, with as many
/// threads, in the same branches, in no other group. A consumer may have further inputs: since nothing else
/// waits for a member but the last, no cycle can close. O(n + m), without recursion.
ChainFusionPlan fuse_chains(const ComputeGraph& graph, const ReductionFusionPlan& regions);

/// The graph with regions and chains collapsed (launch/collapse.h), each where its first member stood. The
/// graph given is not changed. O(n + m).
ComputeGraph rewrite(const ComputeGraph& graph, const ReductionFusionPlan& regions,
                     const ChainFusionPlan& chains);

}  // namespace fuseboard
