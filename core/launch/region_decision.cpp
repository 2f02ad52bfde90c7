// The path around a root.
// It must not know how regions are found, nor the words in which a page tells of them.
#include "launch/region_decision.h"

#include "analysis/path_around.h"

namespace fuseboard {

std::vector<uint32_t> region_decision_path(const Dag& dag, const RegionDecision& decision) {
  if (decision.reason != RegionReason::not_dominated) return {};
  return path_around(dag, decision.root, decision.sink, kPathKept);
}

}  // namespace fuseboard
