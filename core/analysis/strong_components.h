// Which nodes of a directed graph lie on common cycles.
// It must not know what a node is.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/dag.h"

namespace fuseboard {

/// A number for each node, equal exactly where two nodes reach each other. Kosaraju's two searches (Sharir
/// 1981), without recursion. O(n + m).
std::vector<uint32_t> strong_components(const Dag& graph);

}  // namespace fuseboard
