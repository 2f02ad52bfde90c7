// How wide a loop's passes are and how many threads walk it: slots, blocks, stride.
// It must not know PTX.
#pragma once

#include <cstdint>
#include <span>

#include "graph/fusion_graph.h"
#include "launch/kernel.h"
#include "launch/loop_schedule.h"

namespace fuseboard {

constexpr uint32_t kThreads = 256;
/// Grid-stride loops walk the rest: 2048 blocks of 256 threads are about two waves on the largest GPU, and
/// threads that walk far spread what they compute once over many elements.
constexpr uint64_t kMostBlocks = 2048;

/// Consecutive elements that one pass of a thread computes, a power of two: as many as fill 16 bytes of the
/// narrowest value in memory, no more than 32 bytes of the widest; fewer where an index map would break
/// within them, where the values that live at once would want more registers than leave the GPU busy, or
/// where the loop is smaller. O(steps + digits).
uint32_t slots_of(const FusionGraph& graph, const KernelLoop& loop, const LoopSchedule& schedule);

/// Blocks for a loop: one thread a pass where that is no more than kMostBlocks; otherwise the most, such that
/// the index maps of the schedule walk where they can. O(digits).
uint32_t blocks_of(const KernelLoop& loop, const LoopSchedule& schedule);

/// A loop's passes as the whole grid walks it.
struct LoopPasses {
  uint64_t vectors = 0;  ///< passes of all threads together
  uint64_t threads = 0;  ///< of the grid; pass p belongs to thread p % threads
  uint64_t stride = 0;   ///< elements from one pass of a thread to its next; 0: none has two
  uint32_t rest = 0;     ///< elements behind the last pass, fewer than slots: one each for the first threads
};
LoopPasses passes_of(const KernelLoop& loop, const KernelConfig& config);

}  // namespace fuseboard
