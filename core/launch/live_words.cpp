// Walking the steps with the last use of each.
// It must not know PTX.
#include "launch/live_words.h"

#include <algorithm>
#include <vector>

namespace fuseboard {

LiveWords live_words(const FusionGraph& graph, const LoopSchedule& schedule, std::span<const MapWalk> walks) {
  std::vector<uint32_t> last_use(schedule.steps.size(), 0);
  for (uint32_t i = 0; i < schedule.steps.size(); ++i) {
    const Step& step = schedule.steps[i];
    for (uint32_t k = 0; k < step.operand_count; ++k) last_use[schedule.operands[step.operands + k]] = i;
  }
  for (const uint32_t stored : schedule.stored) last_use[stored] = static_cast<uint32_t>(last_use.size());
  LiveWords live;
  LiveWords most;
  const auto words = [&](const Step& step) { return graph.op(step.op).dtype_bytes == 8 ? 2U : 1U; };
  const auto side = [&](const Step& step) -> uint64_t& {
    return walks[step.map].slot_stride == 0 ? live.uniform : live.varying;
  };
  for (const Step& step : schedule.steps) {
    if (step.kind == StepKind::load) side(step) += words(step);
  }
  most = live;
  for (uint32_t i = 0; i < schedule.steps.size(); ++i) {
    const Step& step = schedule.steps[i];
    if (step.kind != StepKind::compute) continue;
    side(step) += words(step);
    most.varying = std::max(most.varying, live.varying);
    most.uniform = std::max(most.uniform, live.uniform);
    std::vector<uint32_t> ended;
    for (uint32_t k = 0; k < step.operand_count; ++k) {
      const uint32_t operand = schedule.operands[step.operands + k];
      if (last_use[operand] != i || schedule.steps[operand].kind == StepKind::immediate) continue;
      if (std::find(ended.begin(), ended.end(), operand) != ended.end()) continue;
      ended.push_back(operand);
      side(schedule.steps[operand]) -= words(schedule.steps[operand]);
    }
  }
  return most;
}

}  // namespace fuseboard
