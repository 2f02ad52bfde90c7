// How a node is reached without passing another: the witness that the other does not dominate it.
// It must not know what a node is.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/dag.h"

namespace fuseboard {

/// A shortest path from a node without predecessors to `node` that avoids `without`, cut behind its first
/// node that `without` reaches: what enters the cone of `without` from beside, and where. Of more than `most`
/// nodes the last are kept. Empty where `without` dominates `node`. O(n + m).
std::vector<uint32_t> path_around(const Dag& dag, uint32_t without, uint32_t node, uint32_t most);

}  // namespace fuseboard
