// Graphs in a line an op, for tests of lowering and emission.
// It must not know plans or kernels.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "graph/fusion_graph.h"

namespace fuseboard_test {

struct GraphBuilder {
  fuseboard::FusionGraph graph;

  uint32_t add(const std::string& name, fuseboard::OpKind kind, std::vector<uint32_t> inputs,
               fuseboard::Shape shape, fuseboard::DType dtype = fuseboard::DType::f32,
               std::vector<fuseboard::Attribute> attributes = {}) {
    fuseboard::FusionOp op;
    op.name = name;
    op.kind = kind;
    op.inputs = std::move(inputs);
    op.output_shape = std::move(shape);
    op.dtype = dtype;
    op.dtype_bytes = fuseboard::dtype_bytes(dtype);
    op.attributes = std::move(attributes);
    return graph.add_op(std::move(op));
  }
};

inline size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

}  // namespace fuseboard_test
