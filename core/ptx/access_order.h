// Which accesses of a block come before which: clocks of warps and of the lanes in them, joined by barriers,
// and by fences around strong accesses. It must not know memory.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ptx/execution.h"

namespace fuseboard::ptx {

/// Lanes of a warp at one of its steps.
struct AccessMoment {
  uint32_t warp = 0;
  uint32_t step = 0;
  uint32_t lanes = 0;
};

/// A vector clock over warps, and inside each warp one over lanes. A thread has seen another up to a step.
/// What orders: a barrier all that took part in it; bar.warp.sync the lanes of its mask; a fence followed by
/// a strong write (atomic, volatile, relaxed, release), with the strong read that finds it. Between warps a
/// fence of one lane counts for its warp: a race may be missed there, none is made up.
class AccessOrder {
 public:
  void begin(uint32_t warps);
  /// Whether all of `before` comes before what `lane` of `warp` does now.
  bool ordered(const AccessMoment& before, uint32_t warp, uint32_t lane) const;

  /// Lanes of one warp meet, at its step.
  void join_lanes(uint32_t warp, uint32_t lanes, uint32_t step);
  /// Warps meet: lanes[w] of warp w, none where 0; steps[w] is its step.
  void join_warps(const std::vector<uint32_t>& lanes, const std::vector<uint32_t>& steps);
  void fence(uint32_t warp, uint32_t lanes, uint32_t step);
  void release(uint64_t address, uint32_t warp, uint32_t lane);
  void acquire(uint64_t address, uint32_t warp, uint32_t lane);

 private:
  using LaneClock = std::array<uint32_t, kLanes>;
  struct Released {
    std::vector<uint32_t> warps;
    uint32_t warp = 0;
    LaneClock lanes{};
  };
  std::vector<std::vector<uint32_t>> seen_;  ///< seen_[w][v]: the step of v that w has seen
  std::vector<std::array<LaneClock, kLanes>> seen_lanes_;
  std::vector<LaneClock> fenced_;  ///< the step of each lane's last fence
  std::unordered_map<uint64_t, Released> released_;
  bool fences_ = false;
};

}  // namespace fuseboard::ptx
