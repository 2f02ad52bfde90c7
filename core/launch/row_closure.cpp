// One pass over the steps, last first: who needs a step tells it in which walks.
// It must not know PTX, nor how threads share rows.
#include "launch/row_closure.h"

#include <algorithm>

namespace fuseboard {
namespace {

/// Of every full step the walks that make it, ascending; nothing of the others.
std::vector<std::vector<uint32_t>> making_walks(const RowSchedule& schedule, RowWalk walk) {
  const LoopSchedule& loop = schedule.loop;
  std::vector<std::vector<uint32_t>> made(loop.steps.size());
  const std::vector<bool> needed = needed_steps(schedule);
  for (uint32_t i = static_cast<uint32_t>(loop.steps.size()); i-- > 0;) {
    if (!needed[i]) continue;
    const Step& step = loop.steps[i];
    std::vector<uint32_t>& own = made[i];
    if (step.kind == StepKind::fold && !schedule.steps[fed_by(schedule, i)].by_row) {
      made[fed_by(schedule, i)].push_back(schedule.steps[i].walk);
    }
    if (schedule.steps[i].by_row) continue;
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    if (own.empty()) own.push_back(schedule.steps[i].walk);  // stored, and nobody else's
    if (walk == RowWalk::held) own.resize(1);
    for (uint32_t k = 0; k < step.operand_count; ++k) {
      const uint32_t operand = loop.operands[step.operands + k];
      if (schedule.steps[operand].by_row) continue;
      made[operand].insert(made[operand].end(), own.begin(), own.end());
    }
  }
  return made;
}

}  // namespace

RowPlacement row_placement(const RowSchedule& schedule, RowWalk walk) {
  const std::vector<std::vector<uint32_t>> made = making_walks(schedule, walk);
  RowPlacement out;
  out.walks.resize(schedule.walks);
  for (uint32_t i = 0; i < made.size(); ++i) {
    for (const uint32_t w : made[i]) out.walks[w].push_back(i);
  }
  for (const uint32_t step : schedule.loop.stored) {
    out.store_walk.push_back(schedule.steps[step].by_row ? schedule.walks : made[step].front());
  }
  return out;
}

}  // namespace fuseboard
