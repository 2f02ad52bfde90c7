// In which branches of which conditionals a node runs: launches of different ones are never one kernel.
// It must not know who fuses.
#pragma once

#include <cstdint>
#include <vector>

#include "launch/compute_graph.h"

namespace fuseboard {

/// A number for each node, equal exactly where two nodes stand in the same branches of the same conditionals;
/// 0 for those in none. O((nodes + branch entries) log n).
std::vector<uint32_t> branch_contexts(const ComputeGraph& graph);

}  // namespace fuseboard
