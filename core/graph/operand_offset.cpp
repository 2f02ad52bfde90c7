// Which element of an operand an element of an op reads.
// It must not know values.
#include <algorithm>

#include "graph/evaluate.h"

namespace fuseboard {
namespace {

size_t normal_axis(int64_t axis, size_t rank) {
  return static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(rank) : axis);
}

/// Elements between neighbours along a dimension.
uint64_t stride_of(const Shape& shape, size_t dimension) {
  uint64_t stride = 1;
  for (size_t i = dimension + 1; i < shape.size(); ++i) stride *= shape[i];
  return stride;
}

/// Trailing dimensions meet; those of 1 stretch.
uint64_t stretched(const Shape& shape, const Shape& operand, uint64_t offset) {
  uint64_t out = 0;
  uint64_t stride = 1;
  for (size_t i = 0; i < operand.size() && i < shape.size(); ++i) {
    const uint64_t extent = shape[shape.size() - 1 - i];
    const uint64_t own = operand[operand.size() - 1 - i];
    if (own != 1) out += offset % extent * stride;
    offset /= extent;
    stride *= own;
  }
  return out;
}

/// For each dimension of the output, outermost last, `visit(dimension, index)`.
template <class Visit>
void for_each_index(const Shape& shape, uint64_t offset, Visit visit) {
  for (size_t k = shape.size(); k-- > 0;) {
    visit(k, offset % shape[k]);
    offset /= shape[k];
  }
}

/// Operand dimension i is dimension axes[i] of the output.
uint64_t laid_out(const Shape& shape, const Shape& operand, const std::vector<int64_t>& axes,
                  uint64_t offset) {
  uint64_t out = 0;
  for_each_index(shape, offset, [&](size_t k, uint64_t index) {
    for (size_t i = 0; i < axes.size() && i < operand.size(); ++i) {
      if (normal_axis(axes[i], shape.size()) == k && operand[i] != 1) out += index * stride_of(operand, i);
    }
  });
  return out;
}

uint64_t permuted(const Shape& shape, const Shape& operand, const std::vector<int64_t>* perm,
                  uint64_t offset) {
  uint64_t out = 0;
  for_each_index(shape, offset, [&](size_t k, uint64_t index) {
    const size_t from = perm == nullptr ? operand.size() - 1 - k : normal_axis((*perm)[k], operand.size());
    out += index * stride_of(operand, from);
  });
  return out;
}

uint64_t reversed(const Shape& shape, const std::vector<int64_t>* axes, uint64_t offset) {
  uint64_t out = 0;
  for_each_index(shape, offset, [&](size_t k, uint64_t index) {
    bool turned = axes == nullptr;
    for (size_t i = 0; axes != nullptr && i < axes->size(); ++i) {
      turned = turned || normal_axis((*axes)[i], shape.size()) == k;
    }
    out += (turned ? shape[k] - 1 - index : index) * stride_of(shape, k);
  });
  return out;
}

std::optional<uint64_t> concatenated(const FusionGraph& graph, const FusionOp& op, uint32_t input,
                                     uint64_t offset) {
  const AttributeValue* given = op.attribute("axis");
  const int64_t* axis = given == nullptr ? nullptr : std::get_if<int64_t>(given);
  const size_t along = normal_axis(axis == nullptr ? 0 : *axis, op.output_shape.size());
  uint64_t before = 0;
  for (uint32_t i = 0; i < input; ++i) before += graph.op(op.inputs[i]).output_shape[along];
  const Shape& operand = graph.op(op.inputs[input]).output_shape;
  uint64_t out = 0;
  bool is_own = true;
  for_each_index(op.output_shape, offset, [&](size_t k, uint64_t index) {
    if (k == along) is_own = index >= before && index - before < operand[k];
    out += (k == along ? index - before : index) * stride_of(operand, k);
  });
  return is_own ? std::optional(out) : std::nullopt;
}

std::optional<uint64_t> sliced(const FusionOp& op, const Shape& operand, uint64_t offset) {
  const std::vector<int64_t>* starts = op.ints("starts");
  const std::vector<int64_t>* strides = op.ints("strides");
  if (starts == nullptr) return std::nullopt;
  uint64_t out = 0;
  for_each_index(op.output_shape, offset, [&](size_t k, uint64_t index) {
    const uint64_t step = strides == nullptr ? 1 : static_cast<uint64_t>((*strides)[k]);
    out += (static_cast<uint64_t>((*starts)[k]) + index * step) * stride_of(operand, k);
  });
  return out;
}

/// Where the padded operand is read; nothing in the padding.
std::optional<uint64_t> padded(const FusionOp& op, const Shape& operand, uint64_t offset) {
  const std::vector<int64_t>* low = op.ints("low");
  const std::vector<int64_t>* interior = op.ints("interior");
  if (low == nullptr) return std::nullopt;
  uint64_t out = 0;
  bool is_padding = false;
  for_each_index(op.output_shape, offset, [&](size_t k, uint64_t index) {
    const int64_t at = static_cast<int64_t>(index) - (*low)[k];
    const int64_t step = 1 + (interior == nullptr ? 0 : (*interior)[k]);
    is_padding = is_padding || at < 0 || at % step != 0 || static_cast<uint64_t>(at / step) >= operand[k];
    if (!is_padding) out += static_cast<uint64_t>(at / step) * stride_of(operand, k);
  });
  return is_padding ? std::nullopt : std::optional(out);
}

}  // namespace

std::optional<uint64_t> operand_offset(const FusionGraph& graph, uint32_t id, uint32_t input,
                                       uint64_t offset) {
  const FusionOp& op = graph.op(id);
  const Shape& operand = graph.op(op.inputs[input]).output_shape;
  switch (op_info(op.kind).shape_rule) {
    case ShapeRule::Broadcast:
      return stretched(op.output_shape, operand, offset);
    case ShapeRule::Stretch:
      if (const std::vector<int64_t>* axes = op.ints("axes"))
        return laid_out(op.output_shape, operand, *axes, offset);
      return stretched(op.output_shape, operand, offset);
    case ShapeRule::Reshape:
      return offset;
    case ShapeRule::Permute:
      return permuted(op.output_shape, operand, op.ints("perm"), offset);
    case ShapeRule::Concat:
      return concatenated(graph, op, input, offset);
    case ShapeRule::Slice:
      return sliced(op, operand, offset);
    case ShapeRule::Pad: {
      const std::optional<uint64_t> at = padded(op, graph.op(op.inputs[0]).output_shape, offset);
      if (input == 0) return at;
      return at ? std::nullopt : std::optional<uint64_t>(0);
    }
    case ShapeRule::First:
      return op.op_class() == OpClass::Move ? reversed(op.output_shape, op.ints("axes"), offset) : offset;
    case ShapeRule::Given:
    case ShapeRule::Reduce:
    case ShapeRule::MatMul:
      break;
  }
  return std::nullopt;
}

}  // namespace fuseboard
