// The reference column compiled: the value of a Point's element, and how far another one is from it.
// It must not know tensors, kernels or PTX.
#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <type_traits>

#include "graph/attribute_use.h"
#include "graph/evaluate.h"
#include "graph/infer.h"
#include "graph/reference.h"
#include "graph/row_bound.h"

namespace fuseboard {
namespace {

using reference::Bit;
using reference::Whole;

/// Operands and attributes of one element, in one type.
template <class T>
struct Arguments {
  T a{}, b{}, c{};
  T alpha{}, negative_slope{};
  double exponent_bits = 8, mantissa_bits = 23;
  const uint64_t* index = nullptr;
};

/// What a row gave: a number in `wide`, rounded to its type or not, or an integer, or a truth.
struct Outcome {
  enum class Kind : uint8_t { none, real, whole, truth, natural } kind = Kind::none;
  long double wide = 0;
  uint64_t bits = 0;
};

Outcome outcome_of(bool truth) { return {Outcome::Kind::truth, 0, truth ? 1U : 0U}; }
Outcome outcome_of(Bit bit) { return outcome_of(bit.on); }
Outcome outcome_of(Whole whole) { return {Outcome::Kind::whole, 0, whole.bits}; }
Outcome outcome_of(uint64_t natural) { return {Outcome::Kind::natural, 0, natural}; }
Outcome outcome_of(float real) { return {Outcome::Kind::real, real, 0}; }
Outcome outcome_of(double real) { return {Outcome::Kind::real, real, 0}; }
Outcome outcome_of(long double real) { return {Outcome::Kind::real, real, 0}; }

/// Calls a row's reference where it compiles for the type.
template <class T, class Row>
Outcome call_row(Row row, const Arguments<T>& x) {
  if constexpr (std::is_invocable_v<Row, T, T, T, const uint64_t*, size_t, T, T, double, double>) {
    return outcome_of(
        row(x.a, x.b, x.c, x.index, size_t{0}, x.alpha, x.negative_slope, x.exponent_bits, x.mantissa_bits));
  } else {
    return {};
  }
}

#define ROW_Source(identifier, ...) \
  case OpKind::identifier:          \
    return {};
#define ROW_View ROW_Source
#define ROW_Reduce ROW_Source
#define ROW_Move ROW_Source
#define ROW_Opaque ROW_Source

template <class T>
Outcome outcome(OpKind kind, const Arguments<T>& x) {
  using namespace std;                   // the names that the column uses
  using namespace fuseboard::reference;  // NOLINT
  switch (kind) {
#define ROW_Point(identifier, value)                                                                \
  case OpKind::identifier:                                                                          \
    return call_row<T>(                                                                             \
        []([[maybe_unused]] auto a, [[maybe_unused]] auto b, [[maybe_unused]] auto c,               \
           [[maybe_unused]] auto index, [[maybe_unused]] auto axis, [[maybe_unused]] auto alpha,    \
           [[maybe_unused]] auto negative_slope, [[maybe_unused]] auto exponent_bits,               \
           [[maybe_unused]] auto mantissa_bits) -> std::decay_t<decltype(value)> { return value; }, \
        x);
#define OP(identifier, text, op_class, least, most, attributes, dtype_rule, shape_rule, names, value, fast, \
           precise, f64, slack, source, ptx)                                                                \
  ROW_##op_class(identifier, value)
#include "graph/ops.def"
#undef ROW_Point
  }
  return {};
}

/// The slack column.
double slack_of(OpKind kind, const Arguments<double>& x, bool is_fast, bool is_f64) {
  using namespace std;                   // the names that the column uses
  using namespace fuseboard::reference;  // NOLINT
  const auto unit = [is_f64](double value) { return static_cast<double>(unit_in_last_place(value, is_f64)); };
  switch (kind) {
#define ROW_Point(identifier, distance)                                                             \
  case OpKind::identifier:                                                                          \
    return []([[maybe_unused]] auto a, [[maybe_unused]] auto b, [[maybe_unused]] auto c,            \
              [[maybe_unused]] auto alpha, [[maybe_unused]] bool fast, [[maybe_unused]] auto ulp) { \
      return static_cast<double>(distance);                                                         \
    }(x.a, x.b, x.c, x.alpha, is_fast, unit);
#define OP(identifier, text, op_class, least, most, attributes, dtype_rule, shape_rule, names, value, fast_, \
           precise, f64, distance, source, ptx)                                                              \
  ROW_##op_class(identifier, distance)
#include "graph/ops.def"
#undef ROW_Point
  }
  return 0;
}

#undef ROW_Source
#undef ROW_View
#undef ROW_Reduce
#undef ROW_Move
#undef ROW_Opaque

DType standing(DType dtype) { return dtype == DType::f16 || dtype == DType::bf16 ? DType::f32 : dtype; }

/// IEEE's total order as integers.
Element total_order_key(DType dtype, const Element& element) {
  uint8_t bytes[8] = {};
  element_to_bytes(dtype, element, bytes);
  const DType integer = dtype == DType::f64 ? DType::i64 : DType::i32;
  Element key = element_from_bytes(integer, bytes);
  const uint64_t flipped = dtype == DType::f64 ? ~uint64_t{0} >> 1 : uint64_t{0x7fffffff};
  if (static_cast<int64_t>(key.bits) < 0) key.bits ^= flipped;
  return key;
}

bool same_bits(DType dtype, const Element& a, const Element& b) {
  if (dtype_class(dtype) != DTypeClass::Float) return a.bits == b.bits;
  if (a.real != a.real || b.real != b.real) return a.real != a.real && b.real != b.real;
  return a.real == b.real && std::signbit(a.real) == std::signbit(b.real);
}

/// As the op or its row gives it.
double attribute_number(const FusionOp& op, std::string_view name, double otherwise) {
  for (const AttributeUse& use : attribute_uses(op)) {
    if (use.name == name) return use.value.value_or(otherwise);
  }
  return otherwise;
}

/// An attribute in the computing dtype, as a kernel parameter would come.
Element as_parameter(double value, DType dtype) {
  const bool narrow = dtype_class(dtype) != DTypeClass::Float && dtype_bytes(dtype) < 4;
  const DType wide = dtype_class(dtype) == DTypeClass::Unsigned ? DType::u32 : DType::i32;
  return converted(DType::f64, dtype == DType::boolean ? DType::f32 : narrow ? wide : dtype, {value, 0});
}

}  // namespace

struct PointReference::State {
  OpKind kind{};
  DType dtype = DType::f32;   ///< that it computes in; f32 for f16 and bf16
  DType result = DType::f32;  ///< of the op
  DType standing_result = DType::f32;
  std::array<DType, 3> from{};  ///< of the operands, as they stand
  DType first = DType::f32;     ///< the first operand's own
  bool keeps_bits = false;
  bool by_total_order = false;
  bool first_is_condition = false;
  Element alpha, negative_slope;
  double exponent_bits = 8, mantissa_bits = 23;
  uint64_t index_divisor = 1, index_extent = 1;  ///< iota: (offset / divisor) % extent

  template <class T>
  T made(const Element& element) const {
    if constexpr (std::is_same_v<T, Whole>) {
      return {element.bits, 8 * dtype_bytes(dtype), dtype_class(dtype) == DTypeClass::Signed};
    } else if constexpr (std::is_same_v<T, Bit>) {
      return {element.bits != 0};
    } else {
      return static_cast<T>(dtype == DType::boolean ? static_cast<double>(element.bits) : element.real);
    }
  }

  template <class T>
  Arguments<T> arguments(const std::array<Element, 3>& values, const uint64_t* index) const {
    Arguments<T> x;
    x.a = made<T>(values[0]);
    x.b = made<T>(values[1]);
    x.c = made<T>(values[2]);
    if constexpr (std::is_same_v<T, Whole>) {
      x.alpha = made<T>(alpha);
      x.negative_slope = made<T>(negative_slope);
    } else if constexpr (!std::is_same_v<T, Bit>) {
      x.alpha = static_cast<T>(alpha.real);
      x.negative_slope = static_cast<T>(negative_slope.real);
    }
    x.exponent_bits = exponent_bits;
    x.mantissa_bits = mantissa_bits;
    x.index = index;
    return x;
  }

  template <class T>
  Outcome ask_as(const std::array<Element, 3>& values, const uint64_t* index) const {
    return outcome<T>(kind, arguments<T>(values, index));
  }

  /// In the type itself where one rounding, or none, is the answer; otherwise wider.
  Outcome ask(const std::array<Element, 3>& values, const uint64_t* index, bool fast) const {
    const OpInfo& row = op_info(kind);
    switch (dtype_class(dtype)) {
      case DTypeClass::Float:
        if (dtype == DType::f64) {
          return row.ulps_f64 == 0 ? ask_as<double>(values, index) : ask_as<long double>(values, index);
        }
        return (fast ? row.ulps_fast : row.ulps_precise) == 0 ? ask_as<float>(values, index)
                                                              : ask_as<double>(values, index);
      case DTypeClass::Signed:
      case DTypeClass::Unsigned:
        return ask_as<Whole>(values, index);
      case DTypeClass::Bool: {
        const Outcome logic = ask_as<Bit>(values, index);
        return logic.kind == Outcome::Kind::none ? ask_as<float>(values, index) : logic;
      }
      case DTypeClass::Foreign:
        break;
    }
    return {};
  }

  std::array<Element, 3> operands(std::span<const Element> given) const {
    std::array<Element, 3> values{};
    for (size_t i = 0; i < given.size() && i < values.size(); ++i) {
      values[i] = given[i];
      DType own = from[i];
      if (i == 0 && first_is_condition) {
        values[i] = converted(own, DType::boolean, values[i]);
        own = DType::boolean;
      }
      const DType to = by_total_order ? (dtype == DType::i64 ? DType::f64 : DType::f32) : dtype;
      if (own != to) values[i] = converted(own, to, values[i]);
      if (by_total_order) values[i] = total_order_key(to, values[i]);
    }
    return values;
  }

  bool is_f64() const { return dtype == DType::f64; }

  double bound(bool fast) const {
    const OpInfo& row = op_info(kind);
    return is_f64() ? row.ulps_f64 : fast ? row.ulps_fast : row.ulps_precise;
  }

  RowBound row_bound(bool fast, long double slack) const {
    return {is_f64(), bound(fast), slack, standing_result, result};
  }

  Element rounded(const Outcome& out) const {
    switch (out.kind) {
      case Outcome::Kind::none:
        return {};
      case Outcome::Kind::real: {
        Element value{static_cast<double>(out.wide), 0};
        if (dtype == DType::boolean) return converted(DType::f32, standing_result, value);
        if (dtype != DType::f64) value = converted(DType::f64, DType::f32, value);
        return dtype == standing_result ? value : converted(dtype, standing_result, value);
      }
      case Outcome::Kind::whole:
        return converted(dtype, standing_result, {0, out.bits});
      case Outcome::Kind::truth:
        return converted(DType::boolean, standing_result, {0, out.bits});
      case Outcome::Kind::natural:
        return converted(DType::u64, standing_result, {0, out.bits});
    }
    return {};
  }
};

PointReference::PointReference(const FusionGraph& graph, uint32_t id, std::optional<double> scalar)
    : state_(std::make_unique<State>()) {
  const FusionOp& op = graph.op(id);
  State& s = *state_;
  const bool is_given = op_info(op.kind).dtype_rule == DTypeRule::Given && !op.inputs.empty();
  s.kind = op.kind;
  s.dtype = standing(computing_dtype(graph, op));
  s.result = op.dtype;
  s.standing_result = is_given ? op.dtype : standing(op.dtype);  // a cast rounds to the dtype itself
  s.keeps_bits = op.kind == OpKind::bitcast_convert;
  s.first_is_condition = op_info(op.kind).dtype_rule == DTypeRule::Select;
  for (size_t i = 0; i < op.inputs.size() && i < s.from.size(); ++i) {
    s.from[i] = standing(graph.op(op.inputs[i]).dtype);
  }
  if (!op.inputs.empty()) s.first = graph.op(op.inputs[0]).dtype;
  s.by_total_order = has_flag(op, "total_order") && dtype_class(s.dtype) == DTypeClass::Float;
  if (s.by_total_order) s.dtype = s.dtype == DType::f64 ? DType::i64 : DType::i32;
  s.alpha = as_parameter(attribute_number(op, "alpha", scalar.value_or(1)), s.dtype);
  s.negative_slope = as_parameter(attribute_number(op, "negative_slope", scalar.value_or(1)), s.dtype);
  s.exponent_bits = attribute_number(op, "exponent_bits", 8);
  s.mantissa_bits = attribute_number(op, "mantissa_bits", 23);
  if (!op.inputs.empty() || op.output_shape.empty()) return;
  const auto rank = static_cast<double>(op.output_shape.size());
  double axis = attribute_number(op, "axis", 0);
  if (axis < 0) axis += rank;
  if (!(axis >= 0 && axis < rank)) return;
  s.index_extent = op.output_shape[static_cast<size_t>(axis)];
  for (size_t k = static_cast<size_t>(axis) + 1; k < op.output_shape.size(); ++k)
    s.index_divisor *= op.output_shape[k];
}

PointReference::PointReference(PointReference&&) noexcept = default;
PointReference& PointReference::operator=(PointReference&&) noexcept = default;
PointReference::~PointReference() = default;

Element PointReference::value(std::span<const Element> operands, uint64_t offset) const {
  const State& s = *state_;
  if (s.keeps_bits) {
    uint8_t bytes[8] = {};
    if (operands.empty() || dtype_bytes(s.first) != dtype_bytes(s.result)) return {};
    element_to_bytes(s.first, operands[0], bytes);
    return element_from_bytes(s.result, bytes);
  }
  const uint64_t index = s.index_extent == 0 ? 0 : offset / s.index_divisor % s.index_extent;
  return s.rounded(s.ask(s.operands(operands), &index, false));
}

Held PointReference::hold(std::span<const Element> operands, uint64_t offset, bool fast, Element got) const {
  const State& s = *state_;
  const double infinite = std::numeric_limits<double>::infinity();
  Held verdict;
  if (s.keeps_bits) {
    verdict.expected = value(operands, offset);
    verdict.holds = same_bits(s.result, verdict.expected, got);
    verdict.ulps = verdict.holds ? 0 : infinite;
    return verdict;
  }
  const uint64_t index = s.index_extent == 0 ? 0 : offset / s.index_divisor % s.index_extent;
  const std::array<Element, 3> values = s.operands(operands);
  const Outcome out = s.ask(values, &index, fast);
  verdict.expected = s.rounded(out);
  const bool is_real = out.kind == Outcome::Kind::real && s.dtype != DType::boolean;
  if (is_real) verdict.bound = s.bound(fast);
  if (same_bits(s.result, verdict.expected, got)) {
    verdict.holds = true;
    return verdict;
  }
  verdict.ulps = infinite;
  if (!is_real || out.wide != out.wide) return verdict;
  const double slack = slack_of(s.kind, s.arguments<double>(values, &index), fast, s.is_f64());
  const RowBound row_bound = s.row_bound(fast, slack);
  if (dtype_class(s.result) == DTypeClass::Float) {
    row_bound.measure(out.wide, got, verdict);
  } else {
    verdict.holds = row_bound.is_between(out.wide, got);
    if (verdict.holds) verdict.ulps = 0;
  }
  return verdict;
}

Element point_value(const FusionGraph& graph, const PointQuestion& question) {
  return PointReference(graph, question.op, question.scalar).value(question.operands, question.offset);
}

Held hold(const FusionGraph& graph, const PointQuestion& question, bool fast, Element got) {
  return PointReference(graph, question.op, question.scalar)
      .hold(question.operands, question.offset, fast, got);
}

}  // namespace fuseboard
