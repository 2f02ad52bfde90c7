// One sentence that says why a region was fused, or why none begins at a root.
// It must not know how regions are found, nor JSON.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "launch/compute_graph.h"
#include "launch/region_decision.h"

namespace fuseboard {

/// With the names and figures of this case; nodes as `"exp" (3)`, by function name, else name, else kind.
/// `path` is region_decision_path() of the decision; without one the way around the root is not told.
/// O(length).
std::string region_decision_text(const ComputeGraph& graph, const RegionDecision& decision,
                                 std::span<const uint32_t> path = {});

}  // namespace fuseboard
