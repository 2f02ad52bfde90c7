// Says of a block that cannot go on who waits, where, and for whom.
// It must not know how warps run.
#include "ptx/launch_state.h"

namespace fuseboard::ptx {
namespace {

uint32_t line_of(const Warp& warp, const Group& group) {
  const MicroOp& op = warp.frames[group.frame].program->ops[group.pc];
  return op.source ? op.source->line : 0;
}

/// "thread (33, 0, 0), which waits in line 12".
std::string whereabouts(const LaunchState& state, uint32_t w, uint32_t lane) {
  const Warp& warp = state.block.warps[w];
  const std::string who = state.thread_text(w, lane);
  for (const Group& group : warp.groups)
    if ((group.lanes >> lane & 1) != 0)
      return who + ", which waits in line " + std::to_string(line_of(warp, group));
  return who + ", which has ended";
}

/// Whom a group misses.
std::string missing(const LaunchState& state, const Warp& warp, const Group& group) {
  if (group.wait != Wait::block) {
    const uint32_t lanes = group.mask & warp.live & ~group.lanes;
    return lanes != 0 ? whereabouts(state, warp.index, first_lane(lanes)) : "others";
  }
  const BlockBarrier& barrier = state.block.barriers[group.barrier];
  for (uint32_t w = 0; w < state.block.warps.size(); ++w) {
    const Warp& other = state.block.warps[w];
    const uint32_t lanes = (other.live | other.owed) & ~barrier.waiting[w];
    if (lanes != 0) return whereabouts(state, w, first_lane(lanes));
  }
  return "more threads than the block has left";
}

}  // namespace

Fault deadlock(const LaunchState& state) {
  Fault fault;
  fault.kind = FaultKind::barrier;
  fault.block = state.block.index;
  for (const Warp& warp : state.block.warps)
    for (const Group& group : warp.groups) {
      const uint32_t lane = first_lane(group.lanes);
      fault.line = line_of(warp, group);
      for (uint32_t axis = 0; axis < 3; ++axis) fault.thread[axis] = warp.thread[axis][lane];
      const MicroOp& op = warp.frames[group.frame].program->ops[group.pc];
      const std::string what = group.wait == Wait::block
                                   ? "barrier " + std::to_string(group.barrier)
                                   : std::string(op.source ? mnemonic(op.source->opcode) : "a .sync") +
                                         " in line " + std::to_string(fault.line);
      fault.message = "No thread of the block can go on: " + state.thread_text(warp.index, lane) +
                      " waits at " + what + " for " + missing(state, warp, group) + ".";
      return fault;
    }
  return fault;
}

}  // namespace fuseboard::ptx
