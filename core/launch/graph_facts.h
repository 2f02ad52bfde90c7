// What lowering asks of every op of a graph again and again, answered once for all its groups.
// It must not know plans.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/fusion_graph.h"
#include "graph/storage.h"

namespace fuseboard {

struct GraphFacts {
  Storages storage;
  std::vector<uint64_t> elements;  ///< product(output_shape)
  std::vector<uint32_t> position;  ///< in a topological order
  std::vector<uint32_t>
      anchor;  ///< the op behind a chain of views that has the same offsets; the op itself otherwise
  std::vector<uint32_t>
      view_fault;  ///< the nearest view on the way to the storage that cannot be read through; kNoOp
};

/// O(n + m), without recursion.
GraphFacts graph_facts(const FusionGraph& graph);

}  // namespace fuseboard
