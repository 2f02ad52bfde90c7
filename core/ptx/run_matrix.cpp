// ldmatrix, stmatrix, movmatrix: 8 by 8 matrices of 16-bit elements, two neighbours a lane.
// It must not know what is computed of them.
#include "ptx/integer_lanes.h"
#include "ptx/launch_state.h"
#include "ptx/memory_access.h"
#include "ptx/warp_sync.h"

namespace fuseboard::ptx {
namespace {

constexpr uint32_t kRow = 16;  // bytes: 8 elements

/// The element (row, column) that a lane holds in half `n` of its register (PTX ISA, ldmatrix).
struct Element {
  uint32_t row, column;
};
Element element_of(uint32_t lane, uint32_t n, bool transposed) {
  const uint32_t row = lane / 4, column = lane % 4 * 2 + n;
  return transposed ? Element{column, row} : Element{row, column};
}

bool whole_warp(Execution& x, const MicroOp& op) {
  if (x.active == kAllLanes) return true;
  x.fault(op, FaultKind::barrier, first_lane(x.active),
          "Not all threads of the warp are here, as this instruction wants.");
  return false;
}

/// Lane 8 m + r has the address of row r of matrix m.
Flow run_load_matrix(Execution& x, const MicroOp& op) {
  if (!whole_warp(x, op)) return Flow::fault;
  find_addresses(x, op, 0, op.immediate);
  const uint32_t lanes = x.active;
  alignas(64) std::array<uint8_t, kRow * kLanes> rows{};
  LaneAccess access;
  access.space = static_cast<StateSpace>(op.mode);
  access.bytes = kRow;
  x.active = op.list_count == 4 ? kAllLanes : (1U << (8 * op.list_count)) - 1;
  if (load_lanes(x, op, access, kRow, rows.data()) == Flow::fault) return Flow::fault;
  x.active = lanes;
  for (uint32_t m = 0; m < op.list_count; ++m) {
    alignas(64) std::array<uint32_t, kLanes> values{};
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      for (uint32_t n = 0; n < 2; ++n) {
        const Element at = element_of(lane, n, op.size != 0);
        uint16_t value = 0;
        std::memcpy(&value, rows.data() + (8 * m + at.row) * kRow + at.column * 2, 2);
        values[lane] |= static_cast<uint32_t>(value) << (16 * n);
      }
    keep(x, x.program->lists[op.list + m].slot, values.data());
  }
  return Flow::next;
}

Flow run_store_matrix(Execution& x, const MicroOp& op) {
  if (!whole_warp(x, op)) return Flow::fault;
  find_addresses(x, op, 0, op.immediate);
  const uint32_t lanes = x.active;
  alignas(64) std::array<uint8_t, kRow * kLanes> rows{};
  for (uint32_t m = 0; m < op.list_count; ++m) {
    const LaneSource<uint32_t> values(x, x.program->lists[op.list + m].slot);
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      for (uint32_t n = 0; n < 2; ++n) {
        const Element at = element_of(lane, n, op.size != 0);
        const auto value = static_cast<uint16_t>(values[lane] >> (16 * n));
        std::memcpy(rows.data() + (8 * m + at.row) * kRow + at.column * 2, &value, 2);
      }
  }
  LaneAccess access;
  access.space = static_cast<StateSpace>(op.mode);
  access.bytes = kRow;
  x.active = op.list_count == 4 ? kAllLanes : (1U << (8 * op.list_count)) - 1;
  const Flow flow = store_lanes(x, op, access, kRow, rows.data());
  x.active = lanes;
  return flow;
}

/// The transpose across the warp's registers.
Flow run_move_matrix(Execution& x, const MicroOp& op) {
  if (!whole_warp(x, op)) return Flow::fault;
  const LaneSource<uint32_t> from(x, op.s[0]);
  alignas(64) std::array<uint32_t, kLanes> values{};
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    for (uint32_t n = 0; n < 2; ++n) {
      const Element at = element_of(lane, n, true);
      const uint32_t source = from[at.row * 4 + at.column / 2] >> (16 * (at.column % 2)) & 0xffff;
      values[lane] |= source << (16 * n);
    }
  keep(x, op.d, values.data());
  return Flow::next;
}

}  // namespace

void bind_matrix(Binding& b) {
  MicroOp& op = b.op;
  if (b.i.opcode == Opcode::movmatrix) {
    b.same(Type::b32);
    op.run = run_move_matrix;
    return;
  }
  const bool is_store = b.i.opcode == Opcode::stmatrix;
  if (!is_store && b.i.opcode != Opcode::ldmatrix) return;
  if (!b.has(Modifier::m8n8)) return;
  StateSpace space = b.i.space;
  b.address(b.operand(is_store ? 0 : 1), 0, space);
  const Operand& vector = b.operand(is_store ? 1 : 0);
  const uint32_t count = b.has(Modifier::x4) ? 4 : b.has(Modifier::x2) ? 2 : 1;
  if ((vector.kind == OperandKind::vector ? vector.count : 1) != count) return b.refuse();
  std::vector<ListSlot> slots;
  for (uint32_t n = 0; n < count; ++n) {
    const Operand& one = vector.kind == OperandKind::vector ? b.element(vector, n) : vector;
    slots.push_back({is_store ? b.source(one, Type::b32) : b.destination(one, Type::b32), 4});
  }
  op.list = b.list(slots);
  op.list_count = static_cast<uint8_t>(count);
  op.mode = static_cast<uint8_t>(space);
  op.size = b.has(Modifier::trans) ? 1 : 0;
  op.run = is_store ? run_store_matrix : run_load_matrix;
}

}  // namespace fuseboard::ptx
