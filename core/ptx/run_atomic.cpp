// atom and red: lane after lane, lowest first, each a load and a store that nobody comes between.
// It must not know spaces, nor how bytes are kept.
#include <algorithm>
#include <bit>

#include "ptx/float_bits.h"
#include "ptx/integer_lanes.h"
#include "ptx/launch_state.h"
#include "ptx/memory_access.h"
#include "ptx/rounding.h"

namespace fuseboard::ptx {
namespace {

using Operation = AtomicOperation;

template <uint32_t Bits>
uint64_t cut(uint64_t value) {
  return Bits == 64 ? value : value & ((uint64_t{1} << (Bits % 64)) - 1);
}
template <uint32_t Bits>
int64_t as_signed(uint64_t value) {
  return Bits == 64 ? static_cast<int64_t>(value) : static_cast<int64_t>(value << (64 - Bits)) >> (64 - Bits);
}

uint64_t add_half(uint64_t a, uint64_t b, FloatFormat format) {
  const auto wide = [&](uint64_t bits) {
    return format.fraction == kF16.fraction ? f64_of_f16(static_cast<uint32_t>(bits))
                                            : f64_of_bf16(static_cast<uint32_t>(bits));
  };
  const double sum = sum_to_odd(wide(a), wide(b));
  return sum != sum ? kNaN16 : rounded_to(sum, format, Rounding::nearest);
}
template <bool IsF16>
uint64_t half_add(uint64_t a, uint64_t b, uint64_t) {
  return add_half(a & 0xffff, b & 0xffff, IsF16 ? kF16 : kBf16);
}
template <bool IsF16>
uint64_t pair_add(uint64_t a, uint64_t b, uint64_t) {
  return half_add<IsF16>(a, b, 0) | half_add<IsF16>(a >> 16, b >> 16, 0) << 16;
}

template <uint32_t Bits>
Operation integer_operation(const Binding& b) {
  const bool is_signed = type_class(b.i.type()) == TypeClass::Signed;
  if (b.has(Modifier::add)) return [](uint64_t a, uint64_t v, uint64_t) { return cut<Bits>(a + v); };
  if (b.has(Modifier::and_)) return [](uint64_t a, uint64_t v, uint64_t) { return a & v; };
  if (b.has(Modifier::or_)) return [](uint64_t a, uint64_t v, uint64_t) { return a | v; };
  if (b.has(Modifier::xor_)) return [](uint64_t a, uint64_t v, uint64_t) { return a ^ v; };
  if (b.has(Modifier::exch)) return [](uint64_t, uint64_t v, uint64_t) { return v; };
  if (b.has(Modifier::cas)) return [](uint64_t a, uint64_t v, uint64_t w) { return a == v ? w : a; };
  if (b.has(Modifier::inc)) return [](uint64_t a, uint64_t v, uint64_t) { return a >= v ? 0 : a + 1; };
  if (b.has(Modifier::dec))
    return [](uint64_t a, uint64_t v, uint64_t) { return a == 0 || a > v ? v : a - 1; };
  if (b.has(Modifier::min))
    return is_signed ? [](uint64_t a, uint64_t v,
                          uint64_t) { return as_signed<Bits>(v) < as_signed<Bits>(a) ? v : a; }
                     : [](uint64_t a, uint64_t v, uint64_t) { return v < a ? v : a; };
  if (b.has(Modifier::max))
    return is_signed ? [](uint64_t a, uint64_t v,
                          uint64_t) { return as_signed<Bits>(v) > as_signed<Bits>(a) ? v : a; }
                     : [](uint64_t a, uint64_t v, uint64_t) { return v > a ? v : a; };
  return nullptr;
}

Operation operation_of(const Binding& b) {
  const Type type = b.i.type();
  const bool adds = b.has(Modifier::add);
  if (type == Type::f32 && adds)
    return [](uint64_t a, uint64_t v, uint64_t) -> uint64_t {
      return canonical(as_f32(static_cast<uint32_t>(a)) + as_f32(static_cast<uint32_t>(v)));
    };
  if (type == Type::f64 && adds)
    return [](uint64_t a, uint64_t v, uint64_t) { return canonical(as_f64(a) + as_f64(v)); };
  if (type == Type::f16 && adds) return half_add<true>;
  if (type == Type::bf16 && adds) return half_add<false>;
  if (type == Type::f16x2 && adds) return pair_add<true>;
  if (type == Type::bf16x2 && adds) return pair_add<false>;
  if (type_class(type) == TypeClass::Float || type_class(type) == TypeClass::Packed) return nullptr;
  const uint32_t bits = type_bits(type);
  if (bits == 16) return integer_operation<16>(b);
  return bits == 32 ? integer_operation<32>(b) : bits == 64 ? integer_operation<64>(b) : nullptr;
}

/// f32 additions flush subnormals in global memory, and keep them in shared memory (PTX ISA, atom).
uint64_t flushed_sum(uint64_t a, uint64_t v) {
  const float sum = as_f32(flushed32(static_cast<uint32_t>(a))) + as_f32(flushed32(static_cast<uint32_t>(v)));
  return flushed32(static_cast<uint32_t>(canonical(sum)));
}

uint64_t element_of(Execution& x, const ListSlot& slot, uint32_t lane) {
  uint64_t value = 0;
  std::memcpy(&value, x.at(slot.slot) + lane * slot.bytes, slot.bytes);
  return value;
}

/// op.list: per element the value, the other value (cas), the destination; op.list_count elements.
Flow run_atomic(Execution& x, const MicroOp& op) {
  find_addresses(x, op, 0, op.immediate);
  LaneAccess access;
  access.space = static_cast<StateSpace>(op.mode);
  access.bytes = uint32_t{op.size} * op.list_count;
  access.strong = true;
  access.counted = false;
  count_atomic(x, access);
  const uint32_t lanes = x.active;
  alignas(64) std::array<uint8_t, kMostLaneBytes * kLanes> data, old;
  AccessOrder& order = x.block->shared.order();
  const Modifiers& modifiers = op.source->modifiers;
  const bool adds_f32 = modifiers.has(Modifier::add) && op.source->type() == Type::f32;
  if (modifiers.has_any({Modifier::release, Modifier::acq_rel}))
    order.fence(x.warp->index, lanes, x.warp->step);
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const uint32_t lane = first_lane(left);
    x.active = 1U << lane;
    if (load_lanes(x, op, access, access.bytes, data.data()) == Flow::fault) return Flow::fault;
    const uint32_t at = lane * access.bytes;
    std::memcpy(old.data() + at, data.data() + at, access.bytes);
    for (uint32_t n = 0; n < op.list_count; ++n) {
      const ListSlot* const slots = &x.program->lists[op.list + 3 * n];
      uint64_t before = 0;
      std::memcpy(&before, data.data() + at + n * op.size, op.size);
      const uint64_t value = element_of(x, slots[0], lane);
      const bool flushes = adds_f32 && reached_space(access.space, x.addresses[lane]) == ReachedSpace::global;
      const uint64_t after =
          flushes ? flushed_sum(before, value) : op.operation(before, value, element_of(x, slots[1], lane));
      std::memcpy(data.data() + at + n * op.size, &after, op.size);
    }
    if (store_lanes(x, op, access, access.bytes, data.data()) == Flow::fault) return Flow::fault;
    if (reached_space(access.space, x.addresses[lane]) == ReachedSpace::global) {
      order.acquire(x.addresses[lane], x.warp->index, lane);
      order.release(x.addresses[lane], x.warp->index, lane);
    }
  }
  x.active = lanes;
  for (uint32_t n = 0; n < op.list_count; ++n) {
    const ListSlot to = x.program->lists[op.list + 3 * n + 2];
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
      const uint32_t lane = first_lane(left);
      uint64_t value = 0;
      std::memcpy(&value, old.data() + lane * access.bytes + n * op.size, op.size);
      std::memcpy(x.at(to.slot) + lane * to.bytes, &value, to.bytes);
    }
  }
  return Flow::next;
}

}  // namespace

void bind_atomic(Binding& b) {
  MicroOp& op = b.op;
  const bool is_red = b.i.opcode == Opcode::red;
  const Type type = b.i.type();
  StateSpace space = b.i.space;
  op.operation = operation_of(b);
  if (!op.operation) return;
  b.address(b.operand(is_red ? 0 : 1), 0, space);
  const Operand& value = b.operand(is_red ? 1 : 2);
  const uint32_t count = value.kind == OperandKind::vector ? value.count : 1;
  std::vector<ListSlot> slots;
  const auto bytes = static_cast<uint8_t>(lane_bytes(type));
  for (uint32_t n = 0; n < count; ++n) {
    const bool vector = value.kind == OperandKind::vector;
    const Slot with = b.source(vector ? b.element(value, n) : value, type);
    const Slot other = b.has(Modifier::cas) ? b.source(3, type) : with;
    const Operand& to = b.operand(0);
    const Slot result = is_red ? b.frame().sink()
                               : b.destination(to.kind == OperandKind::vector ? b.element(to, n) : to, type);
    slots.push_back({with, bytes});
    slots.push_back({other, bytes});
    slots.push_back({result, bytes});
  }
  op.list = b.list(slots);
  op.list_count = static_cast<uint8_t>(count);
  op.size = static_cast<uint8_t>(type_bits(type) / 8);
  op.mode = static_cast<uint8_t>(space);
  if (count == 0 || op.size * count > kMostLaneBytes) return b.refuse();
  op.run = run_atomic;
}

}  // namespace fuseboard::ptx
