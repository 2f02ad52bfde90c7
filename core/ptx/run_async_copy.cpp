// cp.async: the bytes are fetched when it is issued and come to shared memory when their group is waited for;
// until then nobody may touch where they go. It must not know registers' layout, nor barriers.
#include <algorithm>

#include "ptx/integer_lanes.h"
#include "ptx/launch_state.h"
#include "ptx/memory_access.h"

namespace fuseboard::ptx {
namespace {

/// s[0] shared address, s[1] global address, s[2] bytes of the source that are read (mode 1) or a predicate
/// to ignore it (mode 2); op.size bytes, immediate the shared offset, op.target indexes the global one.
Flow run_copy(Execution& x, const MicroOp& op) {
  const uint32_t lanes = x.active;
  alignas(64) std::array<uint8_t, 16 * kLanes> data{};
  std::array<uint32_t, kLanes> shared{};
  find_addresses(x, op, 0, op.immediate);
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const uint32_t lane = first_lane(left);
    if (x.addresses[lane] >= kSharedWindow && x.addresses[lane] < kSharedWindow + kWindow)
      x.addresses[lane] -= kSharedWindow;
    if (x.addresses[lane] % op.size != 0)
      return x.fault(op, FaultKind::misaligned, lane,
                     "The address " + std::to_string(x.addresses[lane]) +
                         " in shared memory is no multiple of " + std::to_string(op.size) + ".",
                     x.addresses[lane]);
    if (shared_bounds(x, op, lane, x.addresses[lane], op.size) == Flow::fault) return Flow::fault;
    shared[lane] = static_cast<uint32_t>(x.addresses[lane]);
  }
  MicroOp from = op;
  from.address_64 = op.list_count != 0;
  find_addresses(x, from, 1,
                 static_cast<int64_t>(x.program->offsets[op.target]) |
                     static_cast<int64_t>(x.program->offsets[op.target + 1]) << 32);
  uint32_t partial = 0;
  std::array<uint32_t, kLanes> bytes;
  bytes.fill(op.size);
  if (op.mode == 1) {
    const LaneSource<uint32_t> wanted(x, op.s[2]);
    for (uint32_t i = 0; i < kLanes; ++i) bytes[i] = std::min<uint32_t>(wanted[i], op.size);
  }
  if (op.mode == 2) {
    const uint32_t ignored = x.predicate(op.s[2]);
    for (uint32_t i = 0; i < kLanes; ++i) bytes[i] = (ignored & kLaneBits[i]) != 0 ? 0 : op.size;
  }
  for (uint32_t i = 0; i < kLanes; ++i) partial |= bytes[i] != op.size ? kLaneBits[i] : 0;
  LaneAccess access;
  access.space = StateSpace::global;
  access.bytes = op.size;
  x.active = lanes & ~partial;
  if (x.active != 0 && load_lanes(x, op, access, op.size, data.data()) == Flow::fault) return Flow::fault;
  for (uint32_t left = lanes & partial; left != 0; left &= left - 1) {
    const uint32_t lane = first_lane(left);
    if (bytes[lane] == 0) continue;
    alignas(64) std::array<uint8_t, 16 * kLanes> part{};
    access.bytes = bytes[lane];
    x.active = 1U << lane;
    if (load_lanes(x, op, access, 1, part.data()) == Flow::fault) return Flow::fault;
    std::memcpy(data.data() + lane * op.size, part.data() + lane * bytes[lane], bytes[lane]);
  }
  x.active = lanes;
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const uint32_t lane = first_lane(left);
    PendingCopy copy;
    copy.lane = lane;
    copy.group = x.warp->commits[lane];
    copy.address = shared[lane];
    copy.bytes = op.size;
    copy.op = &op;
    std::memcpy(copy.data.data(), data.data() + lane * op.size, op.size);
    const SharedAccess mark{x.warp->index, lane, x.warp->step, copy.address, copy.bytes, false, &op};
    if (const auto problem = x.block->shared.start_copy(mark))
      return x.fault(op, FaultKind::race, lane,
                     "cp.async to shared memory at " + std::to_string(copy.address) + " that " +
                         x.launch->thread_text(problem->other_warp, problem->other_lane) +
                         (problem->other_wrote ? " wrote" : " read") + " in line " +
                         std::to_string(problem->other ? problem->other->source->line : 0) +
                         ", with nothing that orders the two.",
                     copy.address);
    x.warp->copies.push_back(copy);
  }
  return Flow::next;
}

Flow run_commit(Execution& x, const MicroOp&) {
  for (uint32_t left = x.active; left != 0; left &= left - 1) ++x.warp->commits[first_lane(left)];
  return Flow::next;
}

/// All but the last `op.immediate` groups of each lane; with mode 1 what was not committed too.
Flow run_wait(Execution& x, const MicroOp& op) {
  Warp& warp = *x.warp;
  const auto done = [&](const PendingCopy& copy) {
    if ((x.active >> copy.lane & 1) == 0) return false;
    const uint32_t commits = warp.commits[copy.lane];
    return op.mode == 1 ||
           (copy.group < commits && commits - copy.group > static_cast<uint64_t>(op.immediate));
  };
  for (const PendingCopy& copy : warp.copies) {
    if (!done(copy)) continue;
    const SharedAccess write{warp.index, copy.lane, warp.step, copy.address, copy.bytes, false, copy.op};
    x.block->shared.finish_copy(write, copy.data.data());
  }
  std::erase_if(warp.copies, done);
  warp.stored |= x.active;
  return Flow::next;
}

}  // namespace

void bind_async_copy(Binding& b) {
  MicroOp& op = b.op;
  if (b.i.opcode == Opcode::cp_async_commit_group) op.run = run_commit;
  if (b.i.opcode == Opcode::cp_async_wait_group || b.i.opcode == Opcode::cp_async_wait_all) {
    op.mode = b.i.opcode == Opcode::cp_async_wait_all ? 1 : 0;
    op.immediate = op.mode == 1 ? 0 : b.operand(0).bits;
    op.run = run_wait;
  }
  if (b.i.opcode != Opcode::cp_async) return;
  StateSpace space = StateSpace::global;
  b.address(b.operand(1), 1, space);
  // The offset of the second address: its own place, as the micro-op has one.
  std::vector<uint32_t>& places = b.frame().program.offsets;
  op.target = static_cast<uint32_t>(places.size());
  places.push_back(static_cast<uint32_t>(op.immediate));
  places.push_back(static_cast<uint32_t>(static_cast<uint64_t>(op.immediate) >> 32));
  op.list_count = op.address_64 ? 1 : 0;
  space = StateSpace::shared;
  b.address(b.operand(0), 0, space);
  const int64_t bytes = b.operand(2).bits;
  if (bytes != 4 && bytes != 8 && bytes != 16) return b.refuse();
  op.size = static_cast<uint8_t>(bytes);
  if (b.count() > 3) {
    const Operand& fourth = b.operand(3);
    const bool is_predicate = fourth.kind == OperandKind::reg && b.register_type(fourth) == Type::pred;
    const bool is_policy = b.has(Modifier::L2_cache_hint) && b.count() == 4 && !is_predicate;
    if (is_predicate) {
      op.s[2] = b.predicate(fourth);
      op.mode = 2;
    } else if (!is_policy) {
      op.s[2] = b.source(fourth, Type::b32);
      op.mode = 1;
    }
  }
  op.run = run_copy;
}

}  // namespace fuseboard::ptx
