// Choosing slots and blocks.
// It must not know PTX.
#include "launch/launch_shape.h"

#include <algorithm>
#include <vector>

#include "launch/index_walk.h"
#include "launch/live_words.h"

namespace fuseboard {
namespace {

constexpr size_t kMostValuesOfPass = 1024;  ///< a loop longer than the instruction cache gains nothing
constexpr uint64_t kMostLiveWords =
    112;  ///< 32-bit registers for values; addresses and temporaries come on top

uint32_t widest_slots(const FusionGraph& graph, const KernelLoop& loop, const LoopSchedule& schedule) {
  uint64_t narrowest = 16;
  uint64_t widest = 1;
  const auto see = [&](uint32_t op) {
    narrowest = std::min(narrowest, graph.op(op).dtype_bytes);
    widest = std::max(widest, graph.op(op).dtype_bytes);
  };
  for (const Step& step : schedule.steps) {
    if (step.kind == StepKind::load && !schedule.maps[step.map].digits.empty()) see(step.op);
  }
  for (const uint32_t store : loop.stores) see(store);
  uint32_t slots = 1;
  while (slots * 2 * narrowest <= 16 && slots * 2 * widest <= 32 && slots * 2 <= loop.elements) slots *= 2;
  return slots;
}

bool is_affine(const LoopSchedule& schedule, uint32_t slots) {
  const std::vector<MapWalk> walks = walks_of(schedule.maps, slots, 0);
  return std::all_of(walks.begin(), walks.end(), [](const MapWalk& walk) { return walk.is_affine; });
}

}  // namespace

uint32_t slots_of(const FusionGraph& graph, const KernelLoop& loop, const LoopSchedule& schedule) {
  uint32_t slots = widest_slots(graph, loop, schedule);
  while (slots > 1 && schedule.steps.size() * slots > kMostValuesOfPass) slots /= 2;
  while (slots > 1 && !is_affine(schedule, slots)) slots /= 2;
  if (slots == 1) return 1;
  const LiveWords live = live_words(graph, schedule, walks_of(schedule.maps, slots, 0));
  while (slots > 1 && live.varying * slots + live.uniform > kMostLiveWords) slots /= 2;
  return slots;
}

uint32_t blocks_of(const KernelLoop& loop, const LoopSchedule& schedule) {
  const uint64_t vectors = loop.elements / loop.slots;
  const uint64_t needed = (vectors - 1) / kThreads + 1;
  if (needed <= kMostBlocks) return static_cast<uint32_t>(needed);
  const uint64_t unit = uint64_t{kThreads} * loop.slots;
  const uint64_t walked = walking_stride(schedule.maps, unit, unit * kMostBlocks) / unit;
  return static_cast<uint32_t>(kMostBlocks / walked * walked);
}

LoopPasses passes_of(const KernelLoop& loop, const KernelConfig& config) {
  LoopPasses passes;
  passes.vectors = loop.elements / loop.slots;
  passes.threads = uint64_t{config.grid[0]} * config.block[0];
  passes.rest = static_cast<uint32_t>(loop.elements % loop.slots);
  if (passes.vectors > passes.threads) passes.stride = passes.threads * loop.slots;
  return passes;
}

}  // namespace fuseboard
