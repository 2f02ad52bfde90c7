// One function a shape rule.
// It must not know the text.
#include "graph/infer.h"

#include <algorithm>

#include "base/checked.h"

namespace fuseboard {
namespace {

const Shape& operand_shape(const FusionGraph& graph, const FusionOp& op, size_t i) {
  return graph.op(op.inputs[i]).output_shape;
}

InferredShape contradiction(std::string words) { return {std::nullopt, std::move(words)}; }

InferredShape broadcast_operands(const FusionGraph& graph, const FusionOp& op) {
  Shape shape = operand_shape(graph, op, 0);
  for (size_t i = 1; i < op.inputs.size(); ++i) {
    std::optional<Shape> both = broadcast_shapes(shape, operand_shape(graph, op, i));
    if (!both) {
      return contradiction("operands of shapes " + shape_text(shape) + " and " +
                           shape_text(operand_shape(graph, op, i)) + " do not broadcast");
    }
    shape = std::move(*both);
  }
  return {std::move(shape), ""};
}

/// An axis counted from the front; nothing where it is outside -rank .. rank-1.
std::optional<size_t> normal_axis(int64_t axis, size_t rank) {
  const int64_t from_front = axis < 0 ? axis + static_cast<int64_t>(rank) : axis;
  if (from_front < 0 || from_front >= static_cast<int64_t>(rank)) return std::nullopt;
  return static_cast<size_t>(from_front);
}

InferredShape axis_outside(int64_t axis, const Shape& shape) {
  return contradiction("axis " + std::to_string(axis) + " is outside the operand's shape " +
                       shape_text(shape));
}

InferredShape reduced(const FusionGraph& graph, const FusionOp& op) {
  const Shape& operand = operand_shape(graph, op, 0);
  std::vector<bool> folded(operand.size(), op.ints("axes") == nullptr);
  if (const std::vector<int64_t>* axes = op.ints("axes")) {
    for (const int64_t axis : *axes) {
      const std::optional<size_t> at = normal_axis(axis, operand.size());
      if (!at) return axis_outside(axis, operand);
      folded[*at] = true;
    }
  }
  const AttributeValue* keep = op.attribute("keepdims");
  const bool keepdims = keep != nullptr && std::get_if<bool>(keep) != nullptr && std::get<bool>(*keep);
  Shape shape;
  for (size_t i = 0; i < operand.size(); ++i) {
    if (!folded[i]) shape.push_back(operand[i]);
    if (folded[i] && keepdims) shape.push_back(1);
  }
  return {std::move(shape), ""};
}

InferredShape permuted(const FusionGraph& graph, const FusionOp& op) {
  const Shape& operand = operand_shape(graph, op, 0);
  const std::vector<int64_t>* perm = op.ints("perm");
  if (perm == nullptr) return {Shape(operand.rbegin(), operand.rend()), ""};
  std::vector<bool> used(operand.size(), false);
  Shape shape;
  for (const int64_t axis : *perm) {
    const std::optional<size_t> at = normal_axis(axis, operand.size());
    if (!at) return axis_outside(axis, operand);
    if (used[*at]) return contradiction("perm names axis " + std::to_string(axis) + " twice");
    used[*at] = true;
    shape.push_back(operand[*at]);
  }
  if (shape.size() != operand.size()) {
    return contradiction("perm names " + std::to_string(shape.size()) + " of the operand's " +
                         std::to_string(operand.size()) + " dimensions");
  }
  return {std::move(shape), ""};
}

InferredShape concatenated(const FusionGraph& graph, const FusionOp& op) {
  const AttributeValue* given = op.attribute("axis");
  const int64_t* axis = given == nullptr ? nullptr : std::get_if<int64_t>(given);
  Shape shape = operand_shape(graph, op, 0);
  if (given != nullptr && axis == nullptr) return {};
  const std::optional<size_t> at = normal_axis(axis == nullptr ? 0 : *axis, shape.size());
  if (!at) return axis_outside(axis == nullptr ? 0 : *axis, shape);
  for (size_t i = 1; i < op.inputs.size(); ++i) {
    Shape other = operand_shape(graph, op, i);
    const uint64_t size = *at < other.size() ? other[*at] : 0;
    if (*at < other.size()) other[*at] = shape[*at];
    const std::optional<uint64_t> sum = checked_add(shape[*at], size);
    if (other != shape || !sum) {
      return contradiction("operand " + shape_text(operand_shape(graph, op, i)) +
                           " cannot be concatenated to " + shape_text(shape));
    }
    shape[*at] = *sum;
  }
  return {std::move(shape), ""};
}

InferredShape sliced(const FusionGraph& graph, const FusionOp& op) {
  const Shape& operand = operand_shape(graph, op, 0);
  const std::vector<int64_t>* starts = op.ints("starts");
  const std::vector<int64_t>* limits = op.ints("limits");
  const std::vector<int64_t>* strides = op.ints("strides");
  if (starts == nullptr || limits == nullptr) return {};
  if (starts->size() != operand.size() || limits->size() != operand.size() ||
      (strides != nullptr && strides->size() != operand.size())) {
    return contradiction("starts, limits and strides must name every dimension of " + shape_text(operand));
  }
  Shape shape;
  for (size_t i = 0; i < operand.size(); ++i) {
    const int64_t start = (*starts)[i], limit = (*limits)[i], stride = strides == nullptr ? 1 : (*strides)[i];
    if (start < 0 || limit < start || static_cast<uint64_t>(limit) > operand[i] || stride < 1) {
      return contradiction("[" + std::to_string(start) + ":" + std::to_string(limit) + ":" +
                           std::to_string(stride) + "] does not lie in dimension " + std::to_string(i) +
                           " of " + shape_text(operand));
    }
    const uint64_t length = static_cast<uint64_t>(limit - start);
    shape.push_back(length == 0 ? 0 : (length - 1) / static_cast<uint64_t>(stride) + 1);
  }
  return {std::move(shape), ""};
}

InferredShape padded(const FusionGraph& graph, const FusionOp& op) {
  const Shape& operand = operand_shape(graph, op, 0);
  const std::vector<int64_t>* low = op.ints("low");
  const std::vector<int64_t>* high = op.ints("high");
  const std::vector<int64_t>* interior = op.ints("interior");
  if (low == nullptr || high == nullptr) return {};
  if (low->size() != operand.size() || high->size() != operand.size() ||
      (interior != nullptr && interior->size() != operand.size())) {
    return contradiction("low, high and interior must name every dimension of " + shape_text(operand));
  }
  Shape shape;
  for (size_t i = 0; i < operand.size(); ++i) {
    const int64_t between = interior == nullptr ? 0 : (*interior)[i];
    __extension__ using Wide = __int128;
    const Wide gaps = operand[i] == 0 ? 0 : static_cast<Wide>(operand[i] - 1) * between;
    const Wide size = static_cast<Wide>(operand[i]) + gaps + (*low)[i] + (*high)[i];
    if (between < 0 || size < 0 || size > static_cast<Wide>(UINT64_MAX)) {
      return contradiction("padding leaves no valid size in dimension " + std::to_string(i) + " of " +
                           shape_text(operand));
    }
    shape.push_back(static_cast<uint64_t>(size));
  }
  return {std::move(shape), ""};
}

InferredShape multiplied(const FusionGraph& graph, const FusionOp& op) {
  if (op.inputs.size() != 2) return {};
  Shape a = operand_shape(graph, op, 0);
  Shape b = operand_shape(graph, op, 1);
  const auto mismatch = [&] {
    return contradiction("matmul of " + shape_text(operand_shape(graph, op, 0)) + " and " +
                         shape_text(operand_shape(graph, op, 1)) + " does not fit");
  };
  if (a.empty() || b.empty()) return mismatch();
  const bool vector_a = a.size() == 1;
  const bool vector_b = b.size() == 1;
  if (vector_a) a.insert(a.begin(), 1);
  if (vector_b) b.push_back(1);
  if (a.back() != b[b.size() - 2]) return mismatch();
  std::optional<Shape> shape =
      broadcast_shapes(std::span(a).first(a.size() - 2), std::span(b).first(b.size() - 2));
  if (!shape) return mismatch();
  if (!vector_a) shape->push_back(a[a.size() - 2]);
  if (!vector_b) shape->push_back(b.back());
  return {std::move(shape), ""};
}

/// Whether every operand stretches to the output of a Point.
std::string stretch_contradiction(const FusionGraph& graph, const FusionOp& op) {
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    if (broadcastable(operand_shape(graph, op, i), op.output_shape)) continue;
    return "operand " + std::to_string(i) + " of shape " + shape_text(operand_shape(graph, op, i)) +
           " does not stretch to " + shape_text(op.output_shape);
  }
  return "";
}

std::string view_contradiction(const FusionGraph& graph, const FusionOp& op) {
  const Shape& operand = operand_shape(graph, op, 0);
  const std::vector<int64_t>* axes = op.ints("axes");
  if (axes == nullptr) return stretch_contradiction(graph, op);
  bool fits = axes->size() == operand.size();
  std::vector<bool> used(op.output_shape.size(), false);  // in any order: a broadcast may permute
  for (size_t i = 0; fits && i < operand.size(); ++i) {
    const std::optional<size_t> at = normal_axis((*axes)[i], op.output_shape.size());
    fits = at && !used[*at] && (operand[i] == 1 || operand[i] == op.output_shape[*at]);
    if (fits) used[*at] = true;
  }
  if (fits) return "";
  return "axes do not lay " + shape_text(operand) + " onto " + shape_text(op.output_shape);
}

}  // namespace

InferredShape infer_shape(const FusionGraph& graph, const FusionOp& op) {
  if (op.inputs.empty()) return {};
  switch (op_info(op.kind).shape_rule) {
    case ShapeRule::Given:
    case ShapeRule::Stretch:
    case ShapeRule::Reshape:
      return {};
    case ShapeRule::First:
      return {operand_shape(graph, op, 0), ""};
    case ShapeRule::Broadcast:
      return broadcast_operands(graph, op);
    case ShapeRule::Reduce:
      return reduced(graph, op);
    case ShapeRule::Permute:
      return permuted(graph, op);
    case ShapeRule::Concat:
      return concatenated(graph, op);
    case ShapeRule::Slice:
      return sliced(graph, op);
    case ShapeRule::Pad:
      return padded(graph, op);
    case ShapeRule::MatMul:
      return multiplied(graph, op);
  }
  return {};
}

namespace {

/// torch.result_type over the operands from `first` on: a scalar (rank 0) counts only where its class is
/// above that of all operands with dimensions, or those are bool.
std::optional<DType> promote_operands(const FusionGraph& graph, const FusionOp& op, size_t first) {
  std::optional<DType> with_dims;
  std::optional<DType> scalars;
  for (size_t i = first; i < op.inputs.size(); ++i) {
    const FusionOp& operand = graph.op(op.inputs[i]);
    std::optional<DType>& into = operand.output_shape.empty() ? scalars : with_dims;
    into = into ? promote(*into, operand.dtype) : operand.dtype;
  }
  if (!with_dims || !scalars) return with_dims ? with_dims : scalars;
  const DTypeClass dims_class = dtype_class(*with_dims);
  const DTypeClass scalar_class = dtype_class(*scalars);
  const bool scalar_counts = scalar_class == DTypeClass::Foreign || dims_class == DTypeClass::Bool ||
                             (scalar_class == DTypeClass::Float && dims_class != DTypeClass::Float &&
                              dims_class != DTypeClass::Foreign);
  return scalar_counts ? promote(*with_dims, *scalars) : *with_dims;
}

/// Of a fold that names its reducer: places are counted, a mean of integers is none, a sum of truths counts
/// them (as in PyTorch).
DType fold_dtype(const FusionOp& op, DType operand) {
  const AttributeValue* named = op.attribute("reducer");
  const std::string* reducer = named == nullptr ? nullptr : std::get_if<std::string>(named);
  if (reducer == nullptr) return operand;
  if (*reducer == "argmax" || *reducer == "argmin") return DType::i64;
  if (*reducer == "any" || *reducer == "all") return DType::boolean;
  const DTypeClass kind = dtype_class(operand);
  const bool divides = kind == DTypeClass::Float || kind == DTypeClass::Foreign;
  if (*reducer == "mean") return divides ? operand : DType::f32;
  const bool counts = kind == DTypeClass::Bool && (*reducer == "sum" || *reducer == "prod");
  return counts ? DType::i64 : operand;
}

}  // namespace

std::optional<DType> infer_dtype(const FusionGraph& graph, const FusionOp& op) {
  const auto operand = [&](size_t i) { return graph.op(op.inputs[i]).dtype; };
  const auto promoted = [&](size_t first) { return promote_operands(graph, op, first); };
  switch (op_info(op.kind).dtype_rule) {
    case DTypeRule::Given:
      return std::nullopt;
    case DTypeRule::Bool:
      return DType::boolean;
    case DTypeRule::First:
      if (op.inputs.empty()) return std::nullopt;
      return op.op_class() == OpClass::Reduce ? fold_dtype(op, operand(0)) : operand(0);
    case DTypeRule::Promote:
      return promoted(0);
    case DTypeRule::Select:
      return promoted(1);
    case DTypeRule::Clamp:
      return op.inputs.size() == 3 ? std::optional(operand(1)) : promoted(0);
    case DTypeRule::Float: {
      const std::optional<DType> out = promoted(0);
      const bool number =
          out && dtype_class(*out) != DTypeClass::Float && dtype_class(*out) != DTypeClass::Foreign;
      return number ? DType::f32 : out;
    }
  }
  return std::nullopt;
}

DType computing_dtype(const FusionGraph& graph, const FusionOp& op) {
  if (op.inputs.empty()) return op.dtype;
  const DTypeRule rule = op_info(op.kind).dtype_rule;
  if (rule == DTypeRule::First) return graph.op(op.inputs[0]).dtype;
  const bool skips_first = rule == DTypeRule::Select && op.inputs.size() > 1;
  const DType promoted = promote_operands(graph, op, skips_first ? 1 : 0).value_or(op.dtype);
  const DTypeClass kind = dtype_class(promoted);
  if (rule != DTypeRule::Float || kind == DTypeClass::Float || kind == DTypeClass::Foreign) return promoted;
  return dtype_class(op.dtype) == DTypeClass::Float ? op.dtype : DType::f32;
}

std::string shape_contradiction(const FusionGraph& graph, const FusionOp& op) {
  if (op.inputs.empty() || !op.has_arity()) return "";
  const ShapeRule rule = op_info(op.kind).shape_rule;
  if (rule == ShapeRule::Broadcast) return stretch_contradiction(graph, op);
  if (rule == ShapeRule::Stretch) return view_contradiction(graph, op);
  if (rule == ShapeRule::Reshape) {
    const Shape& operand = operand_shape(graph, op, 0);
    if (element_count(operand) == element_count(op.output_shape)) return "";
    const std::optional<uint64_t> bytes = tensor_bytes(operand, graph.op(op.inputs[0]).dtype_bytes);
    if (op.attribute("relayout") != nullptr && bytes == tensor_bytes(op.output_shape, op.dtype_bytes))
      return "";
    return shape_text(operand) + " has another number of elements than " + shape_text(op.output_shape);
  }
  if (op_info(op.kind).op_class == OpClass::Opaque)
    return "";  // libraries batch and broadcast by rules of their own
  const InferredShape inferred = infer_shape(graph, op);
  if (!inferred.contradiction.empty()) return inferred.contradiction;
  if (!inferred.shape || *inferred.shape == op.output_shape) return "";
  return "its operands give " + shape_text(*inferred.shape) + ", not " + shape_text(op.output_shape);
}

}  // namespace fuseboard
