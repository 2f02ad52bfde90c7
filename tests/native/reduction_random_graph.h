// Random small graphs with reductions: folds over any axes, their values stretched back by views and by
// NumPy's rule, square shapes, permuting broadcasts, small values, extra outputs.
// It must not know plans or kernels.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "graph/fusion_graph.h"

namespace fuseboard_test {

class ReductionGraphMaker {
 public:
  explicit ReductionGraphMaker(uint32_t seed) : random_(seed) {}

  fuseboard::FusionGraph make() {
    const uint64_t side = 2 + below(3);
    full_ = {1 + below(3), side, chance(50) ? side : 2 + below(4)};
    if (chance(40)) full_.erase(full_.begin());
    for (uint32_t i = 0; i < 1 + below(3); ++i) add(OpKind::input, {}, chance(70) ? full_ : some_shape());
    for (uint32_t i = 0; i < 4 + below(22); ++i) add_op();
    for (uint32_t i = 0; i < below(3); ++i) graph_.add_output(below(graph_.size()));
    return std::move(graph_);
  }

 private:
  using Shape = fuseboard::Shape;
  using OpKind = fuseboard::OpKind;

  uint32_t below(uint64_t n) {
    return std::uniform_int_distribution<uint32_t>(0, static_cast<uint32_t>(n - 1))(random_);
  }
  bool chance(uint32_t percent) { return below(100) < percent; }
  const Shape& shape(uint32_t id) const { return graph_.op(id).output_shape; }
  Shape some_shape() { return Shape(full_.begin() + below(full_.size()), full_.end()); }

  uint32_t add(OpKind kind, std::vector<uint32_t> inputs, Shape output_shape,
               std::vector<fuseboard::Attribute> attributes = {}) {
    fuseboard::FusionOp op;
    op.name = "v" + std::to_string(graph_.size());
    op.kind = kind;
    op.inputs = std::move(inputs);
    op.output_shape = std::move(output_shape);
    op.attributes = std::move(attributes);
    return graph_.add_op(std::move(op));
  }

  uint32_t some_operand() {
    const uint32_t size = graph_.size();
    return chance(75) ? size - 1 - below(std::min(size, 5U)) : below(size);
  }

  void add_reduce() {
    const uint32_t operand = some_operand();
    std::vector<int64_t> axes;
    Shape kept;
    const bool keepdims = chance(40);
    const bool innermost = chance(60);
    for (size_t i = 0; i < shape(operand).size(); ++i) {
      const bool folded = innermost ? i + 1 == shape(operand).size() : chance(50);
      if (folded)
        axes.push_back(static_cast<int64_t>(i) -
                       (chance(20) ? static_cast<int64_t>(shape(operand).size()) : 0));
      if (!folded || keepdims) kept.push_back(folded ? 1 : shape(operand)[i]);
    }
    constexpr const char* kReducers[] = {"sum", "max", "min", "mean", "prod"};
    std::vector<fuseboard::Attribute> attributes = {{"reducer", std::string(kReducers[below(5)])},
                                                    {"axes", axes}};
    if (keepdims) attributes.push_back({"keepdims", true});
    add(OpKind::reduce, {operand}, std::move(kept), std::move(attributes));
  }

  /// Lays an operand onto the full shape: dimensions of its size, in order or rarely not.
  void add_broadcast() {
    const uint32_t operand = some_operand();
    std::vector<int64_t> axes;
    std::vector<bool> used(full_.size(), false);
    for (const uint64_t dim : shape(operand)) {
      std::vector<int64_t> fits;
      const int64_t last = axes.empty() || chance(10) ? -1 : axes.back();
      for (size_t k = 0; k < full_.size(); ++k) {
        if (!used[k] && static_cast<int64_t>(k) > last && (dim == 1 || full_[k] == dim))
          fits.push_back(static_cast<int64_t>(k));
      }
      if (fits.empty()) return;
      axes.push_back(fits[below(fits.size())]);
      used[static_cast<size_t>(axes.back())] = true;
    }
    add(OpKind::broadcast, {operand}, full_, {{"axes", axes}});
  }

  void add_reshape() {
    const uint32_t operand = some_operand();
    Shape to = shape(operand);
    if (chance(50)) {
      to.insert(to.begin() + below(to.size() + 1), 1);
    } else if (to.size() > 1) {
      to[0] *= to[1];
      to.erase(to.begin() + 1);
    }
    add(OpKind::reshape, {operand}, std::move(to));
  }

  void add_op() {
    const uint32_t dice = below(100);
    if (dice < 22) return add_reduce();
    if (dice < 42) return add_broadcast();
    if (dice < 50) return add_reshape();
    const uint32_t a = some_operand();
    if (dice < 52) return void(add(OpKind::transpose, {a}, Shape(shape(a).rbegin(), shape(a).rend())));
    if (dice < 70) return void(add(OpKind::relu, {a}, shape(a)));
    const uint32_t b = some_operand();
    const auto joined = fuseboard::broadcast_shapes(shape(a), shape(b));
    if (joined && fuseboard::element_count(*joined).value_or(0) <= 300) add(OpKind::add, {a, b}, *joined);
  }

  std::mt19937 random_;
  Shape full_;
  fuseboard::FusionGraph graph_;
};

}  // namespace fuseboard_test
