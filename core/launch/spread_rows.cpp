// Marking who wants a value by row, then turning the operands of folds that nobody does.
// It must not know PTX.
#include "launch/spread_rows.h"

#include <vector>

namespace fuseboard {
namespace {

/// Of every step, whether it has to stay by row where it is.
std::vector<bool> wanted_by_row(const RowSchedule& schedule) {
  const LoopSchedule& loop = schedule.loop;
  std::vector<bool> wanted(loop.steps.size(), false);
  for (const uint32_t stored : loop.stored) wanted[stored] = true;
  for (uint32_t i = 0; i < loop.steps.size(); ++i) {
    const Step& step = loop.steps[i];
    if (step.kind == StepKind::fold || step.kind == StepKind::immediate) wanted[i] = true;
    const bool reads_by_row = schedule.steps[i].by_row;
    const uint32_t first = step.kind == StepKind::fold ? 1 : 0;
    for (uint32_t k = first; reads_by_row && k < step.operand_count; ++k) {
      wanted[loop.operands[step.operands + k]] = true;
    }
  }
  return wanted;
}

}  // namespace

void spread_folded_rows(RowSchedule& schedule) {
  const std::vector<bool> wanted = wanted_by_row(schedule);
  for (const Step& step : schedule.loop.steps) {
    if (step.kind != StepKind::fold) continue;
    const uint32_t operand = schedule.loop.operands[step.operands];
    if (!wanted[operand]) schedule.steps[operand].by_row = false;
  }
}

}  // namespace fuseboard
