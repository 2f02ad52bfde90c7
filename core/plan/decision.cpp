// The texts of verdicts and reasons, and the unfolding of an offending path.
// It must not know how the choice was made.
#include "plan/decision.h"

#include <algorithm>

namespace fuseboard {

std::string_view reason_text(Reason reason) {
  switch (reason) {
    case Reason::fused:
      return "fused";
    case Reason::producer_not_fusible:
      return "producer-not-fusible";
    case Reason::consumer_not_fusible:
      return "consumer-not-fusible";
    case Reason::shapes_differ:
      return "shapes-differ";
    case Reason::would_create_cycle:
      return "would-create-cycle";
    case Reason::row_domain_differs:
      return "row-domain-differs";
    case Reason::reads_other_rows:
      return "reads-other-rows";
    case Reason::larger_than_rows:
      return "larger-than-rows";
    case Reason::not_a_row_value:
      return "not-a-row-value";
    case Reason::region_is_closed:
      return "region-is-closed";
  }
  return "";
}

bool speaks_of_rows(Reason reason) {
  return reason >= Reason::row_domain_differs && reason <= Reason::not_a_row_value;
}

std::string_view verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::fused:
      return "fused";
    case Verdict::refused:
      return "refused";
  }
  return "";
}

std::vector<uint32_t> DecisionList::path(const Decision& decision) const {
  const auto first = steps.begin() + decision.path_start;
  if (!decision.tree) return {first, first + decision.path_length};
  const uint32_t producer = first[0], below_producer = first[1], above_consumer = first[2],
                 consumer = first[3];
  std::vector<uint32_t> out{consumer};  // from the end, since a tree is walked upwards
  for (uint32_t op = above_consumer; op != below_producer && out.size() < kPathKept - 2;
       op = tree_parent[op]) {
    out.push_back(op);
  }
  out.push_back(below_producer);
  out.push_back(producer);
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace fuseboard
