// The texts of reasons, and the path around a root.
// It must not know how regions are found, nor the words in which a page tells of them.
#include "launch/region_decision.h"

#include "analysis/path_around.h"

namespace fuseboard {

std::string_view region_reason_text(RegionReason reason) {
  switch (reason) {
    case RegionReason::fused:
      return "fused";
    case RegionReason::member_not_fusible:
      return "member-not-fusible";
    case RegionReason::totals_differ:
      return "totals-differ";
    case RegionReason::branches_differ:
      return "branches-differ";
    case RegionReason::total_unknown:
      return "total-unknown";
    case RegionReason::edge_leaks:
      return "edge-leaks";
    case RegionReason::not_dominated:
      return "not-dominated";
    case RegionReason::no_fan_out:
      return "no-fan-out";
    case RegionReason::already_claimed:
      return "already-claimed";
  }
  return "";
}

std::vector<uint32_t> region_decision_path(const Dag& dag, const RegionDecision& decision) {
  if (decision.reason != RegionReason::not_dominated) return {};
  return path_around(dag, decision.root, decision.sink, kPathKept);
}

}  // namespace fuseboard
