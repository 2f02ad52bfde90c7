// One sentence that says where a chain of launches stops, and why.
// It must not know how chains are found, nor JSON.
#pragma once

#include <string>

#include "launch/chain_fusion.h"
#include "launch/compute_graph.h"

namespace fuseboard {

/// With the names and figures of this case. O(length).
std::string chain_decision_text(const ComputeGraph& graph, const ChainDecision& decision);

}  // namespace fuseboard
