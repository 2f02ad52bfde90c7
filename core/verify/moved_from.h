// Where an element of a Move comes from, by the graph alone: the storage, the place in it, the index that
// said so. It must not know kernels, nor how PTX is run.
#pragma once

#include <cstdint>
#include <optional>

#include "graph/fusion_graph.h"
#include "verify/tensor_values.h"

namespace fuseboard {

/// An element of a storage, as a linear offset in its tensor.
struct StoredElement {
  uint32_t storage = 0;
  uint64_t offset = 0;

  bool operator==(const StoredElement&) const = default;
};

struct MovedFrom {
  StoredElement source;
  bool is_filler = false;              ///< what a pad puts where its operand has nothing
  std::optional<StoredElement> index;  ///< of a gather: what named the source
};

/// Of the element at `offset` of a Move whose result has one there: by the rule of its row
/// (graph/evaluate.h), through the views before its operands; a gather's index as launch/move_shape.h says.
/// O(operands * (rank + views)).
MovedFrom moved_from(const FusionGraph& graph, const TensorValues& values, uint32_t op, uint64_t offset);

/// The first element of what a pad fills with; nothing of another Move.
std::optional<StoredElement> filler_of(const FusionGraph& graph, uint32_t op);

/// Its bits, little endian.
uint64_t bits_of(const FusionGraph& graph, const TensorValues& values, const StoredElement& element);

}  // namespace fuseboard
