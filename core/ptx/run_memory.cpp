// Loads and stores: vectors of registers to and from each lane's bytes. Fences, hints and policies.
// It must not know spaces, nor how bytes are kept.
#include "ptx/integer_lanes.h"
#include "ptx/launch_state.h"
#include "ptx/memory_access.h"

namespace fuseboard::ptx {
namespace {

LaneAccess access_of(const MicroOp& op) {
  LaneAccess access;
  access.space = static_cast<StateSpace>(op.mode);
  access.bytes = uint32_t{op.size} * op.list_count;
  access.strong = op.volatile_;
  return access;
}

/// Strong accesses of global memory order too, through the same clocks: keys apart from shared addresses.
void order_global(Execution& x, const LaneAccess& access, bool acquires) {
  if (!access.strong) return;
  for (uint32_t left = x.active; left != 0; left &= left - 1) {
    const uint32_t lane = first_lane(left);
    if (reached_space(access.space, x.addresses[lane]) != ReachedSpace::global) continue;
    if (acquires)
      x.block->shared.order().acquire(x.addresses[lane], x.warp->index, lane);
    else
      x.block->shared.order().release(x.addresses[lane], x.warp->index, lane);
  }
}

template <class Memory, class Lane>
void spread(Execution& x, Slot slot, const uint8_t* data, uint32_t stride) {
  alignas(64) std::array<Lane, kLanes> values;
  for (uint32_t i = 0; i < kLanes; ++i) {
    Memory value;
    std::memcpy(&value, data + i * stride, sizeof value);
    values[i] = static_cast<Lane>(value);
  }
  keep(x, slot, values.data());
}

template <class Memory, class Lane>
void collect(Execution& x, Slot slot, uint8_t* data, uint32_t stride) {
  const LaneSource<Lane> values(x, slot);
  for (uint32_t i = 0; i < kLanes; ++i) {
    const auto value = static_cast<Memory>(values[i]);
    std::memcpy(data + i * stride, &value, sizeof value);
  }
}

Flow run_fence(Execution& x, const MicroOp&) {
  x.block->shared.order().fence(x.warp->index, x.active, x.warp->step);
  return Flow::next;
}

/// Calls `visit` with an element as memory holds it, and as a register's lane does.
template <class Visit>
void for_element(uint32_t bytes, const Visit& visit) {
  if (bytes == 1) visit(uint8_t{}, uint32_t{});
  if (bytes == 2) visit(uint16_t{}, uint32_t{});
  if (bytes == 4) visit(uint32_t{}, uint32_t{});
  if (bytes == 8) visit(uint64_t{}, uint64_t{});
}

Flow run_load(Execution& x, const MicroOp& op) {
  find_addresses(x, op, 0, op.immediate);
  const LaneAccess access = access_of(op);
  alignas(64) std::array<uint8_t, kMostLaneBytes * kLanes> data;
  const Flow flow = load_lanes(x, op, access, access.bytes, data.data());
  if (flow != Flow::next) return flow;
  order_global(x, access, true);
  for (uint32_t n = 0; n < op.list_count; ++n) {
    const ListSlot to = x.program->lists[op.list + n];
    const uint8_t* const from = data.data() + n * op.size;
    if (op.size == 16) {
      for (uint32_t i = 0; i < kLanes; ++i)
        if ((x.active >> i & 1) != 0) std::memcpy(x.at(to.slot) + 16 * i, from + i * access.bytes, 16);
      continue;
    }
    for_element(op.size, [&](auto memory, auto lane) {
      spread<decltype(memory), decltype(lane)>(x, to.slot, from, access.bytes);
    });
  }
  return Flow::next;
}

Flow run_store(Execution& x, const MicroOp& op) {
  find_addresses(x, op, 0, op.immediate);
  const LaneAccess access = access_of(op);
  alignas(64) std::array<uint8_t, kMostLaneBytes * kLanes> data;
  for (uint32_t n = 0; n < op.list_count; ++n) {
    const ListSlot from = x.program->lists[op.list + n];
    uint8_t* const to = data.data() + n * op.size;
    if (op.size == 16) {
      for (uint32_t i = 0; i < kLanes; ++i) std::memcpy(to + i * access.bytes, x.at(from.slot) + 16 * i, 16);
      continue;
    }
    for_element(op.size, [&](auto memory, auto lane) {
      collect<decltype(memory), decltype(lane)>(x, from.slot, to, access.bytes);
    });
  }
  if (op.volatile_ && op.source->modifiers.has(Modifier::release)) run_fence(x, op);
  const Flow flow = store_lanes(x, op, access, access.bytes, data.data());
  if (flow == Flow::next) order_global(x, access, false);
  return flow;
}

/// ld.param of an entry's parameter: the same value in every lane.
template <class T>
Flow run_load_parameter(Execution& x, const MicroOp& op) {
  T value{};
  const auto at = static_cast<uint64_t>(op.immediate);
  const std::vector<uint8_t>& parameters = x.launch->launch.parameters;
  if (at > parameters.size() || sizeof value > parameters.size() - at)
    return x.fault(op, FaultKind::out_of_bounds, first_lane(x.active),
                   "A read of parameters at " + std::to_string(at) + ": there are " +
                       std::to_string(parameters.size()) + " bytes of them.",
                   at);
  std::memcpy(&value, parameters.data() + at, sizeof value);
  splat<T>(x, op.d, value);
  return Flow::next;
}

bool bind_parameter(Binding& b, StateSpace space) {
  const Operand& from = b.operand(1);
  const Operand& to = b.operand(0);
  const uint32_t bits = type_bits(b.i.type());
  if (space != StateSpace::param || !from.is_variable || to.kind != OperandKind::reg || b.i.vector != 1)
    return false;
  const Variable& variable = b.frame().module.variables[from.index];
  if (variable.in_frame || !b.frame().function.is_entry || (bits != 32 && bits != 64)) return false;
  b.op.immediate = from.bits + static_cast<int64_t>(variable.offset);
  if (b.op.immediate < 0 || b.op.immediate % (bits / 8) != 0) return false;
  b.op.d = b.destination(to, b.i.type());
  b.op.run = bits == 64 ? run_load_parameter<uint64_t> : run_load_parameter<uint32_t>;
  return true;
}

void bind_access(Binding& b, bool is_store) {
  MicroOp& op = b.op;
  const Type type = b.i.type();
  StateSpace space = b.i.space;
  const Operand& address = b.operand(is_store ? 0 : 1);
  const Operand& value = b.operand(is_store ? 1 : 0);
  if (!is_store && bind_parameter(b, space)) return;
  b.address(address, 0, space);
  std::vector<ListSlot> slots;
  const uint32_t count = value.kind == OperandKind::vector ? value.count : 1;
  for (uint32_t n = 0; n < count; ++n) {
    const Operand& one = value.kind == OperandKind::vector ? b.element(value, n) : value;
    slots.push_back(
        {is_store ? b.source(one, type) : b.destination(one, type), static_cast<uint8_t>(lane_bytes(type))});
  }
  op.size = static_cast<uint8_t>(type_bits(type) / 8);
  op.list = b.list(slots);
  op.list_count = static_cast<uint8_t>(count);
  op.mode = static_cast<uint8_t>(space);
  op.volatile_ = b.i.modifiers.has_any(
      {Modifier::volatile_, Modifier::relaxed, Modifier::acquire, Modifier::release, Modifier::mmio});
  if (op.size == 0 || count == 0 || op.size * count > kMostLaneBytes) return b.refuse();
  op.run = is_store ? run_store : run_load;
}

}  // namespace

Flow run_nothing(Execution&, const MicroOp&) { return Flow::next; }

void bind_memory(Binding& b) {
  const Opcode opcode = b.i.opcode;
  MicroOp& op = b.op;
  if (opcode == Opcode::ld || opcode == Opcode::ldu) bind_access(b, false);
  if (opcode == Opcode::st) bind_access(b, true);
  if (opcode == Opcode::membar || opcode == Opcode::fence || opcode == Opcode::fence_proxy)
    op.run = run_fence;
  if (opcode == Opcode::prefetch || opcode == Opcode::prefetchu || opcode == Opcode::applypriority ||
      opcode == Opcode::nanosleep || opcode == Opcode::pmevent || opcode == Opcode::setmaxnreg ||
      opcode == Opcode::griddepcontrol)
    op.run = run_nothing;
  // A policy is opaque: any value will do, the same every time.
  if (opcode == Opcode::createpolicy || opcode == Opcode::createpolicy_cvt) {
    op.d = b.destination(0, Type::b64);
    op.run = lanes([](const MicroOp&) { return uint64_t{0}; });
  }
}

}  // namespace fuseboard::ptx
