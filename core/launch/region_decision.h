// The region pass's choice about one root, as data: what was decided, why, and which nodes are in the way.
// It must not know how regions are found, nor the words in which a page tells of them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/regions.h"
#include "launch/compute_graph.h"
#include "plan/decision.h"

namespace fuseboard {

enum class RegionReason : uint8_t {
  fused,               ///< `root` to `sink` is one kernel
  member_not_fusible,  ///< `member`, on the way to where the branches meet, is no launch that may join
  totals_differ,       ///< `member` is fusible, but has other threads than `root`
  branches_differ,     ///< `member` is fusible, but stands in other branches of conditionals than `root`
  total_unknown,       ///< `member` is fusible, but its threads are unknown (the root's own: member == root)
  edge_leaks,          ///< `from` -> `to` leaves every region that could begin here, and `from` is no sink
  not_dominated,       ///< `sink` is reached around the root: region_decision_path() tells how
  no_fan_out,          ///< a plain chain from `root` to `from`: no member has two readers inside
  already_claimed,     ///< `member` belongs to an earlier region, and a region of this root would need it
};

/// "fused", "member-not-fusible", ...
std::string_view region_reason_text(RegionReason reason);

constexpr uint32_t kNoNode = UINT32_MAX;

/// One for every fusible launch that no region of another root took, in topological order.
struct RegionDecision {
  uint32_t root = 0;
  uint32_t sink = kNoNode;  ///< where the branches below the root meet; the last member where fused
  Verdict verdict = Verdict::refused;
  RegionReason reason = RegionReason::fused;
  uint32_t member = kNoNode;  ///< the node that the reason speaks of
  /// The edge at which the walk from the root ended. no_fan_out: `from` is the last of the chain, and `to`
  /// the node behind it that can join nothing, or kNoNode where the chain ends.
  uint32_t from = kNoNode;
  uint32_t to = kNoNode;
};

/// Of a not_dominated decision: how the region is entered beside its root, as a path from a node without
/// predecessors to the first member met; at most kPathKept nodes, of longer ones the last. Empty for other
/// reasons. Found anew at each call: O(nodes + edges).
std::vector<uint32_t> region_decision_path(const Dag& dag, const RegionDecision& decision);

}  // namespace fuseboard
