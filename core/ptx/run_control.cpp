// Branches, returns, ends, traps.
// It must not know arithmetic, nor how groups are chosen.
#include "ptx/integer_lanes.h"
#include "ptx/launch_state.h"

namespace fuseboard::ptx {
namespace {

/// The lanes that go on behind this micro-op, where not all go elsewhere.
void go_on(Execution& x) { x.warp->group().pc = x.next + 1; }

Flow run_branch(Execution& x, const MicroOp& op) {
  Warp& warp = *x.warp;
  if (x.active == warp.group().lanes) {
    x.next = op.target;
    return Flow::jump;
  }
  ++x.launch->counters.divergent_branches;
  go_on(x);
  warp.part(x.active, op.target);
  return Flow::regroup;
}

/// brx.idx: the lanes part by their index.
Flow run_indexed_branch(Execution& x, const MicroOp& op) {
  const LaneSource<uint32_t> index(x, op.s[0]);
  Warp& warp = *x.warp;
  const uint32_t all = x.active;
  for (uint32_t left = all; left != 0; left &= left - 1) {
    const uint32_t lane = first_lane(left);
    if (index[lane] >= op.target)
      return x.fault(op, FaultKind::bad_branch, lane,
                     "brx.idx takes target " + std::to_string(index[lane]) + " of a list of " +
                         std::to_string(op.target) + ".");
  }
  go_on(x);
  uint32_t ways = all == warp.group().lanes ? 0 : 1;
  for (uint32_t left = all; left != 0;) {
    const uint32_t target = x.program->brx_targets[op.list + index[first_lane(left)]];
    uint32_t same = 0;
    for (uint32_t rest = left; rest != 0; rest &= rest - 1) {
      const uint32_t lane = first_lane(rest);
      if (x.program->brx_targets[op.list + index[lane]] == target) same |= 1U << lane;
    }
    warp.part(same, target);
    left &= ~same;
    ++ways;
  }
  if (ways > 1) ++x.launch->counters.divergent_branches;
  return Flow::regroup;
}

Flow run_exit(Execution& x, const MicroOp&) {
  go_on(x);
  x.warp->end(x.active);
  return Flow::regroup;
}

Flow run_return(Execution& x, const MicroOp& op) {
  Warp& warp = *x.warp;
  if (!warp.frame().call) return run_exit(x, op);
  hand_back(x, x.active);
  go_on(x);
  warp.leave(x.active);
  return Flow::regroup;
}

Flow run_trap(Execution& x, const MicroOp& op) {
  return x.fault(op, FaultKind::trap, first_lane(x.active),
                 std::string(mnemonic(op.source->opcode)) + " was reached.");
}

}  // namespace

Flow run_end(Execution& x, const MicroOp& op) { return run_return(x, op); }

void bind_control(Binding& b) {
  MicroOp& op = b.op;
  const Opcode opcode = b.i.opcode;
  if (opcode == Opcode::call) return bind_call(b);
  if (opcode == Opcode::bra) {
    op.target = b.operand(0).index;  // an instruction, until all have their places
    op.run = run_branch;
  }
  if (opcode == Opcode::brx_idx) {
    const Operand& targets = b.operand(1);
    std::vector<uint32_t>& all = b.frame().program.brx_targets;
    op.s[0] = b.source(0, Type::u32);
    op.list = static_cast<uint32_t>(all.size());
    op.target = targets.count;
    for (uint32_t n = 0; n < targets.count; ++n) all.push_back(b.element(targets, n).index);
    op.run = run_indexed_branch;
  }
  if (opcode == Opcode::ret) op.run = run_return;
  if (opcode == Opcode::exit) op.run = run_exit;
  if (opcode == Opcode::trap || opcode == Opcode::brkpt) op.run = run_trap;
}

}  // namespace fuseboard::ptx
