// One function a rule of shapes: what is cut off or padded gets smaller with the operand.
// It must not know groups, nor kernels.
#include "verify/move_shrinker.h"

#include <algorithm>
#include <vector>

#include "graph/infer.h"
#include "launch/move_parts.h"

namespace fuseboard {
namespace {

constexpr int64_t kWhole = 16;  ///< the elements of the widest access
constexpr int64_t kMostInterior = 3;

int64_t lessened(int64_t width) {
  const int64_t size = width < 0 ? -width : width;
  const int64_t less = size <= kWhole ? size : kWhole + size % kWhole;
  return width < 0 ? -less : less;
}

std::vector<int64_t>* ints_of(FusionOp& op, std::string_view name) {
  for (Attribute& each : op.attributes) {
    if (each.name == name) return std::get_if<std::vector<int64_t>>(&each.value);
  }
  return nullptr;
}

void shrink_slice(FusionOp& op, const Shape& before, const Shape& now) {
  std::vector<int64_t>& starts = *ints_of(op, "starts");
  std::vector<int64_t>& limits = *ints_of(op, "limits");
  for (size_t k = 0; k < now.size(); ++k) {
    if (before[k] == now[k]) continue;
    const auto extent = static_cast<int64_t>(now[k]);
    const int64_t cut = (extent - 1) / 2;  // at most, at either end
    starts[k] = std::min(lessened(starts[k]), cut);
    limits[k] = extent - std::min(lessened(static_cast<int64_t>(before[k]) - limits[k]), cut);
  }
}

void shrink_pad(FusionOp& op, const Shape& before, const Shape& now) {
  for (const char* side : {"low", "high"}) {
    std::vector<int64_t>& widths = *ints_of(op, side);
    for (size_t k = 0; k < now.size(); ++k) {
      const int64_t crop =
          before[k] == now[k] ? static_cast<int64_t>(now[k]) : (static_cast<int64_t>(now[k]) - 1) / 2;
      widths[k] = std::max(lessened(widths[k]), -crop);
    }
  }
  std::vector<int64_t>* interior = ints_of(op, "interior");
  for (size_t k = 0; interior != nullptr && k < now.size(); ++k) {
    (*interior)[k] = std::min((*interior)[k], kMostInterior);
  }
}

Shape gathered_shape(const FusionGraph& graph, const FusionOp& op) {
  Shape shape = graph.op(op.inputs[0]).output_shape;
  const Shape& indices = graph.op(op.inputs[1]).output_shape;
  const auto axis = shape.begin() + static_cast<int64_t>(move_axis(op, shape.size()));
  shape.insert(shape.erase(axis), indices.begin(), indices.end());
  return shape;
}

size_t permuted_to(const FusionOp& op, size_t dim) {
  const size_t rank = op.output_shape.size();
  const std::vector<int64_t>* perm = op.ints("perm");
  for (size_t k = 0; perm != nullptr && k < perm->size(); ++k) {
    const int64_t from = (*perm)[k] < 0 ? (*perm)[k] + static_cast<int64_t>(rank) : (*perm)[k];
    if (from == static_cast<int64_t>(dim)) return k;
  }
  return rank - 1 - dim;
}

}  // namespace

std::optional<size_t> moved_dimension(const FusionOp& op, size_t input, size_t dim) {
  if (op.kind == OpKind::gather || input >= op.inputs.size()) return std::nullopt;
  switch (op_info(op.kind).shape_rule) {
    case ShapeRule::Permute:
      return permuted_to(op, dim);
    case ShapeRule::First:
      return dim;
    case ShapeRule::Concat:
      if (dim == move_axis(op, op.output_shape.size())) return std::nullopt;
      return dim;
    case ShapeRule::Slice:
    case ShapeRule::Pad:
    case ShapeRule::Given:
    case ShapeRule::Broadcast:
    case ShapeRule::Stretch:
    case ShapeRule::Reshape:
    case ShapeRule::Reduce:
    case ShapeRule::MatMul:
      break;
  }
  return std::nullopt;
}

bool shrink_move(FusionGraph& graph, uint32_t id, const FusionGraph& before, const FusionOp& was) {
  FusionOp& op = graph.op(id);
  op.attributes = was.attributes;
  const Shape& now = graph.op(op.inputs[0]).output_shape;
  const Shape& operand = before.op(was.inputs[0]).output_shape;
  if (op.kind == OpKind::gather) {
    op.output_shape = gathered_shape(graph, op);
    return true;
  }
  if (op_info(op.kind).shape_rule == ShapeRule::Slice) shrink_slice(op, operand, now);
  if (op_info(op.kind).shape_rule == ShapeRule::Pad) shrink_pad(op, operand, now);
  InferredShape inferred = infer_shape(graph, op);
  if (!inferred.shape || element_count(*inferred.shape).value_or(0) == 0) return false;
  op.output_shape = std::move(*inferred.shape);
  return true;
}

}  // namespace fuseboard
