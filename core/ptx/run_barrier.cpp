// bar and barrier: arriving, waiting, reducing; and bar.warp.sync.
// It must not know when a barrier completes.
#include <bit>

#include "ptx/integer_lanes.h"
#include "ptx/launch_state.h"
#include "ptx/warp_sync.h"

namespace fuseboard::ptx {
namespace {

enum Reduction : uint8_t { kNone, kPopc, kAnd, kOr };

/// One value that all active lanes share: false where they do not.
bool uniform(Execution& x, Slot slot, uint32_t& out) {
  const LaneSource<uint32_t> values(x, slot);
  out = values[first_lane(x.active)];
  for (uint32_t left = x.active; left != 0; left &= left - 1)
    if (values[first_lane(left)] != out) return false;
  return true;
}

BlockBarrier& opened(Block& block, uint32_t id) {
  BlockBarrier& barrier = block.barriers[id];
  if (!barrier.open) {
    barrier.open = true;
    barrier.expected = barrier.passed = barrier.count = 0;
    barrier.votes = 3;  // bit 0: all so far; bit 1: none so far
    barrier.waiting.assign(block.warps.size(), 0);
    barrier.arrived.assign(block.warps.size(), 0);
  }
  return barrier;
}

/// s[0] the barrier, s[1] the count of threads (size 1), s[2] the predicate.
Flow run_barrier(Execution& x, const MicroOp& op) {
  Warp& warp = *x.warp;
  Group& group = warp.group();
  if (group.released) {
    group.released = false;
    const uint32_t votes = group.mask;
    group.mask = 0;
    if (op.mode == kPopc) splat<uint32_t>(x, op.d, group.result);
    if (op.mode == kAnd) x.set_predicate(op.d, (votes & 1) != 0 ? kAllLanes : 0);
    if (op.mode == kOr) x.set_predicate(op.d, (votes & 2) == 0 ? kAllLanes : 0);
    return Flow::next;
  }
  uint32_t id = 0, threads = 0;
  if (!uniform(x, op.s[0], id) || (op.size != 0 && !uniform(x, op.s[1], threads)))
    return x.fault(op, FaultKind::unsupported, first_lane(x.active),
                   "The threads of a warp name different barriers, or counts, in one instruction.");
  if (id >= 16)
    return x.fault(op, FaultKind::barrier, first_lane(x.active),
                   "There is no barrier " + std::to_string(id) + ": they are 0 to 15.");
  if (op.size != 0 && (threads == 0 || threads % kLanes != 0))
    return x.fault(
        op, FaultKind::barrier, first_lane(x.active),
        "A barrier for " + std::to_string(threads) + " threads: it must be a multiple of 32, and not 0.");
  const bool is_new = !x.block->barriers[id].open;
  BlockBarrier& barrier = opened(*x.block, id);
  if (!is_new && barrier.expected != threads)
    return x.fault(op, FaultKind::barrier, first_lane(x.active),
                   "Barrier " + std::to_string(id) + " is for " + std::to_string(threads) +
                       " threads here and for " + std::to_string(barrier.expected) + " elsewhere.");
  barrier.expected = threads;
  if (op.source->opcode == Opcode::bar || op.source->modifiers.has(Modifier::aligned))
    for (const Group& other : warp.groups)
      if (&other != &group && other.wait == Wait::block && other.barrier == id && other.pc != x.next)
        return x.fault(
            op, FaultKind::barrier, first_lane(x.active),
            "Threads of one warp wait at two barrier instructions at once, which must not part a warp: " +
                x.launch->thread_text(warp.index, first_lane(other.lanes)) + " in line " +
                std::to_string(warp.frames[other.frame].program->ops[other.pc].source->line) + ".");
  if (op.target == 1) {  // bar.arrive: goes on
    if (x.active != warp.live)
      return x.fault(op, FaultKind::barrier, first_lane(x.active), "Only some threads of a warp arrive.");
    barrier.arrived[warp.index] |= x.active;
    barrier.passed += kLanes;
    return Flow::next;
  }
  barrier.waiting[warp.index] |= x.active;
  if (op.mode != kNone) {
    const uint32_t holds = x.predicate(op.s[2]) & x.active;
    barrier.count += static_cast<uint32_t>(std::popcount(holds));
    if (holds != x.active) barrier.votes &= ~1U;
    if (holds != 0) barrier.votes &= ~2U;
  }
  uncount(op, x.active);
  const uint32_t past = group.lanes & ~x.active;
  group.pc = x.next;
  group.wait = Wait::block;
  group.barrier = static_cast<uint8_t>(id);
  if (past != 0) warp.part(past, x.next + 1);
  return Flow::regroup;
}

Flow run_warp_barrier(Execution& x, const MicroOp& op) {
  const uint32_t mask = LaneSource<uint32_t>(x, op.s[0])[first_lane(x.active)];
  const bool was_released = x.warp->group().released;
  const uint32_t met_at = was_released ? x.warp->group().result : x.warp->step;
  const Flow flow = meet(x, op, op.s[0], true);
  if (flow == Flow::next)
    x.block->shared.order().join_lanes(x.warp->index, was_released ? mask : x.active, met_at);
  return flow;
}

}  // namespace

void bind_barrier(Binding& b) {
  MicroOp& op = b.op;
  if (b.i.opcode == Opcode::bar_warp) {
    op.s[0] = b.source(0, Type::b32);
    op.run = run_warp_barrier;
    return;
  }
  if (b.i.opcode != Opcode::bar && b.i.opcode != Opcode::barrier) return;
  const bool reduces = b.has(Modifier::red);
  const uint32_t first = reduces ? 1 : 0;
  const bool has_count = b.count() == (reduces ? 4U : 2U);
  op.s[0] = b.source(first, Type::b32);
  if (has_count) op.s[1] = b.source(first + 1, Type::b32);
  op.size = has_count ? 1 : 0;
  op.target = b.has(Modifier::arrive) ? 1 : 0;
  if (reduces) {
    op.s[2] = b.predicate(b.count() - 1);
    op.mode = b.has(Modifier::popc) ? kPopc : b.has(Modifier::and_) ? kAnd : kOr;
    op.d = op.mode == kPopc ? b.destination(0, Type::u32) : b.predicate_destination(0);
  }
  op.run = run_barrier;
}

}  // namespace fuseboard::ptx
