// Movement inside a warp's registers: mov with its packing, prmt, address conversions.
// It must not know memory, nor how warps run.
#include <algorithm>

#include "ptx/integer_lanes.h"

namespace fuseboard::ptx {
namespace {

template <class T>
Handler copy() {
  return lanes([](T x) { return x; });
}

Flow run_copy128(Execution& x, const MicroOp& op) {
  for (uint32_t i = 0; i < kLanes; ++i)
    if ((x.active & kLaneBits[i]) != 0) std::memmove(x.at(op.d) + 16 * i, x.at(op.s[0]) + 16 * i, 16);
  return Flow::next;
}

void bind_copy(Binding& b, const Operand& to, const Operand& from, Type type) {
  MicroOp& op = b.op;
  if (type == Type::pred) {
    op.d = b.predicate_destination(to);
    op.s[0] = b.predicate(from);
    op.run = lanes([](bool x) { return x; });
    return;
  }
  if (from.kind == OperandKind::special && to.kind == OperandKind::reg &&
      lane_bytes(b.register_type(to)) == lane_bytes(type)) {
    op.d = b.destination(to, type);
    op.target = from.index;
    op.size = static_cast<uint8_t>(lane_bytes(type));
    op.run = run_special_register;
    return;
  }
  op.d = b.destination(to, type);
  op.s[0] = b.source(from, type);
  op.run = type_bits(type) == 128 ? run_copy128 : type_bits(type) == 64 ? copy<uint64_t>() : copy<uint32_t>();
}

/// mov d, {a, b, ...}: the first element is the least significant. op.size bytes each of op.list_count.
Flow run_pack(Execution& x, const MicroOp& op) {
  const ListSlot* const parts = &x.program->lists[op.list];
  alignas(64) std::array<std::array<uint8_t, 16>, kLanes> values{};
  for (uint32_t n = 0; n < op.list_count; ++n) {
    const uint8_t* const from = x.at(parts[n].slot);
    for (uint32_t i = 0; i < kLanes; ++i)
      std::memcpy(values[i].data() + n * op.size, from + i * parts[n].bytes, op.size);
  }
  uint8_t* const to = x.at(op.d);
  const uint32_t bytes = op.mode;  // of a lane of d
  for (uint32_t i = 0; i < kLanes; ++i)
    if ((x.active & kLaneBits[i]) != 0) std::memcpy(to + i * bytes, values[i].data(), bytes);
  return Flow::next;
}

/// mov {a, b, ...}, s
Flow run_unpack(Execution& x, const MicroOp& op) {
  const ListSlot* const parts = &x.program->lists[op.list];
  const uint32_t bytes = op.mode;
  alignas(64) std::array<uint8_t, 16 * kLanes> values;
  std::memcpy(values.data(), x.at(op.s[0]), bytes * kLanes);
  for (uint32_t n = 0; n < op.list_count; ++n) {
    uint8_t* const to = x.at(parts[n].slot);
    for (uint32_t i = 0; i < kLanes; ++i) {
      if ((x.active & kLaneBits[i]) == 0) continue;
      uint64_t part = 0;
      std::memcpy(&part, values.data() + i * bytes + n * op.size, op.size);
      std::memcpy(to + i * parts[n].bytes, &part, parts[n].bytes);
    }
  }
  return Flow::next;
}

Type bits_type(uint32_t bits) {
  return bits == 8    ? Type::b8
         : bits == 16 ? Type::b16
         : bits == 32 ? Type::b32
         : bits == 64 ? Type::b64
                      : Type::b128;
}

void bind_packing(Binding& b, const Operand& vector, const Operand& whole, bool unpacks) {
  const Type type = b.i.type();
  MicroOp& op = b.op;
  const uint32_t bits = type_bits(type) / std::max<uint32_t>(vector.count, 1);
  if (bits < 8 || bits > 64 || bits * vector.count != type_bits(type)) return b.refuse();
  const Type part = bits_type(bits);
  std::vector<ListSlot> slots;
  for (uint32_t n = 0; n < vector.count; ++n) {
    const Operand& one = b.element(vector, n);
    const Slot slot = unpacks ? b.destination(one, part) : b.source(one, part);
    slots.push_back({slot, static_cast<uint8_t>(lane_bytes(part))});
  }
  op.list = b.list(slots);
  op.list_count = static_cast<uint8_t>(slots.size());
  op.size = static_cast<uint8_t>(bits / 8);
  op.mode = static_cast<uint8_t>(lane_bytes(type));
  if (unpacks)
    op.s[0] = b.source(whole, type);
  else
    op.d = b.destination(whole, type);
  op.run = unpacks ? run_unpack : run_pack;
  // The common ones, as vectors.
  if (!unpacks && vector.count == 2 && type_bits(type) == 32) {
    op.s[0] = slots[0].slot;
    op.s[1] = slots[1].slot;
    op.run = lanes([](uint32_t low, uint32_t high) { return (low & 0xffff) | high << 16; });
  }
  if (!unpacks && vector.count == 2 && type_bits(type) == 64) {
    op.s[0] = slots[0].slot;
    op.s[1] = slots[1].slot;
    op.run = lanes([](uint32_t low, uint32_t high) { return low | static_cast<uint64_t>(high) << 32; });
  }
}

uint32_t permuted(const MicroOp& op, uint32_t a, uint32_t b, uint32_t selector) {
  const uint64_t bytes = static_cast<uint64_t>(b) << 32 | a;
  const auto byte = [bytes](uint32_t n) { return static_cast<uint32_t>(bytes >> (8 * (n & 7)) & 0xff); };
  const uint32_t s = selector & 3;
  std::array<uint32_t, 4> from{};
  switch (op.mode) {
    case 0:
      for (uint32_t n = 0; n < 4; ++n) from[n] = selector >> (4 * n) & 15;
      break;
    case 1:
      from = {s, s + 1, s + 2, s + 3};
      break;  // f4e
    case 2:
      from = {s, s + 7, s + 6, s + 5};
      break;  // b4e
    case 3:
      from = {s, s, s, s};
      break;  // rc8
    case 4:
      from = {s, std::max(s, 1U), std::max(s, 2U), 3};
      break;  // ecl
    case 5:
      from = {0, std::min(s, 1U), std::min(s, 2U), s};
      break;  // ecr
    case 6:
      from = {s % 2 * 2, s % 2 * 2 + 1, s % 2 * 2, s % 2 * 2 + 1};
      break;  // rc16
  }
  uint32_t result = 0;
  for (uint32_t n = 0; n < 4; ++n) {
    uint32_t value = byte(from[n]);
    if (op.mode == 0 && (from[n] & 8) != 0) value = (value & 0x80) != 0 ? 0xff : 0;
    result |= value << (8 * n);
  }
  return result;
}

void bind_prmt(Binding& b) {
  MicroOp& op = b.op;
  b.same(Type::b32);
  constexpr Modifier kModes[] = {Modifier::f4e, Modifier::b4e, Modifier::rc8,
                                 Modifier::ecl, Modifier::ecr, Modifier::rc16};
  for (uint8_t n = 0; n < 6; ++n)
    if (b.has(kModes[n])) op.mode = static_cast<uint8_t>(n + 1);
  op.run = lanes([](const MicroOp& o, uint32_t x, uint32_t y, uint32_t z) { return permuted(o, x, y, z); });
}

uint64_t window_of(StateSpace space) {
  switch (space) {
    case StateSpace::shared:
      return kSharedWindow;
    case StateSpace::local:
      return kLocalWindow;
    case StateSpace::param:
      return kParamWindow;
    case StateSpace::generic:
    case StateSpace::global:
    case StateSpace::constant:
      break;
  }
  return 0;
}

void bind_cvta(Binding& b) {
  MicroOp& op = b.op;
  const Type type = b.i.type();
  op.d = b.destination(0, type);
  op.s[0] = b.source(1, type);
  const auto window = static_cast<int64_t>(window_of(b.i.space));
  if (type_bits(type) == 32) {
    if (window == 0) op.run = copy<uint32_t>();
    return;
  }
  op.immediate = b.has(Modifier::to) ? -window : window;
  op.run = lanes([](const MicroOp& o, uint64_t x) { return x + static_cast<uint64_t>(o.immediate); });
}

void bind_isspacep(Binding& b) {
  MicroOp& op = b.op;
  op.d = b.predicate_destination(0);
  op.s[0] = b.source(1, Type::u64);
  op.immediate = static_cast<int64_t>(window_of(b.i.space));
  if (b.i.space == StateSpace::constant) return;
  op.run = op.immediate != 0 ? lanes([](const MicroOp& o, uint64_t x) {
    return x - static_cast<uint64_t>(o.immediate) < kWindow;
  })
                             : lanes([](uint64_t x) { return x >= kFunctionWindow + kWindow; });
}

}  // namespace

void bind_move(Binding& b) {
  if (b.i.opcode == Opcode::prmt) return bind_prmt(b);
  if (b.i.opcode == Opcode::cvta) return bind_cvta(b);
  if (b.i.opcode == Opcode::isspacep) return bind_isspacep(b);
  if (b.i.opcode == Opcode::mapa || b.i.opcode == Opcode::getctarank) return;
  if (b.i.opcode != Opcode::mov) return;
  const Operand &to = b.operand(0), &from = b.operand(1);
  if (to.kind == OperandKind::vector && from.kind == OperandKind::vector) return b.refuse();
  if (to.kind == OperandKind::vector) return bind_packing(b, to, from, true);
  if (from.kind == OperandKind::vector) return bind_packing(b, from, to, false);
  bind_copy(b, to, from, b.i.type());
}

}  // namespace fuseboard::ptx
