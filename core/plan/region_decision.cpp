// The texts of reasons.
// It must not know how regions are found, nor whether the nodes are launches or ops.
#include "plan/region_decision.h"

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
    case RegionReason::row_domain_differs:
      return "row-domain-differs";
    case RegionReason::edge_leaks:
      return "edge-leaks";
    case RegionReason::not_dominated:
      return "not-dominated";
    case RegionReason::no_fan_out:
      return "no-fan-out";
    case RegionReason::already_claimed:
      return "already-claimed";
    case RegionReason::reduces_nothing:
      return "reduces-nothing";
    case RegionReason::sink_is_no_row_value:
      return "sink-is-no-row-value";
  }
  return "";
}

}  // namespace fuseboard
