// Random small graphs of f32 and bool: Point ops, views, broadcasts, several domains in one group.
// It must not know plans or kernels.
#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "graph/fusion_graph.h"

namespace fuseboard_test {

struct RandomGraph {
  fuseboard::FusionGraph graph;
  std::map<uint32_t, std::vector<float>> inputs;  ///< values of what is resident
};

class RandomGraphMaker {
 public:
  /// `exact`: only kinds whose precise PTX rounds as their reference does.
  RandomGraphMaker(uint32_t seed, bool exact) : random_(seed), exact_(exact) {}

  RandomGraph make() {
    base_ = {pick({2, 3, 4, 6}), pick({1, 2, 3, 5}), pick({2, 4, 7})};
    const uint32_t sources = 1 + below(3);
    for (uint32_t i = 0; i < sources; ++i) add_input(some_shape());
    const uint32_t ops = 2 + below(18);
    for (uint32_t i = 0; i < ops; ++i) add_op();
    for (uint32_t i = 0; i < below(3); ++i) out_.graph.add_output(below(out_.graph.size()));
    return std::move(out_);
  }

 private:
  using Shape = fuseboard::Shape;
  using OpKind = fuseboard::OpKind;
  using DType = fuseboard::DType;

  uint32_t below(uint32_t n) { return std::uniform_int_distribution<uint32_t>(0, n - 1)(random_); }
  bool chance(uint32_t percent) { return below(100) < percent; }
  uint64_t pick(std::vector<uint64_t> from) { return from[below(static_cast<uint32_t>(from.size()))]; }

  /// A tail of the base shape, some dimensions 1, rarely 0.
  Shape some_shape() {
    Shape shape(base_.begin() + below(4), base_.end());
    for (uint64_t& dim : shape) {
      if (chance(15)) dim = 1;
      if (chance(1)) dim = 0;
    }
    return shape;
  }

  float some_value(DType dtype) {
    if (dtype == DType::boolean) return chance(50) ? 1.0F : 0.0F;
    if (chance(3)) return std::numeric_limits<float>::infinity();
    if (chance(3)) return std::nanf("");
    if (chance(5)) return -0.0F;
    return static_cast<float>(static_cast<int>(below(4001)) - 2000) / 128.0F;
  }

  uint32_t add(OpKind kind, std::vector<uint32_t> inputs, Shape shape, DType dtype,
               std::vector<fuseboard::Attribute> attributes = {}) {
    fuseboard::FusionOp op;
    op.name = "v" + std::to_string(out_.graph.size());
    op.kind = kind;
    op.inputs = std::move(inputs);
    op.output_shape = std::move(shape);
    op.dtype = dtype;
    op.dtype_bytes = fuseboard::dtype_bytes(dtype);
    op.attributes = std::move(attributes);
    const bool resident = op.is_resident() && kind != OpKind::constant;
    const uint64_t elements = fuseboard::element_count(op.output_shape).value_or(0);
    const uint32_t id = out_.graph.add_op(std::move(op));
    if (resident) {
      for (uint64_t i = 0; i < elements; ++i) out_.inputs[id].push_back(some_value(dtype));
    }
    return id;
  }

  uint32_t add_input(Shape shape) {
    const DType dtype = chance(15) ? DType::boolean : DType::f32;
    return add(chance(6) ? OpKind::relu : OpKind::input, {}, std::move(shape), dtype);
  }

  const Shape& shape_of(uint32_t id) const { return out_.graph.op(id).output_shape; }
  DType dtype_of(uint32_t id) const { return out_.graph.op(id).dtype; }

  /// An earlier value, recent ones more often, or a new scalar constant or input.
  uint32_t some_operand() {
    if (chance(8))
      return add(OpKind::constant, {}, {}, DType::f32,
                 {{"value", static_cast<double>(some_value(DType::f32))}});
    if (chance(5)) return add_input(some_shape());
    const uint32_t size = out_.graph.size();
    return chance(70) ? size - 1 - below(std::min(size, 5U)) : below(size);
  }

  void add_view() {
    const uint32_t operand = some_operand();
    const DType dtype = dtype_of(operand);
    Shape shape = shape_of(operand);
    switch (below(4)) {
      case 0: {  // all in one dimension, or with the last one split off
        const uint64_t count = fuseboard::element_count(shape).value_or(0);
        if (chance(50) || count % 2 != 0) {
          add(OpKind::reshape, {operand}, {count}, dtype);
        } else {
          add(OpKind::reshape, {operand}, {count / 2, 2}, dtype);
        }
        return;
      }
      case 1: {  // a new leading dimension, or a dimension of 1 stretched
        if (fuseboard::element_count(shape).value_or(0) > 40) return;
        for (uint64_t& dim : shape) dim = dim == 1 ? 2 : dim;
        shape.insert(shape.begin(), pick({1, 2, 3}));
        add(OpKind::broadcast, {operand}, std::move(shape), dtype);
        return;
      }
      case 2: {  // dimensions mapped by axes, a new one somewhere
        if (fuseboard::element_count(shape).value_or(0) > 40) return;
        std::vector<int64_t> axes;
        const uint32_t hole = below(static_cast<uint32_t>(shape.size()) + 1);
        for (uint32_t i = 0; i < shape.size(); ++i) axes.push_back(i < hole ? i : i + 1);
        shape.insert(shape.begin() + hole, pick({1, 3}));
        if (axes.size() > 1 && chance(30)) {
          std::swap(axes[0], axes[1]);
          const Shape before = shape;
          shape[static_cast<size_t>(axes[0])] = before[static_cast<size_t>(axes[1])];
          shape[static_cast<size_t>(axes[1])] = before[static_cast<size_t>(axes[0])];
        }
        add(OpKind::broadcast, {operand}, std::move(shape), dtype, {{"axes", axes}});
        return;
      }
      default: {
        shape.push_back(1);
        add(OpKind::reshape, {operand}, std::move(shape), dtype);
        return;
      }
    }
  }

  void add_op() {
    if (chance(30)) return add_view();
    if (chance(4)) {
      Shape shape = some_shape();
      const int64_t rank = static_cast<int64_t>(shape.size());
      if (rank == 0) return;
      add(OpKind::iota, {}, std::move(shape), DType::f32,
          {{"axis", static_cast<int64_t>(below(static_cast<uint32_t>(rank)))}});
      return;
    }
    static const std::vector<OpKind> kExact = {
        OpKind::add,        OpKind::mul,        OpKind::sub,   OpKind::div,       OpKind::relu,
        OpKind::neg,        OpKind::abs,        OpKind::sign,  OpKind::min,       OpKind::max,
        OpKind::lt,         OpKind::ge,         OpKind::eq,    OpKind::ne,        OpKind::select,
        OpKind::and_,       OpKind::or_,        OpKind::xor_,  OpKind::not_,      OpKind::floor,
        OpKind::ceil,       OpKind::round,      OpKind::copy,  OpKind::clamp,     OpKind::cast,
        OpKind::sqrt,       OpKind::leaky_relu, OpKind::scale, OpKind::is_finite, OpKind::rem,
        OpKind::reciprocal, OpKind::add,        OpKind::mul};
    static const std::vector<OpKind> kMore = {OpKind::sigmoid, OpKind::tanh, OpKind::exp,  OpKind::log,
                                              OpKind::axpy,    OpKind::fma,  OpKind::gelu, OpKind::erf,
                                              OpKind::pow,     OpKind::sin,  OpKind::silu, OpKind::elu,
                                              OpKind::atan2,   OpKind::cbrt, OpKind::rsqrt};
    OpKind kind = kExact[below(static_cast<uint32_t>(kExact.size()))];
    if (!exact_ && chance(50)) kind = kMore[below(static_cast<uint32_t>(kMore.size()))];
    std::vector<uint32_t> inputs;
    Shape shape;
    for (uint32_t i = 0; i < fuseboard::op_info(kind).least_arity; ++i) {
      for (int attempt = 0; attempt < 6 && inputs.size() == i; ++attempt) {
        const uint32_t operand = some_operand();
        const auto joined =
            i == 0 ? shape_of(operand) : fuseboard::broadcast_shapes(shape, shape_of(operand));
        if (!joined || fuseboard::element_count(*joined).value_or(0) > 600) continue;
        shape = *joined;
        inputs.push_back(operand);
      }
      if (inputs.size() == i) return;
    }
    const bool is_logic =
        kind == OpKind::and_ || kind == OpKind::or_ || kind == OpKind::xor_ || kind == OpKind::not_;
    for (const uint32_t input : inputs) {
      if (is_logic && dtype_of(input) != DType::boolean) return;
    }
    const bool makes_bool =
        is_logic || fuseboard::op_info(kind).dtype_rule == fuseboard::DTypeRule::Bool || chance(4);
    std::vector<fuseboard::Attribute> attributes;
    if (kind == OpKind::scale && chance(50)) attributes.push_back({"alpha", 0.75});
    add(kind, std::move(inputs), std::move(shape), makes_bool ? DType::boolean : DType::f32,
        std::move(attributes));
  }

  std::mt19937 random_;
  bool exact_;
  Shape base_;
  RandomGraph out_;
};

inline RandomGraph random_graph(uint32_t seed, bool exact) { return RandomGraphMaker(seed, exact).make(); }

}  // namespace fuseboard_test
