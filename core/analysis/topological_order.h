// Kahn's topological order, and a cycle where there is none.
// It must not know what a node is.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/dag.h"

namespace fuseboard {

/// Kahn with a FIFO queue, ready nodes by id (the order in which the planners weigh edges).
/// Shorter than dag.size() exactly when the graph has a cycle. O(n + m).
std::vector<uint32_t> topological_order(const Dag& dag);

/// The nodes of one cycle, each feeding the next and the last the first, beginning with the smallest id;
/// empty where there is none. O(n + m).
std::vector<uint32_t> find_cycle(const Dag& dag);

}  // namespace fuseboard
