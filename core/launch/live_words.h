// How many registers a loop's values want at once.
// It must not know PTX.
#pragma once

#include <cstdint>
#include <span>

#include "graph/fusion_graph.h"
#include "launch/index_walk.h"
#include "launch/loop_schedule.h"

namespace fuseboard {

/// 32-bit words that live at once where each step is made in order, loads first: the most of values that
/// differ between slots, for each slot, and of values that do not.
struct LiveWords {
  uint64_t varying = 0;
  uint64_t uniform = 0;
};

/// `walks` are those of the schedule's maps. O(steps).
LiveWords live_words(const FusionGraph& graph, const LoopSchedule& schedule, std::span<const MapWalk> walks);

}  // namespace fuseboard
