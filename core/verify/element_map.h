// Which element of an operand an element of an op reads, made fast: the digits of the op's offset, each with
// the operand's stride. It must not know kernels, nor how they compute indices.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/fusion_graph.h"

namespace fuseboard {

/// operand offset = sum over digits of (offset / divisor % extent) * stride.
struct ElementMap {
  struct Digit {
    uint64_t divisor = 1;
    uint64_t extent = 1;
    uint64_t stride = 1;
    friend bool operator==(const Digit&, const Digit&) = default;
  };
  std::vector<Digit> digits;  ///< innermost first, those that do not move the operand left out
  bool is_identity = false;

  uint64_t at(uint64_t offset) const {
    if (is_identity) return offset;
    uint64_t sum = 0;
    for (const Digit& digit : digits) sum += offset / digit.divisor % digit.extent * digit.stride;
    return sum;
  }
  friend bool operator==(const ElementMap&, const ElementMap&) = default;
};

/// Of a Point or View op with elements, whose shapes fit its row's rule: asked of operand_offset
/// (graph/evaluate.h) at one step along each dimension, since every such rule is linear in an element's
/// coordinates. O(rank).
ElementMap element_map(const FusionGraph& graph, uint32_t op, uint32_t input);

}  // namespace fuseboard
