// Asking the rule of a Move for each element that was stored.
// It must not know how the kernel walks, nor how PTX is run.
#include "verify/move_check.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "graph/attribute_use.h"
#include "graph/evaluate.h"
#include "graph/storage.h"
#include "launch/loop_schedule.h"
#include "launch/move_parts.h"
#include "verify/register_value.h"

namespace fuseboard {
namespace {

/// The element of any value at an offset, seen through the views before it.
uint64_t bits_at(const FusionGraph& graph, const TensorValues& values, uint32_t op, uint64_t offset) {
  while (is_seen_through(graph.op(op))) {
    offset = operand_offset(graph, op, 0, offset).value_or(0);
    op = graph.op(op).inputs[0];
  }
  const FusionOp& storage = graph.op(op);
  if (!is_immediate(storage)) return values.bits(op, offset, dtype_bytes(storage.dtype));
  std::array<uint8_t, 8> bytes{};
  element_to_bytes(storage.dtype, known_value(storage).value_or(Element{}), bytes.data());
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), sizeof bits);
  return bits;
}

/// NumPy's take; an index outside is the nearest one inside.
uint64_t taken_offset(const FusionGraph& graph, const TensorValues& values, const FusionOp& op,
                      uint64_t offset) {
  const Shape& operand = graph.op(op.inputs[0]).output_shape;
  const FusionOp& indices = graph.op(op.inputs[1]);
  const size_t axis = move_axis(op, operand.size());
  uint64_t inner = 1;
  for (size_t k = axis + 1; k < operand.size(); ++k) inner *= operand[k];
  const uint64_t places = element_count(indices.output_shape).value_or(1);
  const uint64_t bits = bits_at(graph, values, op.inputs[1], offset / inner % places);
  std::array<uint8_t, 8> bytes{};
  std::memcpy(bytes.data(), &bits, sizeof bits);
  const uint64_t given = element_from_bytes(indices.dtype, bytes.data()).bits;
  const uint64_t last = operand[axis] - 1;
  uint64_t index = std::min(given, last);
  if (dtype_class(indices.dtype) == DTypeClass::Signed && static_cast<int64_t>(given) < 0) {
    const uint64_t back = 0 - given;  // counted from the end
    index = back > operand[axis] ? 0 : operand[axis] - back;
  }
  return (offset / inner / places * operand[axis] + index) * inner + offset % inner;
}

}  // namespace

uint64_t moved_bits(const FusionGraph& graph, const TensorValues& values, uint32_t id, uint64_t offset) {
  const FusionOp& op = graph.op(id);
  if (op.kind == OpKind::gather)
    return bits_at(graph, values, op.inputs[0], taken_offset(graph, values, op, offset));
  for (uint32_t i = 0; i < op.inputs.size(); ++i) {
    const std::optional<uint64_t> from = operand_offset(graph, id, i, offset);
    if (from) return bits_at(graph, values, op.inputs[i], *from);
  }
  return 0;
}

MoveCheck::MoveCheck(const MoveCheckSetup& setup)
    : setup_(setup),
      element_bytes_(dtype_bytes(setup.graph.op(setup.op).dtype)),
      address_(setup.memory.address(setup.buffer)) {
  for (const ptx::Instruction& each : setup.entry.instructions) {
    const bool is_store = each.opcode == ptx::Opcode::st && each.space != ptx::StateSpace::shared;
    if (is_store) lines_.push_back(each.line);
  }
}

void MoveCheck::fail(Mismatch::What what, uint64_t element, uint32_t line, std::string message) {
  Mismatch found;
  found.what = what;
  found.op = setup_.op;
  found.element = element;
  found.line = line;
  found.message = std::move(message);
  mismatch_ = std::move(found);
}

void MoveCheck::hold(uint64_t address, uint32_t bytes, uint32_t line) {
  const FusionOp& op = setup_.graph.op(setup_.op);
  const uint64_t first = address - address_;
  if (address < address_ || first % element_bytes_ != 0 || bytes % element_bytes_ != 0) {
    return fail(Mismatch::What::store, 0, line, "a store begins or ends within an element");
  }
  for (uint64_t at = first; at < first + bytes; at += element_bytes_) {
    uint64_t got = 0;
    std::array<uint8_t, 8> stored{};
    setup_.memory.read(setup_.buffer, at, std::span(stored).first(element_bytes_));
    std::memcpy(&got, stored.data(), sizeof got);
    const uint64_t element = at / element_bytes_;
    const uint64_t expected = moved_bits(setup_.graph, setup_.values, setup_.op, element);
    ++stored_;
    if (got == expected) {
      ++held_;
      continue;
    }
    std::array<uint8_t, 8> wanted{};
    std::memcpy(wanted.data(), &expected, sizeof expected);
    fail(Mismatch::What::value, element, line, "");
    mismatch_->expected = element_text(op.dtype, element_from_bytes(op.dtype, wanted.data()));
    mismatch_->got = element_text(op.dtype, element_from_bytes(op.dtype, stored.data()));
    mismatch_->message = setup_.graph.name_of(setup_.op) + coordinates_text(op.output_shape, element) +
                         " is " + mismatch_->got + ", but the element that it moves is " +
                         mismatch_->expected;
    return;
  }
}

void MoveCheck::executed(const ptx::WarpView& warp, uint32_t index) {
  const ptx::Instruction& store = setup_.entry.instructions[index];
  const uint32_t bytes = ptx::type_bits(store.type()) / 8 * store.vector;
  for (uint32_t lane = 0; lane < ptx::kWarp && !mismatch_; ++lane) {
    if ((warp.active() >> lane & 1) != 0) hold(warp.addresses()[lane], bytes, store.line);
  }
}

}  // namespace fuseboard
