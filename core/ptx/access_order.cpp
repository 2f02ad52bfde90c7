// Vector clocks in two levels.
// It must not know memory.
#include "ptx/access_order.h"

#include <algorithm>

namespace fuseboard::ptx {
namespace {

template <class Clock>
void join(Clock& into, const Clock& from) {
  for (size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
}

}  // namespace

void AccessOrder::begin(uint32_t warps) {
  seen_.resize(warps);
  for (auto& clock : seen_) clock.assign(warps, 0);
  seen_lanes_.resize(warps);
  for (auto& clocks : seen_lanes_)
    for (LaneClock& clock : clocks) clock.fill(0);
  fenced_.resize(warps);
  for (LaneClock& clock : fenced_) clock.fill(0);
  released_.clear();
  fences_ = false;
}

bool AccessOrder::ordered(const AccessMoment& before, uint32_t warp, uint32_t lane) const {
  if (before.warp != warp) return seen_[warp][before.warp] >= before.step;
  uint32_t others = before.lanes & ~(1U << lane);
  const LaneClock& clock = seen_lanes_[warp][lane];
  for (; others != 0; others &= others - 1)
    if (clock[first_lane(others)] < before.step) return false;
  return true;
}

void AccessOrder::join_lanes(uint32_t warp, uint32_t lanes, uint32_t step) {
  LaneClock all{};
  auto& clocks = seen_lanes_[warp];
  for (uint32_t i = 0; i < kLanes; ++i)
    if ((lanes >> i & 1) != 0) join(all, clocks[i]);
  for (uint32_t i = 0; i < kLanes; ++i)
    if ((lanes >> i & 1) != 0) all[i] = step;
  for (uint32_t i = 0; i < kLanes; ++i)
    if ((lanes >> i & 1) != 0) clocks[i] = all;
}

void AccessOrder::join_warps(const std::vector<uint32_t>& lanes, const std::vector<uint32_t>& steps) {
  std::vector<uint32_t> all(lanes.size());
  for (uint32_t w = 0; w < lanes.size(); ++w) {
    if (lanes[w] == 0) continue;
    join(all, seen_[w]);
    join_lanes(w, lanes[w], steps[w]);
  }
  for (uint32_t w = 0; w < lanes.size(); ++w)
    if (lanes[w] != 0) all[w] = std::max(all[w], steps[w]);
  for (uint32_t w = 0; w < lanes.size(); ++w)
    if (lanes[w] != 0) seen_[w] = all;
}

void AccessOrder::fence(uint32_t warp, uint32_t lanes, uint32_t step) {
  fences_ = true;
  for (uint32_t i = 0; i < kLanes; ++i)
    if ((lanes >> i & 1) != 0) fenced_[warp][i] = step;
}

void AccessOrder::release(uint64_t address, uint32_t warp, uint32_t lane) {
  const uint32_t step = fences_ ? fenced_[warp][lane] : 0;
  if (step == 0) return;
  Released& to = released_[address];
  if (to.warps.empty()) to.warps.assign(seen_.size(), 0);
  join(to.warps, seen_[warp]);
  to.warps[warp] = std::max(to.warps[warp], step);
  if (to.warp != warp) to.lanes.fill(0);
  to.warp = warp;
  join(to.lanes, seen_lanes_[warp][lane]);
  to.lanes[lane] = std::max(to.lanes[lane], step);
}

void AccessOrder::acquire(uint64_t address, uint32_t warp, uint32_t lane) {
  if (released_.empty()) return;
  const auto found = released_.find(address);
  if (found == released_.end()) return;
  join(seen_[warp], found->second.warps);
  if (found->second.warp == warp) join(seen_lanes_[warp][lane], found->second.lanes);
}

}  // namespace fuseboard::ptx
