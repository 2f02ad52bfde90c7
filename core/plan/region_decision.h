// A choice about one root of the region pass, as data: what was decided, why, and which nodes are in the way.
// It must not know how regions are found, nor whether the nodes are launches or ops.
#pragma once

#include <cstdint>
#include <string_view>

#include "plan/decision.h"

namespace fuseboard {

/// "Threads" and "branches" speak of launches; of ops, row domains stand in their place.
enum class RegionReason : uint8_t {
  fused,                ///< `root` to `sink` is one kernel
  member_not_fusible,   ///< `member`, on the way to where the branches meet, may join no kernel
  totals_differ,        ///< `member` is fusible, but has other threads than `root`
  branches_differ,      ///< `member` is fusible, but stands in other branches of conditionals than `root`
  total_unknown,        ///< `member` is fusible, but its threads are unknown (the root's own: member == root)
  row_domain_differs,   ///< `member` is fusible, but does not share the root's row domain
  edge_leaks,           ///< `from` -> `to` leaves every region that could begin here, and `from` is no sink;
                        ///< of an op `to` may be kNoNode: `from` is listed as an output
  not_dominated,        ///< `sink` is reached around the root (launch/region_decision.h tells how)
  no_fan_out,           ///< a plain chain from `root` to `from`: no member has two readers inside
  already_claimed,      ///< `member` belongs to an earlier region, and a region of this root would need it
  reduces_nothing,      ///< no op from `root` to `sink` reduces: elementwise fusion has it
  sink_is_no_row_value  ///< `sink` is neither full nor by row: a kernel of the rows cannot store it
};

/// "fused", "member-not-fusible", ...
std::string_view region_reason_text(RegionReason reason);

constexpr uint32_t kNoNode = UINT32_MAX;

/// One for every root tried, in topological order.
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

}  // namespace fuseboard
