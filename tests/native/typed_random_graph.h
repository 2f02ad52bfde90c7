// Random small graphs over all dtypes and Point kinds: views, broadcasts, several domains, parameters by
// value. It must not know plans or kernels, but for what has PTX.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "graph/fusion_graph.h"
#include "graph/infer.h"
#include "launch/emittable.h"

namespace fuseboard_test {

class TypedGraphMaker {
 public:
  /// `size`: about so many elements in the largest shapes.
  TypedGraphMaker(uint32_t seed, fuseboard::Math math, uint32_t size = 256)
      : random_(seed), math_(math), size_(size) {}

  fuseboard::FusionGraph make() {
    base_ = {1 + below(5), 1 + below(6), 1 + below(std::max(2U, size_ / 8))};
    if (chance(40)) base_.back() = 8 * (1 + below(std::max(1U, size_ / 64)));
    favourite_ = some_dtype();
    for (uint32_t i = 0; i < 1 + below(3); ++i) add_input(some_shape(), some_dtype());
    for (uint32_t i = 0; i < 2 + below(16); ++i) {
      if (chance(25)) {
        add_view();
      } else {
        add_point();
      }
    }
    for (uint32_t i = 0; i < below(3); ++i) graph_.add_output(below(graph_.size()));
    return std::move(graph_);
  }

 protected:
  using Shape = fuseboard::Shape;
  using OpKind = fuseboard::OpKind;
  using DType = fuseboard::DType;
  using FusionOp = fuseboard::FusionOp;

  uint32_t below(uint32_t n) { return std::uniform_int_distribution<uint32_t>(0, n - 1)(random_); }
  bool chance(uint32_t percent) { return below(100) < percent; }

  DType some_dtype() {
    return chance(35) ? favourite_ : static_cast<DType>(below(static_cast<uint32_t>(DType::foreign)));
  }

  /// A tail of the base shape, some dimensions 1, rarely 0.
  Shape some_shape() {
    Shape shape(base_.begin() + below(static_cast<uint32_t>(base_.size()) + 1), base_.end());
    for (uint64_t& dim : shape) {
      if (chance(12)) dim = 1;
      if (chance(1)) dim = 0;
    }
    return shape;
  }

  const FusionOp& op(uint32_t id) const { return graph_.op(id); }
  uint64_t elements(uint32_t id) const { return fuseboard::element_count(op(id).output_shape).value_or(0); }

  uint32_t add(OpKind kind, std::vector<uint32_t> inputs, Shape shape, DType dtype,
               std::vector<fuseboard::Attribute> attributes = {}) {
    FusionOp added;
    added.name = "v" + std::to_string(graph_.size());
    added.kind = kind;
    added.inputs = std::move(inputs);
    added.output_shape = std::move(shape);
    added.dtype = dtype;
    added.dtype_bytes = fuseboard::dtype_bytes(dtype);
    added.attributes = std::move(attributes);
    return graph_.add_op(std::move(added));
  }

  uint32_t add_input(Shape shape, DType dtype) {
    return add(chance(4) ? OpKind::relu : OpKind::input, {}, std::move(shape), dtype);
  }

  uint32_t add_constant(DType dtype) {
    constexpr double kValues[] = {0, 1, 2, 3, -1, 0.5, 7, 0.1};
    double value = kValues[below(8)];
    if (dtype == DType::boolean) return add(OpKind::constant, {}, {}, dtype, {{"value", chance(50)}});
    if (fuseboard::dtype_class(dtype) != fuseboard::DTypeClass::Float) value = static_cast<double>(below(9));
    return add(OpKind::constant, {}, {}, dtype, {{"value", value}});
  }

  /// An earlier value, recent ones more often, or a new scalar constant or input.
  uint32_t some_operand() {
    if (chance(8)) return add_constant(some_dtype());
    if (chance(6)) return add_input(some_shape(), some_dtype());
    const uint32_t size = graph_.size();
    return chance(70) ? size - 1 - below(std::min(size, 5U)) : below(size);
  }

  void add_view() {
    const uint32_t operand = some_operand();
    Shape shape = op(operand).output_shape;
    const DType dtype = op(operand).dtype;
    const uint64_t count = elements(operand);
    switch (below(4)) {
      case 0: {  // all in one dimension, or with the last one split off
        const uint64_t part = 2 + below(3);
        add(OpKind::reshape, {operand}, count % part == 0 ? Shape{count / part, part} : Shape{count}, dtype);
        return;
      }
      case 1:  // a new leading dimension, dimensions of 1 stretched
        if (count > size_ / 4) return;
        for (uint64_t& dim : shape) dim = dim == 1 ? 2 : dim;
        shape.insert(shape.begin(), 1 + below(3));
        add(OpKind::broadcast, {operand}, std::move(shape), dtype);
        return;
      case 2: {  // dimensions mapped by axes, a new one somewhere, two of them exchanged
        if (count > size_ / 4) return;
        std::vector<int64_t> axes;
        const uint32_t hole = below(static_cast<uint32_t>(shape.size()) + 1);
        for (uint32_t i = 0; i < shape.size(); ++i) axes.push_back(i < hole ? i : i + 1);
        shape.insert(shape.begin() + hole, 1 + below(3));
        if (axes.size() > 1 && chance(30)) {
          std::swap(shape[static_cast<size_t>(axes[0])], shape[static_cast<size_t>(axes[1])]);
          std::swap(axes[0], axes[1]);
        }
        add(OpKind::broadcast, {operand}, std::move(shape), dtype, {{"axes", axes}});
        return;
      }
      default:
        shape.push_back(1);
        add(OpKind::reshape, {operand}, std::move(shape), dtype);
        return;
    }
  }

  std::vector<fuseboard::Attribute> some_attributes(OpKind kind, const Shape& shape) {
    switch (kind) {
      case OpKind::scale:
      case OpKind::axpy:
      case OpKind::elu:
        if (chance(50)) return {};
        return {{"alpha", 0.75}};
      case OpKind::reduce_precision:
        return {{"exponent_bits", int64_t{1 + below(8)}}, {"mantissa_bits", int64_t{below(24)}}};
      case OpKind::iota:
        return {{"axis", int64_t{below(std::max(1U, static_cast<uint32_t>(shape.size())))}}};
      default:
        return {};
    }
  }

  void add_point() {
    OpKind kind = OpKind::add;
    do {
      kind = static_cast<OpKind>(below(fuseboard::op_kind_count()));
    } while (fuseboard::op_info(kind).op_class != fuseboard::OpClass::Point);
    if (chance(30)) {
      constexpr OpKind kCommon[] = {OpKind::add, OpKind::mul, OpKind::sub,
                                    OpKind::mul, OpKind::fma, OpKind::select};
      kind = kCommon[below(6)];
    }
    std::vector<uint32_t> inputs;
    Shape shape = kind == OpKind::iota ? some_shape() : Shape{};
    for (uint32_t i = 0; i < fuseboard::op_info(kind).least_arity; ++i) {
      for (int attempt = 0; attempt < 6 && inputs.size() == i; ++attempt) {
        const uint32_t operand = some_operand();
        const auto joined = fuseboard::broadcast_shapes(shape, op(operand).output_shape);
        if (!joined || fuseboard::element_count(*joined).value_or(0) > 4 * size_) continue;
        shape = *joined;
        inputs.push_back(operand);
      }
      if (inputs.size() == i) return;
    }
    FusionOp wanted;
    wanted.kind = kind;
    wanted.inputs = inputs;
    wanted.output_shape = shape;
    const std::optional<DType> inferred = fuseboard::infer_dtype(graph_, wanted);
    const DType dtype = inferred && !chance(6) ? *inferred : some_dtype();
    std::vector<fuseboard::Attribute> attributes = some_attributes(kind, shape);
    const uint32_t id = add(kind, std::move(inputs), std::move(shape), dtype, std::move(attributes));
    if (fuseboard::point_fault(graph_, id, math_).empty()) return;
    FusionOp& unwritten = graph_.op(id);  // no PTX for it: a copy of its first operand instead
    unwritten.attributes.clear();
    unwritten.kind = unwritten.inputs.empty() ? OpKind::input : OpKind::copy;
    if (unwritten.inputs.size() > 1) unwritten.inputs.resize(1);
    if (!unwritten.inputs.empty()) unwritten.dtype = op(unwritten.inputs[0]).dtype;
    unwritten.dtype_bytes = fuseboard::dtype_bytes(unwritten.dtype);
  }

  std::mt19937 random_;
  fuseboard::Math math_;
  uint32_t size_;
  DType favourite_ = DType::f32;
  Shape base_;
  fuseboard::FusionGraph graph_;
};

}  // namespace fuseboard_test
