// Scheduling a kernel's rows, then sharing them among threads.
// It must not know PTX.
#include "launch/row_launch.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/checked.h"
#include "launch/kernel.h"
#include "launch/online_sum.h"
#include "launch/row_closure.h"
#include "launch/row_schedule.h"
#include "launch/row_sharing.h"
#include "launch/row_words.h"

namespace fuseboard {
namespace {

constexpr uint64_t kMostGrid = 0x7fffffff;
constexpr uint32_t kMostLoopedWalks = 256;

uint64_t reread_bytes(const FusionGraph& graph, const RowSchedule& schedule, const RowPlacement& placement) {
  std::map<uint32_t, std::vector<uint32_t>> walks_of_op;
  for (uint32_t w = 0; w < placement.walks.size(); ++w) {
    for (const uint32_t step : placement.walks[w]) {
      if (schedule.loop.steps[step].kind != StepKind::load) continue;
      std::vector<uint32_t>& walks = walks_of_op[schedule.loop.steps[step].op];
      if (walks.empty() || walks.back() != w) walks.push_back(w);
    }
  }
  uint64_t sum = 0;
  for (const auto& [op, walks] : walks_of_op) {
    const std::optional<uint64_t> bytes = checked_mul(graph.output_bytes(op), walks.size() - 1);
    sum = checked_add(sum, bytes.value_or(UINT64_MAX)).value_or(UINT64_MAX);
  }
  return sum;
}

bool refuse(RowRefusal& refusal, Code code, std::string why) {
  refusal = {code, std::move(why)};
  return false;
}

/// Whether a looped kernel is short enough to be written: each of its walks makes values again.
bool is_writable(const RowSchedule& schedule, RowRefusal& refusal) {
  if (schedule.walks > kMostLoopedWalks) {
    return refuse(refusal, Code::kernel_too_large,
                  "would walk its rows " + std::to_string(schedule.walks) +
                      " times, and they are too long to be held; at most " +
                      std::to_string(kMostLoopedWalks) + " walks are written");
  }
  size_t values = 0;
  for (const std::vector<uint32_t>& made : row_placement(schedule, RowWalk::looped).walks) {
    values += made.size();
  }
  if (values <= kMostSteps) return true;
  return refuse(refusal, Code::kernel_too_large,
                "would compute more than " + std::to_string(kMostSteps) +
                    " values for an element: its rows are too long to be held, and each walk along them "
                    "makes values again");
}

bool find_config(RowLaunch& launch, RowRefusal& refusal) {
  const RowShape& shape = launch.shape;
  const uint64_t blocks = (shape.domain.rows() - 1) / shape.rows_in_block + 1;
  if (blocks > kMostGrid) {
    return refuse(
        refusal, Code::kernel_too_large,
        "would want " + std::to_string(blocks) + " blocks; a grid has at most " + std::to_string(kMostGrid));
  }
  launch.config.grid[0] = static_cast<uint32_t>(blocks);
  launch.config.block[0] =
      shape.threads * (shape.along_rows ? shape.rows_in_block / shape.slots : shape.rows_in_block);
  return true;
}

}  // namespace

std::string_view row_walk_text(RowWalk walk) {
  switch (walk) {
    case RowWalk::held:
      return "held";
    case RowWalk::looped:
      return "looped";
  }
  return "";
}

std::optional<RowLaunch> row_launch(const FusionGraph& graph, RowWork work, RowRefusal& refusal) {
  RowLaunch launch;
  launch.shape.domain = std::move(work.domain);
  launch.shape.stores = std::move(work.stores);
  std::string fault;
  auto schedule = schedule_rows(graph, work.members, launch.shape, kMostSteps, fault, work.anchors);
  if (!schedule) {
    const bool is_large = fault.empty();
    refuse(refusal, is_large ? Code::kernel_too_large : Code::not_emitted,
           is_large ? "would compute more than " + std::to_string(kMostSteps) +
                          " values for an element: its broadcasts need ops at many indices"
                    : fault);
    return std::nullopt;
  }
  share_rows(graph, *schedule, launch.shape);
  if (launch.shape.walk == RowWalk::looped) {
    sum_online(graph, *schedule);
    if (!is_writable(*schedule, refusal)) return std::nullopt;
    launch.bytes_reread = reread_bytes(graph, *schedule, row_placement(*schedule, RowWalk::looped));
  }
  if (!find_config(launch, refusal)) return std::nullopt;
  return launch;
}

}  // namespace fuseboard
