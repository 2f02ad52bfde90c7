// Random graphs that reduce, over all dtypes, reducers and axes: softmaxes and norms in many spellings, and
// free forms. It must not know plans or kernels, but for what has PTX.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "typed_random_graph.h"

namespace fuseboard_test {

class TypedReductionMaker : public TypedGraphMaker {
 public:
  TypedReductionMaker(uint32_t seed, fuseboard::Math math) : TypedGraphMaker(seed, math, 0) {}

  fuseboard::FusionGraph make() {
    choose_domain();
    switch (below(4)) {
      case 0:
        add_softmax();
        break;
      case 1:
        add_norm();
        break;
      default:
        add_free_form();
    }
    for (uint32_t i = 0; i < below(3); ++i) graph_.add_output(below(graph_.size()));
    return std::move(graph_);
  }

 private:
  /// The full shape and which of its dimensions are folded: often the innermost, also leading, middle,
  /// several, all.
  void choose_domain() {
    constexpr uint32_t kExtents[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 31, 32, 33, 48, 64, 65, 100, 128, 129};
    constexpr uint32_t kLong[] = {255, 256, 257, 500, 512, 1000, 1024, 1025, 2048, 3000, 4096, 5001, 9000};
    constexpr uint32_t kHuge[] = {16384, 20001, 32768, 33001, 50257};
    const uint32_t rank = 1 + below(4);
    const bool is_huge = chance(6);  // too long to stay in registers
    const uint64_t most = is_huge ? 120000 : chance(10) ? 40000 : 6000;
    base_.assign(rank, 1);
    folded_.assign(rank, false);
    const uint32_t form = below(10);
    for (uint32_t k = 0; k < rank; ++k)
      folded_[k] = form < 5 ? k + 1 == rank : form < 7 ? k == 0 : chance(50);
    if (form == 9) folded_.assign(rank, true);
    const uint32_t longest = below(rank);
    for (uint32_t k = 0; k < rank; ++k) {
      const bool is_long = k == longest && chance(35);
      uint64_t extent = is_long ? kLong[below(13)] : kExtents[below(19)];
      if (is_huge && k == longest) extent = kHuge[below(5)];
      if (is_huge && k != longest) extent = 1 + below(3);
      const uint64_t so_far = fuseboard::element_count(base_).value_or(1);
      while (extent * so_far > most) extent = (extent + 1) / 2;
      base_[k] = extent;
    }
    size_ = static_cast<uint32_t>(fuseboard::element_count(base_).value_or(1));
  }

  std::vector<int64_t> axes() {
    std::vector<int64_t> out;
    for (size_t k = 0; k < folded_.size(); ++k) {
      if (!folded_[k]) continue;
      const auto rank = static_cast<int64_t>(folded_.size());
      out.push_back(static_cast<int64_t>(k) - (chance(20) ? rank : 0));
    }
    if (chance(20)) std::reverse(out.begin(), out.end());
    return out;
  }

  Shape kept_shape(bool keepdims) const {
    Shape out;
    for (size_t k = 0; k < folded_.size(); ++k) {
      if (!folded_[k] || keepdims) out.push_back(folded_[k] ? 1 : base_[k]);
    }
    return out;
  }

  /// Folds a full value over the domain's axes.
  uint32_t reduce(uint32_t full, const std::string& reducer, bool keepdims, DType dtype) {
    std::vector<fuseboard::Attribute> attributes = {{"reducer", reducer}, {"axes", axes()}};
    if (std::find(folded_.begin(), folded_.end(), false) == folded_.end() && chance(50))
      attributes.pop_back();
    if (keepdims) attributes.push_back({"keepdims", true});
    std::vector<uint32_t> inputs = {full};
    const bool has_start = reducer != "mean" && reducer.rfind("arg", 0) != 0;
    if (has_start && chance(15)) {
      const DType of = op(full).dtype;
      inputs.push_back(chance(50) ? add_constant(of) : add(OpKind::input, {}, {}, of));
    }
    return add(OpKind::reduce, inputs, kept_shape(keepdims), dtype, std::move(attributes));
  }

  /// A value by row, to be read beside full ones: as it is where NumPy's rule stretches it, or as a view.
  uint32_t spread(uint32_t row, bool keepdims) {
    if (keepdims && chance(60)) return row;
    std::vector<int64_t> where;
    for (size_t k = 0; k < folded_.size(); ++k) {
      if (!folded_[k] || keepdims) where.push_back(static_cast<int64_t>(k));
    }
    return add(OpKind::broadcast, {row}, base_, op(row).dtype, {{"axes", where}});
  }

  uint32_t point(OpKind kind, std::vector<uint32_t> inputs, DType dtype) {
    Shape shape;
    for (const uint32_t input : inputs)
      shape = fuseboard::broadcast_shapes(shape, op(input).output_shape).value_or(shape);
    return add(kind, std::move(inputs), std::move(shape), dtype);
  }

  DType some_float() {
    constexpr DType kFloats[] = {DType::f32, DType::f16, DType::bf16, DType::f64};
    return chance(45) ? DType::f32 : kFloats[below(4)];
  }

  uint32_t number(double value, DType dtype) {
    return add(OpKind::constant, {}, {}, dtype, {{"value", value}});
  }

  /// A full input: f16 and bf16 often widened at once, and rows before a residual or a bias.
  uint32_t full_input(DType stored, DType dtype) {
    uint32_t x = add(OpKind::input, {}, base_, stored);
    if (stored != dtype) x = point(OpKind::cast, {x}, dtype);
    if (chance(25))
      x = point(OpKind::add, {x, add(OpKind::input, {}, some_shape_above_zero(), dtype)}, dtype);
    return x;
  }

  Shape some_shape_above_zero() {
    Shape shape = tail();
    for (uint64_t& dim : shape) dim = chance(15) ? 1 : dim;
    return shape;
  }

  Shape tail() { return Shape(base_.begin() + below(static_cast<uint32_t>(base_.size()) + 1), base_.end()); }

  void add_softmax() {
    const DType stored = some_float();
    const DType dtype = stored == DType::f64 ? stored : chance(70) ? DType::f32 : stored;
    uint32_t x = full_input(stored, dtype);
    if (chance(50)) x = point(OpKind::mul, {x, number(0.125, dtype)}, dtype);
    if (chance(30)) {
      const uint32_t mask = add(OpKind::input, {}, some_shape_above_zero(), DType::boolean);
      x = point(OpKind::select, {mask, x, number(-INFINITY, dtype)}, dtype);
    }
    const bool keepdims = chance(60);
    const uint32_t most = reduce(x, "max", keepdims, dtype);
    const uint32_t low = point(OpKind::sub, {x, spread(most, keepdims)}, dtype);
    const uint32_t e = point(OpKind::exp, {low}, dtype);
    const uint32_t sum = reduce(e, "sum", keepdims, dtype);
    uint32_t y = 0;
    if (chance(25)) {
      y = point(OpKind::sub, {low, spread(point(OpKind::log, {sum}, dtype), keepdims)}, dtype);
    } else {
      y = point(OpKind::div, {e, spread(sum, keepdims)}, dtype);
    }
    if (stored != dtype) y = point(OpKind::cast, {y}, stored);
    if (chance(30)) point(OpKind::mul, {y, add(OpKind::input, {}, tail(), stored)}, stored);
    if (chance(20)) graph_.add_output(sum);
  }

  void add_norm() {
    const DType stored = some_float();
    const DType dtype = stored == DType::f64 ? stored : chance(75) ? DType::f32 : stored;
    const uint32_t x = full_input(stored, dtype);
    const bool keepdims = chance(60);
    uint32_t centred = x;
    if (chance(70)) {
      const uint32_t mean = row_mean(x, keepdims, dtype);
      centred = point(OpKind::sub, {x, spread(mean, keepdims)}, dtype);
      if (chance(25)) graph_.add_output(mean);
    }
    const uint32_t square = point(OpKind::mul, {centred, centred}, dtype);
    const uint32_t variance = row_mean(square, keepdims, dtype);
    const uint32_t safe = point(OpKind::add, {variance, number(1e-5, dtype)}, dtype);
    uint32_t y = 0;
    if (chance(70)) {
      const uint32_t scale = point(OpKind::rsqrt, {safe}, dtype);
      y = point(OpKind::mul, {centred, spread(scale, keepdims)}, dtype);
      if (chance(25)) graph_.add_output(scale);
    } else {
      y = point(OpKind::div, {centred, spread(point(OpKind::sqrt, {safe}, dtype), keepdims)}, dtype);
    }
    if (chance(70)) y = point(OpKind::mul, {y, add(OpKind::input, {}, tail(), dtype)}, dtype);
    if (chance(60)) y = point(OpKind::add, {y, add(OpKind::input, {}, tail(), dtype)}, dtype);
    if (stored != dtype) point(OpKind::cast, {y}, stored);
  }

  uint32_t row_mean(uint32_t x, bool keepdims, DType dtype) {
    if (chance(60)) return reduce(x, "mean", keepdims, dtype);
    uint64_t columns = 1;
    for (size_t k = 0; k < folded_.size(); ++k) columns *= folded_[k] ? base_[k] : 1;
    return point(OpKind::mul,
                 {reduce(x, "sum", keepdims, dtype), number(1 / static_cast<double>(columns), dtype)}, dtype);
  }

  void add_free_form() {
    favourite_ = some_dtype();
    for (uint32_t i = 0; i < 1 + below(3); ++i) {
      add(OpKind::input, {}, i == 0 || chance(60) ? base_ : some_shape_above_zero(), some_dtype());
    }
    for (uint32_t i = 0; i < 2 + below(12); ++i) {
      const uint32_t dice = below(100);
      if (dice < 35) {
        add_some_reduce();
      } else if (dice < 45) {
        add_view();
      } else {
        add_point();
      }
    }
    if (chance(50)) add_some_reduce();
  }

  /// Mostly of a full value over the domain's axes, and stretched back; else of any value over any axes.
  void add_some_reduce() {
    constexpr const char* kReducers[] = {"sum", "prod", "max",    "min",   "mean",
                                         "any", "all",  "argmax", "argmin"};
    const std::string reducer = kReducers[below(9)];
    const uint32_t operand = chance(25) ? some_operand() : latest_full();
    const bool is_index = reducer.rfind("arg", 0) == 0;
    constexpr DType kIndices[] = {DType::i32, DType::i64, DType::u32};
    const DType dtype = is_index                               ? kIndices[below(3)]
                        : reducer == "any" || reducer == "all" ? DType::boolean
                        : chance(85)                           ? op(operand).dtype
                                                               : some_dtype();
    if (elements(operand) == 0) return;
    if (op(operand).output_shape == base_) {
      const bool keepdims = chance(50);
      const uint32_t row = reduce(operand, reducer, keepdims, dtype);
      if (chance(60)) spread(row, keepdims);
      return;
    }
    Shape kept;
    std::vector<int64_t> over;
    const Shape& shape = op(operand).output_shape;
    for (size_t k = 0; k < shape.size(); ++k) {
      if (chance(50)) {
        over.push_back(static_cast<int64_t>(k));
      } else {
        kept.push_back(shape[k]);
      }
    }
    add(OpKind::reduce, {operand}, std::move(kept), dtype, {{"reducer", reducer}, {"axes", over}});
  }

  uint32_t latest_full() {
    std::vector<uint32_t> full;
    for (uint32_t id = 0; id < graph_.size(); ++id) {
      if (op(id).output_shape == base_) full.push_back(id);
    }
    const auto count = static_cast<uint32_t>(full.size());
    return chance(60) ? full[count - 1 - below(std::min(count, 3U))] : full[below(count)];
  }

  std::vector<bool> folded_;  ///< by dimension of base_
};

}  // namespace fuseboard_test
