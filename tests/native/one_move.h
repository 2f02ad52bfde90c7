// A graph of inputs and one Move.
// It must not know kernels.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "graph/infer.h"
#include "graph_builder.h"

namespace fuseboard_test {

/// Inputs and one Move; the result's shape is what its rule says.
inline fuseboard::FusionGraph one_move(fuseboard::OpKind kind, const std::vector<fuseboard::Shape>& operands,
                                       fuseboard::DType dtype, std::vector<fuseboard::Attribute> attributes) {
  GraphBuilder builder;
  fuseboard::FusionOp wanted;
  wanted.kind = kind;
  wanted.attributes = attributes;
  for (const fuseboard::Shape& shape : operands) {
    wanted.inputs.push_back(
        builder.add("x" + std::to_string(wanted.inputs.size()), fuseboard::OpKind::input, {}, shape, dtype));
  }
  const fuseboard::InferredShape inferred = fuseboard::infer_shape(builder.graph, wanted);
  INFO(inferred.contradiction);
  REQUIRE(inferred.shape);
  builder.add("moved", kind, wanted.inputs, *inferred.shape, dtype, std::move(attributes));
  return std::move(builder.graph);
}

}  // namespace fuseboard_test
