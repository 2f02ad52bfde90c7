// Asking the rule of a Move, and following views down to storages.
// It must not know kernels, nor how PTX is run.
#include "verify/moved_from.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "graph/attribute_use.h"
#include "graph/evaluate.h"
#include "graph/storage.h"
#include "launch/loop_schedule.h"
#include "launch/move_parts.h"

namespace fuseboard {
namespace {

/// The element of any value at an offset, seen through the views before it.
StoredElement stored_element(const FusionGraph& graph, uint32_t op, uint64_t offset) {
  while (is_seen_through(graph.op(op))) {
    offset = operand_offset(graph, op, 0, offset).value_or(0);
    op = graph.op(op).inputs[0];
  }
  return {op, is_immediate(graph.op(op)) ? 0 : offset};
}

/// NumPy's take; an index outside is the nearest one inside.
MovedFrom taken_from(const FusionGraph& graph, const TensorValues& values, const FusionOp& op,
                     uint64_t offset) {
  const Shape& operand = graph.op(op.inputs[0]).output_shape;
  const FusionOp& indices = graph.op(op.inputs[1]);
  const size_t axis = move_axis(op, operand.size());
  uint64_t inner = 1;
  for (size_t k = axis + 1; k < operand.size(); ++k) inner *= operand[k];
  const uint64_t places = element_count(indices.output_shape).value_or(1);
  MovedFrom from;
  from.index = stored_element(graph, op.inputs[1], offset / inner % places);
  const uint64_t bits = bits_of(graph, values, *from.index);
  std::array<uint8_t, 8> bytes{};
  std::memcpy(bytes.data(), &bits, sizeof bits);
  const uint64_t given = element_from_bytes(indices.dtype, bytes.data()).bits;
  uint64_t index = std::min(given, operand[axis] - 1);
  if (dtype_class(indices.dtype) == DTypeClass::Signed && static_cast<int64_t>(given) < 0) {
    const uint64_t back = 0 - given;  // counted from the end
    index = back > operand[axis] ? 0 : operand[axis] - back;
  }
  const uint64_t taken = (offset / inner / places * operand[axis] + index) * inner + offset % inner;
  from.source = stored_element(graph, op.inputs[0], taken);
  return from;
}

}  // namespace

MovedFrom moved_from(const FusionGraph& graph, const TensorValues& values, uint32_t id, uint64_t offset) {
  const FusionOp& op = graph.op(id);
  if (op.kind == OpKind::gather) return taken_from(graph, values, op, offset);
  MovedFrom from;
  for (uint32_t i = 0; i < op.inputs.size(); ++i) {
    const std::optional<uint64_t> at = operand_offset(graph, id, i, offset);
    if (!at) continue;
    from.source = stored_element(graph, op.inputs[i], *at);
    from.is_filler = op.kind == OpKind::pad && i == 1;
    break;
  }
  return from;
}

std::optional<StoredElement> filler_of(const FusionGraph& graph, uint32_t id) {
  const FusionOp& op = graph.op(id);
  if (op.kind != OpKind::pad) return std::nullopt;
  return stored_element(graph, op.inputs[1], 0);
}

uint64_t bits_of(const FusionGraph& graph, const TensorValues& values, const StoredElement& element) {
  const FusionOp& storage = graph.op(element.storage);
  if (!is_immediate(storage)) {
    return values.bits(element.storage, element.offset, dtype_bytes(storage.dtype));
  }
  std::array<uint8_t, 8> bytes{};
  element_to_bytes(storage.dtype, known_value(storage).value_or(Element{}), bytes.data());
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), sizeof bits);
  return bits;
}

}  // namespace fuseboard
