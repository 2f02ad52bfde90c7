// One function a kind of Move: strides in the operand and in the result.
// It must not know how the boxes are walked.
#include "launch/move_parts.h"

#include <optional>

#include "graph/infer.h"
#include "launch/names.h"

namespace fuseboard {
namespace {

/// A Move indexes and pads within this; offsets then fit 64 bits with room.
constexpr int64_t kMostPadding = int64_t{1} << 40;

size_t normal_axis(int64_t axis, size_t rank) {
  return static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(rank) : axis);
}

std::vector<uint64_t> strides_of(const Shape& shape) {
  std::vector<uint64_t> strides(shape.size(), 1);
  for (size_t k = shape.size(); k-- > 1;) strides[k - 1] = strides[k] * shape[k];
  return strides;
}

/// A part over a whole shape that lies in the result as it is, each element read at 0.
MovePart whole(const Shape& shape) {
  MovePart part;
  const std::vector<uint64_t> to = strides_of(shape);
  for (size_t k = 0; k < shape.size(); ++k) part.dims.push_back({shape[k], 0, to[k], {}});
  return part;
}

MovePart transposed(const FusionOp& op, const Shape& operand) {
  MovePart part = whole(op.output_shape);
  const std::vector<uint64_t> strides = strides_of(operand);
  const std::vector<int64_t>* perm = op.ints("perm");
  for (size_t k = 0; k < part.dims.size(); ++k) {
    part.dims[k].from =
        strides[perm == nullptr ? operand.size() - 1 - k : normal_axis((*perm)[k], operand.size())];
  }
  return part;
}

MovePart reversed(const FusionOp& op) {
  MovePart part = whole(op.output_shape);
  const std::vector<int64_t>* axes = op.ints("axes");
  std::vector<bool> turned(part.dims.size(), axes == nullptr);
  for (size_t i = 0; axes != nullptr && i < axes->size(); ++i) {
    turned[normal_axis((*axes)[i], turned.size())] = true;
  }
  for (size_t k = 0; k < part.dims.size(); ++k) {
    MoveDim& dim = part.dims[k];
    dim.from = turned[k] ? 0 - dim.to : dim.to;
    if (turned[k]) part.from += (dim.extent - 1) * dim.to;
  }
  return part;
}

MovePart sliced(const FusionOp& op, const Shape& operand) {
  MovePart part = whole(op.output_shape);
  const std::vector<uint64_t> strides = strides_of(operand);
  const std::vector<int64_t>& starts = *op.ints("starts");
  const std::vector<int64_t>* steps = op.ints("strides");
  for (size_t k = 0; k < part.dims.size(); ++k) {
    part.dims[k].from = strides[k] * static_cast<uint64_t>(steps == nullptr ? 1 : (*steps)[k]);
    part.from += strides[k] * static_cast<uint64_t>(starts[k]);
  }
  return part;
}

MovePart padded(const FusionOp& op, const Shape& operand) {
  MovePart part = whole(op.output_shape);
  const std::vector<uint64_t> strides = strides_of(operand);
  const std::vector<int64_t>& low = *op.ints("low");
  const std::vector<int64_t>* interior = op.ints("interior");
  for (size_t k = 0; k < part.dims.size(); ++k) {
    MoveDim& dim = part.dims[k];
    if (operand[k] == 0) {  // nothing but padding
      part = whole(op.output_shape);
      part.operand = 1;
      part.is_splat = true;
      return part;
    }
    dim.from = strides[k];
    const uint64_t step = 1 + static_cast<uint64_t>(interior == nullptr ? 0 : (*interior)[k]);
    if (low[k] == 0 && dim.extent == operand[k] && (step == 1 || dim.extent == 1)) continue;
    dim.padding = MovePadding{static_cast<uint64_t>(low[k]), step, (operand[k] - 1) * step + 1};
  }
  return part;
}

std::vector<MovePart> concatenated(const FusionGraph& graph, const FusionOp& op) {
  const size_t along = move_axis(op, op.output_shape.size());
  const std::vector<uint64_t> to = strides_of(op.output_shape);
  std::vector<MovePart> parts;
  uint64_t before = 0;
  for (uint32_t i = 0; i < op.inputs.size(); ++i) {
    const Shape& operand = graph.op(op.inputs[i]).output_shape;
    const std::vector<uint64_t> from = strides_of(operand);
    MovePart part;
    part.operand = i;
    part.to = before * to[along];
    for (size_t k = 0; k < operand.size(); ++k) part.dims.push_back({operand[k], from[k], to[k], {}});
    before += operand[along];
    if (element_count(operand).value_or(0) != 0) parts.push_back(std::move(part));
  }
  return parts;
}

MovePart gathered(const FusionGraph& graph, const FusionOp& op) {
  const Shape& operand = graph.op(op.inputs[0]).output_shape;
  const size_t axis = move_axis(op, operand.size());
  const std::vector<uint64_t> strides = strides_of(operand);
  const uint64_t inner = strides[axis];
  const uint64_t places = element_count(graph.op(op.inputs[1]).output_shape).value_or(0);
  uint64_t outer = 1;
  for (size_t k = 0; k < axis; ++k) outer *= operand[k];
  MovePart part;
  part.dims.push_back({outer, operand[axis] * inner, places * inner, {}});
  part.dims.push_back({places, 0, inner, {}});
  part.dims.push_back({inner, 1, 1, {}});
  return part;
}

std::string shape_fault(const FusionGraph& graph, const FusionOp& op) {
  const InferredShape inferred = infer_shape(graph, op);
  if (!inferred.contradiction.empty()) return "does not fit its operands: " + inferred.contradiction;
  if (!inferred.shape) return "lacks attributes that its shape depends on";
  if (*inferred.shape == op.output_shape) return {};
  return "has shape " + comment_of(shape_text(op.output_shape), 60) + ", but its operands give " +
         comment_of(shape_text(*inferred.shape), 60);
}

std::string gather_fault(const FusionGraph& graph, const FusionOp& op) {
  const Shape& operand = graph.op(op.inputs[0]).output_shape;
  const FusionOp& indices = graph.op(op.inputs[1]);
  const AttributeValue* given = op.attribute("axis");
  const int64_t* attribute = given == nullptr ? nullptr : std::get_if<int64_t>(given);
  const auto rank = static_cast<int64_t>(operand.size());
  if (attribute == nullptr || *attribute < -rank || *attribute >= rank) {
    return "has an axis that is none of its operand's";
  }
  const DTypeClass index_class = dtype_class(indices.dtype);
  if (index_class != DTypeClass::Signed && index_class != DTypeClass::Unsigned) {
    return "has indices of dtype " + comment_of(indices.dtype_name(), 20) + ", which are no integers";
  }
  const size_t axis = normal_axis(*attribute, operand.size());
  Shape expected(operand.begin(), operand.begin() + static_cast<int64_t>(axis));
  expected.insert(expected.end(), indices.output_shape.begin(), indices.output_shape.end());
  expected.insert(expected.end(), operand.begin() + static_cast<int64_t>(axis) + 1, operand.end());
  if (expected != op.output_shape) {
    return "has shape " + comment_of(shape_text(op.output_shape), 60) + ", but its operands give " +
           comment_of(shape_text(expected), 60);
  }
  if (operand[axis] == 0) return "takes elements of an operand that has none";
  return {};
}

std::string padding_fault(const FusionGraph& graph, const FusionOp& op) {
  const Shape& operand = graph.op(op.inputs[0]).output_shape;
  const std::vector<int64_t>& low = *op.ints("low");
  const std::vector<int64_t>* interior = op.ints("interior");
  for (size_t k = 0; k < operand.size(); ++k) {
    const int64_t between = interior == nullptr ? 0 : (*interior)[k];
    const bool fits =
        low[k] > -kMostPadding && low[k] < kMostPadding && between < kMostPadding &&
        operand[k] < static_cast<uint64_t>(kMostPadding) &&
        (between == 0 || operand[k] < (uint64_t{1} << 62) / (1 + static_cast<uint64_t>(between)));
    if (!fits) return "pads by more than a kernel can index";
  }
  if (element_count(graph.op(op.inputs[1]).output_shape).value_or(0) == 0) {
    return "pads with " + comment_of(graph.name_of(op.inputs[1]), 40) + ", which has no elements";
  }
  return {};
}

}  // namespace

size_t move_axis(const FusionOp& op, size_t rank) {
  const AttributeValue* given = op.attribute("axis");
  const int64_t* axis = given == nullptr ? nullptr : std::get_if<int64_t>(given);
  return normal_axis(axis == nullptr ? 0 : *axis, rank);
}

std::string move_fault(const FusionGraph& graph, uint32_t id) {
  const FusionOp& op = graph.op(id);
  if (op.kind == OpKind::gather) return gather_fault(graph, op);
  std::string fault = shape_fault(graph, op);
  if (fault.empty() && op.kind == OpKind::reverse) {  // its axes do not tell its shape
    const std::vector<int64_t>* axes = op.ints("axes");
    const auto rank = static_cast<int64_t>(op.output_shape.size());
    for (size_t i = 0; axes != nullptr && i < axes->size(); ++i) {
      if ((*axes)[i] < -rank || (*axes)[i] >= rank) fault = "has axes that are none of its operand's";
    }
  }
  if (fault.empty() && op.kind == OpKind::pad) fault = padding_fault(graph, op);
  return fault;
}

std::vector<MovePart> move_parts(const FusionGraph& graph, uint32_t id) {
  const FusionOp& op = graph.op(id);
  const Shape& operand = graph.op(op.inputs[0]).output_shape;
  if (op.kind == OpKind::gather) return {gathered(graph, op)};
  switch (op_info(op.kind).shape_rule) {
    case ShapeRule::Permute:
      return {transposed(op, operand)};
    case ShapeRule::First:
      return {reversed(op)};
    case ShapeRule::Slice:
      return {sliced(op, operand)};
    case ShapeRule::Pad:
      return {padded(op, operand)};
    case ShapeRule::Concat:
      return concatenated(graph, op);
    case ShapeRule::Given:
    case ShapeRule::Broadcast:
    case ShapeRule::Stretch:
    case ShapeRule::Reshape:
    case ShapeRule::Reduce:
    case ShapeRule::MatMul:
      break;
  }
  return {};
}

}  // namespace fuseboard
