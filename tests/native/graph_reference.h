// The value of every op of a small graph of f32 and bool, straight from the op table's reference column and
// NumPy's rules. It must not know plans, kernels or PTX.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "graph/fusion_graph.h"
#include "graph/storage.h"

namespace fuseboard_test {

/// bool operands of and, or, xor, not.
struct Bit {
  bool on;
  friend Bit operator&(Bit a, Bit b) { return {a.on && b.on}; }
  friend Bit operator|(Bit a, Bit b) { return {a.on || b.on}; }
  friend Bit operator^(Bit a, Bit b) { return {a.on != b.on}; }
  friend Bit operator~(Bit a) { return {!a.on}; }
};

/// a with fewer exponent and mantissa bits: ties to even, past the range infinite, below it zero.
inline double rounded(double a, double exponent_bits, double mantissa_bits) {
  if (a != a || std::isinf(a) || a == 0) return a;
  int exponent = 0;
  (void)std::frexp(a, &exponent);
  const int unit = std::max(exponent - 1, -126) - static_cast<int>(mantissa_bits);
  double out = mantissa_bits >= 23 ? a : std::ldexp(std::nearbyint(std::ldexp(a, -unit)), unit);
  if (std::fabs(out) > 3.4028235677973366e38) out = std::copysign(std::numeric_limits<double>::infinity(), a);
  if (exponent_bits >= 8) return out;
  const int bias = (1 << (static_cast<int>(exponent_bits) - 1)) - 1;
  if (std::fabs(out) >= std::ldexp(1.0, bias + 1))
    return std::copysign(std::numeric_limits<double>::infinity(), a);
  return std::fabs(out) < std::ldexp(1.0, 1 - bias) ? std::copysign(0.0, a) : out;
}

struct ReferenceArguments {
  double a = 0, b = 0, c = 0;
  double index = 0;  // iota's
  double alpha = 1, negative_slope = 0.01, exponent_bits = 8, mantissa_bits = 23;
};

constexpr bool is_logic(fuseboard::OpKind kind) {
  using fuseboard::OpKind;
  return kind == OpKind::and_ || kind == OpKind::or_ || kind == OpKind::xor_ || kind == OpKind::not_;
}

constexpr bool is_for_integers(fuseboard::OpKind kind) {
  using fuseboard::OpKind;
  return kind == OpKind::shift_left || kind == OpKind::shift_right_logical || kind == OpKind::popcount ||
         kind == OpKind::shift_right_arithmetic || kind == OpKind::clz;
}

/// Calls a row's reference as a generic lambda; rows for integers alone are never instantiated.
template <fuseboard::OpKind kind, class Row>
double call_row(Row row, const ReferenceArguments& x) {
  const auto same = [](double v) { return v; };
  const double index[] = {x.index};
  if constexpr (is_for_integers(kind)) {
    return 0;
  } else if constexpr (is_logic(kind)) {
    return row(Bit{x.a != 0}, Bit{x.b != 0}, Bit{x.c != 0}, index, 0, same, 0, 0, 0, 0).on ? 1 : 0;
  } else {
    return static_cast<double>(
        row(x.a, x.b, x.c, index, 0, same, x.alpha, x.negative_slope, x.exponent_bits, x.mantissa_bits));
  }
}

/// The reference of one Point op of f32 operands (bool: 0 and 1), in double.
inline double reference_of(fuseboard::OpKind kind, const ReferenceArguments& x) {
  using namespace std;
  switch (kind) {
#define ROW_Source(identifier, reference)
#define ROW_View(identifier, reference)
#define ROW_Reduce(identifier, reference)
#define ROW_Move(identifier, reference)
#define ROW_Opaque(identifier, reference)
#define ROW_Point(identifier, reference)                                                                    \
  case fuseboard::OpKind::identifier:                                                                       \
    return call_row<fuseboard::OpKind::identifier>(                                                         \
        []([[maybe_unused]] auto a, [[maybe_unused]] auto b, [[maybe_unused]] auto c,                       \
           [[maybe_unused]] auto index, [[maybe_unused]] auto axis, [[maybe_unused]] auto bits,             \
           [[maybe_unused]] auto alpha, [[maybe_unused]] auto negative_slope,                               \
           [[maybe_unused]] auto exponent_bits, [[maybe_unused]] auto mantissa_bits) { return reference; }, \
        x);
#define OP(identifier, text, op_class, least, most, attributes, dtype_rule, shape_rule, names, reference, \
           fast, precise)                                                                                 \
  ROW_##op_class(identifier, reference)
#include "graph/ops.def"
#undef ROW_Source
#undef ROW_View
#undef ROW_Reduce
#undef ROW_Move
#undef ROW_Opaque
#undef ROW_Point
    default:
      return 0;
  }
}

inline float attribute_or(const fuseboard::FusionOp& op, const char* name, double value) {
  if (const fuseboard::AttributeValue* own = op.attribute(name)) {
    if (const double* real = std::get_if<double>(own)) value = *real;
    if (const int64_t* integer = std::get_if<int64_t>(own)) value = static_cast<double>(*integer);
    if (const bool* flag = std::get_if<bool>(own)) value = *flag ? 1 : 0;
  }
  return static_cast<float>(value);
}

/// The element of a contiguous operand under an output element, dimension by dimension.
inline uint64_t operand_index(uint64_t at, const fuseboard::Shape& shape, const fuseboard::Shape& operand,
                              const std::vector<int64_t>* axes) {
  std::vector<uint64_t> index(shape.size());
  for (size_t k = shape.size(); k-- > 0;) {
    index[k] = at % shape[k];
    at /= shape[k];
  }
  uint64_t offset = 0;
  for (size_t i = 0; i < operand.size(); ++i) {
    const size_t k = axes == nullptr ? shape.size() - operand.size() + i : static_cast<size_t>((*axes)[i]);
    offset = offset * operand[i] + (operand[i] == 1 ? 0 : index[k]);
  }
  return offset;
}

/// All values, by op; `inputs` holds those of resident ops. Each op's result is rounded to its dtype. `alpha`
/// stands for attributes without a value.
inline std::vector<std::vector<float>> evaluate(const fuseboard::FusionGraph& graph,
                                                const std::map<uint32_t, std::vector<float>>& inputs,
                                                float alpha) {
  using namespace fuseboard;
  std::vector<std::vector<float>> values(graph.size());
  for (uint32_t id = 0; id < graph.size(); ++id) {  // ids are in topological order here
    const FusionOp& op = graph.op(id);
    const uint64_t elements = element_count(op.output_shape).value_or(0);
    values[id].resize(elements);
    if (inputs.contains(id)) {
      values[id] = inputs.at(id);
      continue;
    }
    for (uint64_t at = 0; at < elements; ++at) {
      if (is_immediate(op)) {
        values[id][at] = attribute_or(op, "value", 0);
        continue;
      }
      if (op.kind == OpKind::reshape) {
        values[id][at] = values[op.inputs[0]][at];
        continue;
      }
      const std::vector<int64_t>* axes = op.kind == OpKind::broadcast ? op.ints("axes") : nullptr;
      ReferenceArguments x;
      double* const slots[] = {&x.a, &x.b, &x.c};
      for (size_t i = 0; i < op.inputs.size() && i < 3; ++i) {
        const Shape& shape = graph.op(op.inputs[i]).output_shape;
        *slots[i] = values[op.inputs[i]][operand_index(at, op.output_shape, shape, axes)];
      }
      if (op.kind == OpKind::broadcast) {
        values[id][at] = static_cast<float>(x.a);
        continue;
      }
      if (op.kind == OpKind::iota) {
        const Shape along{op.output_shape[static_cast<size_t>(attribute_or(op, "axis", 0))]};
        const std::vector<int64_t> axis{static_cast<int64_t>(attribute_or(op, "axis", 0))};
        x.index = static_cast<double>(operand_index(at, op.output_shape, along, &axis));
      }
      x.alpha = attribute_or(op, "alpha", op.kind == OpKind::elu ? 1.0 : static_cast<double>(alpha));
      x.negative_slope = attribute_or(op, "negative_slope", 0.01);
      x.exponent_bits = attribute_or(op, "exponent_bits", 8);
      x.mantissa_bits = attribute_or(op, "mantissa_bits", 23);
      const float result = static_cast<float>(reference_of(op.kind, x));
      values[id][at] = op.dtype == DType::boolean ? (result != 0 ? 1.0F : 0.0F) : result;
    }
  }
  return values;
}

}  // namespace fuseboard_test
