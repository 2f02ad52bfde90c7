// The loop that runs a warp: fetch, guard, handler; and the divergence that handlers ask for.
// It must not know what instructions do.
#include <algorithm>
#include <bit>

#include "ptx/launch_state.h"

namespace fuseboard::ptx {
namespace {

constexpr uint32_t kTurn = 1U << 15;  // micro-ops after which other groups of the warp get a turn

}  // namespace

WarpStop run_warp(LaunchState& state, Warp& warp, uint64_t most_steps) {
  Execution& x = state.execution;
  x.warp = &warp;
  x.block = &state.block;
  x.launch = &state;
  uint64_t left = most_steps;
  while (true) {
    if (!warp.choose()) return warp.ended() ? WarpStop::ended : WarpStop::waits;
    Group& group = warp.group();
    const Frame& frame = warp.frame();
    const Program& program = *frame.program;
    x.program = &program;
    x.bases[0] = warp.registers[frame.first_line].bytes.data();
    x.bases[1] = const_cast<Line64&>(program.constants[0]).bytes.data();
    const MicroOp* const ops = program.ops.data();
    const uint32_t lanes = group.lanes;
    const bool alone = warp.groups.size() == 1;
    const uint32_t meeting = alone ? 0xffffffff : warp.meeting_place();
    // A turn goes on over slices, and over groups that part and join: neither how a run is cut nor a branch
    // inside a spinning loop may keep the others waiting for ever.
    if (alone) warp.turn_used = 0;
    const uint64_t turn = alone ? left : std::min<uint64_t>(left, kTurn - warp.turn_used);
    uint64_t budget = turn;
    uint32_t pc = group.pc;
    Flow flow = Flow::next;
    while (budget != 0) {
      --budget;
      const MicroOp& op = ops[pc];
      const uint32_t active = lanes & (x.predicate(op.guard) ^ op.guard_flip);
      ++warp.step;
      ++op.issued;
      if (active != 0) {
        op.executed += active == kAllLanes ? kLanes : static_cast<uint32_t>(std::popcount(active));
        x.active = active;
        x.next = pc;
        flow = op.run(x, op);
        if (flow != Flow::next) {
          if (flow != Flow::jump) break;
          pc = x.next;
          if (pc >= meeting) break;
          continue;
        }
      }
      if (++pc >= meeting) break;
    }
    const uint64_t used = turn - budget;
    left -= used;
    state.steps += used;
    if (flow == Flow::fault) return WarpStop::fault;
    if (!alone) warp.turn_used += static_cast<uint32_t>(used);
    const bool turn_over = warp.turn_used >= kTurn;
    if (turn_over) warp.turn_used = 0;
    warp.group().yielded = warp.group().yielded || turn_over;
    // Handlers that regroup have set the places themselves.
    if (flow != Flow::regroup) warp.group().pc = pc;
    if (left == 0) return WarpStop::spent;
  }
}

Flow Execution::fault(const MicroOp& op, FaultKind kind, uint32_t lane, std::string message) {
  Fault fault;
  fault.kind = kind;
  fault.message = std::move(message);
  fault.line = op.source ? op.source->line : 0;
  fault.block = block->index;
  for (uint32_t axis = 0; axis < 3; ++axis) fault.thread[axis] = warp->thread[axis][lane];
  launch->fault = std::move(fault);
  return Flow::fault;
}

Flow Execution::fault(const MicroOp& op, FaultKind kind, uint32_t lane, std::string message,
                      uint64_t address) {
  fault(op, kind, lane, std::move(message));
  launch->fault->has_address = true;
  launch->fault->address = address;
  return Flow::fault;
}

}  // namespace fuseboard::ptx
