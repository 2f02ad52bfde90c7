// What a reader of kernel graphs gives: the graph, and where its nodes stand in the text.
// It must not know any format.
#pragma once

#include <cstdint>
#include <vector>

#include "launch/compute_graph.h"

namespace fuseboard {

struct ReadKernelGraph {
  ComputeGraph graph;
  struct Span {
    uint32_t offset = 0;
    uint32_t length = 0;
  };
  std::vector<Span> places;  ///< where each node stands in the text
};

}  // namespace fuseboard
