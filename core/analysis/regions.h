// Closed regions of a DAG: every node on a path from a root to a sink, where no other edge leaves (spec 2).
// It must not know what a node is.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/dag.h"

namespace fuseboard {

enum class Entry : uint8_t {
  dominated,  ///< spec 2: the root dominates every member
  operands,   ///< a value that does not depend on the root may enter at any member
};

struct Region {
  uint32_t root = 0;
  uint32_t sink = 0;
  std::vector<uint32_t> members;  ///< in topological order, root first, sink last
};

/// The largest region of every root that no earlier one claimed, roots in topological order. `order` is
/// topological_order(dag) of all nodes. A member must be `fusible` and equal the root's `compatibility`.
/// O((n + m) log n), without recursion.
std::vector<Region> find_regions(const Dag& dag, const std::vector<uint32_t>& order,
                                 const std::vector<uint8_t>& fusible,
                                 const std::vector<uint64_t>& compatibility, Entry entry);

}  // namespace fuseboard
