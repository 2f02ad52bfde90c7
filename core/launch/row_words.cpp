// Following each value from where it is made to its last use.
// It must not know PTX, nor how threads share rows.
#include "launch/row_words.h"

#include <algorithm>
#include <vector>

namespace fuseboard {
namespace {

uint64_t words_of(const FusionGraph& graph, const RowSchedule& schedule, uint32_t step) {
  return graph.op(schedule.loop.steps[step].op).dtype_bytes == 8 ? 2 : 1;
}

/// Of each full step the last walk that uses it.
std::vector<uint32_t> last_walks(const RowSchedule& schedule, const RowPlacement& held) {
  const LoopSchedule& loop = schedule.loop;
  std::vector<uint32_t> last(loop.steps.size(), 0);
  const auto use = [&](uint32_t step, uint32_t walk) {
    for (uint32_t k = 0; k < loop.steps[step].operand_count; ++k) {
      uint32_t& seen = last[loop.operands[loop.steps[step].operands + k]];
      seen = std::max(seen, walk);
    }
  };
  for (uint32_t i = 0; i < loop.steps.size(); ++i) {
    if (loop.steps[i].kind == StepKind::fold) use(i, schedule.steps[i].walk);
  }
  for (uint32_t w = 0; w < held.walks.size(); ++w) {
    for (const uint32_t step : held.walks[w]) use(step, w);
  }
  return last;
}

uint64_t kept_words(const FusionGraph& graph, const RowSchedule& schedule, const RowPlacement& held) {
  const std::vector<uint32_t> last = last_walks(schedule, held);
  std::vector<uint64_t> ended(held.walks.size(), 0);
  uint64_t live = 0;
  uint64_t most = 0;
  for (uint32_t w = 0; w < held.walks.size(); ++w) {
    live -= ended[w];
    for (const uint32_t step : held.walks[w]) {
      if (last[step] <= w) continue;
      const uint64_t words = words_of(graph, schedule, step);
      live += words;
      ended[last[step]] += words;
    }
    most = std::max(most, live);
  }
  return most;
}

uint64_t most_within(const FusionGraph& graph, const RowSchedule& schedule) {
  const LoopSchedule& loop = schedule.loop;
  std::vector<uint32_t> last_use(loop.steps.size());
  for (uint32_t i = 0; i < loop.steps.size(); ++i) {
    last_use[i] = i;
    for (uint32_t k = 0; k < loop.steps[i].operand_count; ++k) {
      last_use[loop.operands[loop.steps[i].operands + k]] = i;
    }
  }
  std::vector<uint64_t> ended(loop.steps.size(), 0);
  uint64_t live = 0;
  uint64_t most = 0;
  for (uint32_t i = 0; i < loop.steps.size(); ++i) {
    if (!schedule.steps[i].by_row) {
      const uint64_t words = words_of(graph, schedule, i);
      live += words;
      ended[last_use[i]] += words;
    }
    most = std::max(most, live);
    live -= ended[i];
  }
  return most;
}

}  // namespace

RowWords row_words(const FusionGraph& graph, const RowSchedule& schedule, const RowPlacement& held) {
  return {kept_words(graph, schedule, held), most_within(graph, schedule)};
}

}  // namespace fuseboard
