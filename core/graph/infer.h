// What an op's result must be, from its kind, operands and attributes: shape and dtype, or the contradiction.
// It must not know the text; it looks at one op and its operands alone.
#pragma once

#include <optional>
#include <string>

#include "graph/fusion_graph.h"

namespace fuseboard {

struct InferredShape {
  std::optional<Shape> shape;  ///< nothing where the kind's rule is Given, or too little is known
  std::string contradiction;   ///< what does not fit, in words; then `shape` is empty
};

/// The result shape by the row's shape rule. Operands' shapes must be known; ids in range. O(operands *
/// rank).
InferredShape infer_shape(const FusionGraph& graph, const FusionOp& op);

/// The result dtype by the row's dtype rule; nothing where it cannot be known.
std::optional<DType> infer_dtype(const FusionGraph& graph, const FusionOp& op);

/// The dtype that a Point computes in: its operands' whose values meet, promoted as in PyTorch; for a row of
/// rule Float its own dtype or f32 where those are no floats; its own where there are none. The result is
/// then converted to the op's dtype.
DType computing_dtype(const FusionGraph& graph, const FusionOp& op);

/// How op's given output_shape contradicts its operands, in words; empty where it does not. Unlike
/// infer_shape it lets a Point stretch its operands to a larger output (the spec plans any shapes).
std::string shape_contradiction(const FusionGraph& graph, const FusionOp& op);

}  // namespace fuseboard
