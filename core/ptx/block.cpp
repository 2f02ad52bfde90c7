// Barriers complete when all expected warps have come.
// It must not know the launch, nor what instructions do.
#include "ptx/block.h"

#include <algorithm>

namespace fuseboard::ptx {

void Block::begin(uint64_t linear_index, std::array<uint32_t, 3> at, std::array<uint32_t, 3> size,
                  const Program& entry) {
  linear = linear_index;
  index = at;
  threads = size[0] * size[1] * size[2];
  const uint32_t count = (threads + kLanes - 1) / kLanes;
  const bool same_shape = warps.size() == count;
  warps.resize(count);
  for (uint32_t w = 0; w < count; ++w) {
    Warp& warp = warps[w];
    warp.index = w;
    const uint32_t left = threads - w * kLanes;
    warp.live = left >= kLanes ? kAllLanes : (1U << left) - 1;
    if (!same_shape)
      for (uint32_t lane = 0; lane < kLanes; ++lane) {
        const uint32_t thread = w * kLanes + lane;
        warp.thread[0][lane] = thread % size[0];
        warp.thread[1][lane] = thread / size[0] % size[1];
        warp.thread[2][lane] = thread / size[0] / size[1];
      }
    warp.begin(entry);
  }
  for (BlockBarrier& barrier : barriers) barrier.open = false;
  shared.begin(count);
}

bool Block::ended() const {
  return std::all_of(warps.begin(), warps.end(), [](const Warp& warp) { return warp.ended(); });
}

bool Block::complete_barriers() {
  bool completed = false;
  for (uint32_t id = 0; id < barriers.size(); ++id) {
    BlockBarrier& barrier = barriers[id];
    if (!barrier.open) continue;
    uint32_t there = barrier.passed;
    bool all = true;
    for (uint32_t w = 0; w < warps.size(); ++w) {
      const uint32_t due = warps[w].live | warps[w].owed;
      const bool whole = barrier.waiting[w] != 0 && (due & ~barrier.waiting[w]) == 0;
      if (whole) there += kLanes;
      all = all && (whole || due == 0);
    }
    if (barrier.expected == 0 ? !all && there < warps.size() * kLanes : there < barrier.expected) continue;
    std::vector<uint32_t> met(warps.size()), steps(warps.size());
    for (uint32_t w = 0; w < warps.size(); ++w) {
      met[w] = barrier.waiting[w] | barrier.arrived[w];
      steps[w] = warps[w].step;
    }
    shared.order().join_warps(met, steps);
    for (uint32_t w = 0; w < warps.size(); ++w) {
      warps[w].stored &= ~met[w];
      for (Group& group : warps[w].groups) {
        if (group.wait != Wait::block || group.barrier != id) continue;
        group.wait = Wait::none;
        group.released = true;
        // Which of the three is wanted, the instruction knows: count, all, any.
        group.result = barrier.count;
        group.mask = barrier.votes;
      }
    }
    barrier.open = false;
    ++barriers_completed;
    completed = true;
  }
  return completed;
}

}  // namespace fuseboard::ptx
