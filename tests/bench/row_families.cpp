// One function a family; all full values are [64, 64], so that only the topology and the axes matter.
// It must not know how they are planned or timed.
#include "row_families.h"

#include <string>
#include <utility>

namespace fuseboard {
namespace {

const Shape kFull = {64, 64};

uint32_t source(FusionGraph& graph, Shape shape = kFull) {
  return graph.add_op(OpKind::input, {}, std::move(shape), 4);
}

uint32_t point(FusionGraph& graph, std::vector<uint32_t> inputs, Shape shape = kFull) {
  return graph.add_op(inputs.size() == 1 ? OpKind::relu : OpKind::add, std::move(inputs), std::move(shape),
                      4);
}

uint32_t barrier(FusionGraph& graph, std::vector<uint32_t> inputs) {
  return graph.add_op(OpKind::matmul, std::move(inputs), kFull, 4);
}

/// Over one axis, which is kept as 1.
uint32_t fold(FusionGraph& graph, uint32_t of, int64_t axis) {
  FusionOp op;
  op.kind = OpKind::reduce;
  op.inputs = {of};
  op.output_shape = kFull;
  op.output_shape[static_cast<size_t>(axis)] = 1;
  op.dtype_bytes = 4;
  op.dtype = DType::f32;
  op.attributes = {{"reducer", std::string("sum")}, {"axes", std::vector<int64_t>{axis}}, {"keepdims", true}};
  return graph.add_op(std::move(op));
}

uint32_t softmax(FusionGraph& graph, uint32_t x, int64_t axis) {
  const uint32_t powers = point(graph, {point(graph, {x, fold(graph, x, axis)})});
  return point(graph, {powers, fold(graph, powers, axis)});
}

uint32_t norm(FusionGraph& graph, uint32_t x) {
  const uint32_t centred = point(graph, {x, fold(graph, x, 1)});
  const uint32_t variance = fold(graph, point(graph, {centred, centred}), 1);
  return point(graph, {centred, point(graph, {variance}, {64, 1})});
}

/// Pre-norm blocks whose reductions fold rows: norm, q k v, softmax, projection, residual, norm, MLP.
FusionGraph blocks(uint32_t n) {
  FusionGraph graph;
  uint32_t x = source(graph);
  while (graph.size() < n) {
    const uint32_t normed = norm(graph, x);
    const uint32_t q = point(graph, {barrier(graph, {normed})});
    const uint32_t k = point(graph, {barrier(graph, {normed})});
    const uint32_t v = point(graph, {barrier(graph, {normed})});
    const uint32_t weights = softmax(graph, point(graph, {barrier(graph, {q, k})}), 1);
    x = point(graph, {point(graph, {barrier(graph, {barrier(graph, {weights, v})})}), x});
    uint32_t hidden = point(graph, {barrier(graph, {norm(graph, x)})});
    for (int i = 0; i < 6; ++i) hidden = point(graph, {hidden, hidden});
    x = point(graph, {point(graph, {barrier(graph, {hidden})}), x});
  }
  return graph;
}

/// One softmax after the other over the same rows: one group of all.
FusionGraph softmaxes(uint32_t n) {
  FusionGraph graph;
  uint32_t x = source(graph);
  while (graph.size() < n) x = softmax(graph, x, 1);
  return graph;
}

/// By rows and by columns in turn: every second edge is refused.
FusionGraph crossed(uint32_t n) {
  FusionGraph graph;
  uint32_t x = source(graph);
  for (int64_t axis = 0; graph.size() < n; axis = 1 - axis) x = softmax(graph, x, axis);
  return graph;
}

/// A chain whose every link is folded, and read again beside a barrier that its fold feeds: merges that would
/// close a cycle.
FusionGraph statistics(uint32_t n) {
  FusionGraph graph;
  uint32_t x = source(graph);
  while (graph.size() < n) {
    const uint32_t centred = point(graph, {x, fold(graph, x, 1)});
    x = point(graph, {centred, barrier(graph, {fold(graph, centred, 1)})});
  }
  return graph;
}

/// Norms scaled by chains of small values that someone outside wants: they leave the groups in the end.
FusionGraph outcasts(uint32_t n) {
  FusionGraph graph;
  uint32_t x = source(graph);
  while (graph.size() < n) {
    uint32_t gamma = source(graph, {1, 1});
    for (int i = 0; i < 8; ++i) gamma = point(graph, {gamma}, {1, 1});
    graph.add_output(gamma);
    x = point(graph, {norm(graph, x), gamma});
  }
  return graph;
}

}  // namespace

const std::vector<Family>& row_families() {
  static const std::vector<Family> all = {{"blocks", blocks},
                                          {"softmaxes", softmaxes},
                                          {"crossed", crossed},
                                          {"statistics", statistics},
                                          {"outcasts", outcasts}};
  return all;
}

}  // namespace fuseboard
