// How a region of launches is entered beside its root: the witness of a decision about it.
// It must not know how regions are found, nor the words in which a page tells of them.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/dag.h"
#include "plan/region_decision.h"

namespace fuseboard {

/// Of a not_dominated decision: a path from a node without predecessors to the first member met; at most
/// kPathKept nodes, of longer ones the last. Empty for other reasons. Found anew at each call: O(nodes +
/// edges).
std::vector<uint32_t> region_decision_path(const Dag& dag, const RegionDecision& decision);

}  // namespace fuseboard
