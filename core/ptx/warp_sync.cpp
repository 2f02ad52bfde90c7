// Waiting for the other lanes of a mask.
// It must not know what they do when they have met.
#include "ptx/warp_sync.h"

#include <bit>

#include "ptx/lanes.h"
#include "ptx/launch_state.h"

namespace fuseboard::ptx {

void uncount(const MicroOp& op, uint32_t lanes) {
  --op.issued;
  op.executed -= static_cast<uint32_t>(std::popcount(lanes));
}

Flow meet(Execution& x, const MicroOp& op, Slot mask_slot, bool anywhere) {
  Warp& warp = *x.warp;
  const LaneSource<uint32_t> masks(x, mask_slot);
  if (warp.group().released && warp.group().lanes == x.active) {
    warp.group().released = false;
    warp.group().mask = 0;
    return Flow::next;
  }
  const uint32_t mask = masks[first_lane(x.active)];
  uint32_t same = 0;
  for (uint32_t left = x.active; left != 0; left &= left - 1) {
    const uint32_t lane = first_lane(left);
    if ((masks[lane] >> lane & 1) == 0)
      return x.fault(op, FaultKind::barrier, lane, "The thread is not in its own mask of lanes.");
    if (masks[lane] == mask) same |= 1U << lane;
  }
  if (same == x.active && (mask & warp.live & ~x.active) == 0) return Flow::next;
  // Those with this mask wait, those with another come next, those whose guard fails go on.
  uncount(op, x.active);
  const uint32_t others = x.active & ~same, past = warp.group().lanes & ~x.active;
  warp.group().pc = x.next;
  if (past != 0) warp.part(past, x.next + 1);
  if (others != 0) warp.part(others, x.next);
  Group& waiting = warp.group();
  waiting.mask = mask;
  waiting.wait = anywhere ? Wait::warp_anywhere : Wait::warp;
  return Flow::regroup;
}

}  // namespace fuseboard::ptx
