// One function for each attribute whose values have bounds.
// It must not know texts.
#include "graph/attribute_fault.h"

#include <algorithm>
#include <cmath>

#include "base/in_quotes.h"
#include "graph/reducer.h"

namespace fuseboard {
namespace {

using Fault = std::optional<AttributeFault>;

const int64_t* integer(const FusionOp& op, std::string_view name) {
  const AttributeValue* value = op.attribute(name);
  return value == nullptr ? nullptr : std::get_if<int64_t>(value);
}

/// Axes of `shape`, each named once.
Fault axes_fault(const FusionOp& op, std::string_view name, const Shape& shape) {
  const std::vector<int64_t>* axes = op.ints(name);
  if (axes == nullptr) return {};
  const auto rank = static_cast<int64_t>(shape.size());
  std::vector<bool> named(shape.size(), false);
  for (const int64_t axis : *axes) {
    if (axis < -rank || axis >= rank) {
      return AttributeFault{name, std::to_string(axis) + " is no axis of " + shape_text(shape),
                            "axes run from 0 to one less than the rank; negative ones count from the end"};
    }
    const auto at = static_cast<size_t>(axis < 0 ? axis + rank : axis);
    if (named[at])
      return AttributeFault{name, "axis " + std::to_string(axis) + " is named twice", "name it once"};
    named[at] = true;
  }
  return {};
}

Fault axis_fault(const FusionOp& op, const Shape& shape) {
  const int64_t* axis = integer(op, "axis");
  const auto rank = static_cast<int64_t>(shape.size());
  if (axis == nullptr || (*axis >= -rank && *axis < rank)) return {};
  return AttributeFault{"axis", std::to_string(*axis) + " is no axis of " + shape_text(shape),
                        "axes run from 0 to one less than the rank"};
}

Fault reducer_fault(const FusionOp& op) {
  const AttributeValue* value = op.attribute("reducer");
  const std::string* word = value == nullptr ? nullptr : std::get_if<std::string>(value);
  if (word == nullptr || Reducer::is_known(*word)) return {};
  return AttributeFault{"reducer", in_quotes(*word) + " is no reducer",
                        "sum prod max min mean any all argmax argmin"};
}

Fault precision_fault(const FusionOp& op) {
  const int64_t* exponent = integer(op, "exponent_bits");
  const int64_t* mantissa = integer(op, "mantissa_bits");
  if (exponent != nullptr && (*exponent < 1 || *exponent > 11)) {
    return AttributeFault{"exponent_bits", std::to_string(*exponent) + " exponent bits make no float",
                          "1 to 11"};
  }
  if (mantissa != nullptr && (*mantissa < 0 || *mantissa > 52)) {
    return AttributeFault{"mantissa_bits", std::to_string(*mantissa) + " mantissa bits make no float",
                          "0 to 52"};
  }
  return {};
}

/// NaN for what is no number.
double as_double(const AttributeValue& value) {
  if (const auto* whole = std::get_if<int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* whole = std::get_if<uint64_t>(&value)) return static_cast<double>(*whole);
  const auto* real = std::get_if<double>(&value);
  return real == nullptr ? std::nan("") : *real;
}

/// Whether an integer or bool type holds the value; floats hold any number, rounded.
bool holds(DType dtype, const AttributeValue& value) {
  const DTypeClass dtype_kind = dtype_class(dtype);
  if (dtype_kind == DTypeClass::Float || dtype_kind == DTypeClass::Foreign) return true;
  if (std::holds_alternative<bool>(value)) return true;
  const bool is_signed = dtype_kind == DTypeClass::Signed;
  const bool wide = dtype_bytes(dtype) == 8;  // compared as integers: doubles round near 2^63
  if (const auto* whole = std::get_if<int64_t>(&value); whole != nullptr && wide)
    return is_signed || *whole >= 0;
  if (const auto* whole = std::get_if<uint64_t>(&value); whole != nullptr && wide) {
    return !is_signed || *whole <= static_cast<uint64_t>(INT64_MAX);
  }
  const double number = as_double(value);
  if (number != std::floor(number)) return false;  // NaN too
  if (dtype_kind == DTypeClass::Bool) return number == 0 || number == 1;
  const double span = std::ldexp(1.0, static_cast<int>(8 * dtype_bytes(dtype)));
  return is_signed ? number >= -span / 2 && number < span / 2 : number >= 0 && number < span;
}

Fault value_fault(const FusionOp& op) {
  const AttributeValue* value = op.attribute("value");
  if (value == nullptr || holds(op.dtype, *value)) return {};
  return AttributeFault{"value", std::string(dtype_text(op.dtype)) + " cannot hold this value",
                        "give another dtype, or a value that fits"};
}

Fault result_fault(const FusionGraph& graph, const FusionOp& op) {
  if (!op.has_arity()) return {};
  const FusionOp& producer = graph.op(op.inputs[0]);
  if (producer.op_class() != OpClass::Opaque) {
    return AttributeFault{"kind",
                          "a result is one of several that an opaque op gives; " +
                              std::string(producer.kind_text()) + " has one output",
                          "read the op itself"};
  }
  const int64_t* index = integer(op, "index");
  if (index == nullptr || *index >= 0) return {};
  return AttributeFault{"index", std::to_string(*index) + " is no result", "results are counted from 0"};
}

}  // namespace

std::optional<AttributeFault> attribute_fault(const FusionGraph& graph, uint32_t id) {
  const FusionOp& op = graph.op(id);
  if (op.kind == OpKind::foreign || op.attributes.empty()) return {};
  if (op.kind == OpKind::result) return result_fault(graph, op);
  if (op.kind == OpKind::constant) return value_fault(op);
  if (op.kind == OpKind::iota) return axis_fault(op, op.output_shape);
  if (op.kind == OpKind::reduce_precision) return precision_fault(op);
  if (op.inputs.empty()) return {};
  const Shape& operand = graph.op(op.inputs[0]).output_shape;
  switch (op_info(op.kind).shape_rule) {
    case ShapeRule::Reduce: {
      Fault fault = reducer_fault(op);
      return fault ? fault : axes_fault(op, "axes", operand);
    }
    case ShapeRule::Permute:
      return axes_fault(op, "perm", operand);
    case ShapeRule::Concat:
      return axis_fault(op, operand);
    case ShapeRule::First:
      return op.kind == OpKind::sort ? axis_fault(op, operand) : axes_fault(op, "axes", operand);
    case ShapeRule::Stretch:
      return axes_fault(op, "axes", op.output_shape);
    case ShapeRule::Given:
    case ShapeRule::Broadcast:
    case ShapeRule::Reshape:
    case ShapeRule::Slice:
    case ShapeRule::Pad:
    case ShapeRule::MatMul:
      return {};
  }
  return {};
}

}  // namespace fuseboard
