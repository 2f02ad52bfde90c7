// The steps of a kernel's stores, and when each can be made: walk after walk along the row.
// It must not know PTX.
#include "launch/row_schedule.h"

#include <algorithm>
#include <utility>

#include "launch/names.h"
#include "launch/online_sum.h"
#include "launch/step_scheduler.h"

namespace fuseboard {
namespace {

/// Whether a digit of the full index is one of a kept part.
bool is_kept(const RowDomain& domain, const Digit& digit) {
  uint64_t stride = 1;
  for (size_t k = domain.parts.size(); k-- > 0;) {
    const RowDomain::Part& part = domain.parts[k];
    const bool is_within = digit.divisor >= stride && digit.divisor * digit.extent <= stride * part.extent;
    if (is_within) return !part.is_reduced;
    stride *= part.extent;
  }
  return false;
}

/// Of each map, whether all elements of a row have one offset. Where a row has one column every map has that;
/// then only what has one element for all rows counts, so that what is folded stays full.
std::vector<bool> maps_by_row(const IndexMaps& maps, const RowDomain& domain) {
  std::vector<bool> out(maps.size(), false);
  for (uint32_t i = 0; i < maps.size(); ++i) {
    const std::vector<Digit>& digits = maps[i].digits;
    if (domain.columns() == 1 || digits.empty()) {
      out[i] = digits.empty() && domain.elements() > 1;
    } else if (maps[i].base != 0) {
      out[i] = out[maps[i].base];
    } else {
      out[i] = std::all_of(digits.begin(), digits.end(),
                           [&](const Digit& digit) { return is_kept(domain, digit); });
    }
  }
  return out;
}

/// The first walk before which, or in which, a step's value is there for its readers.
uint32_t ready(const RowSchedule& schedule, uint32_t step) {
  const bool is_fold = schedule.loop.steps[step].kind == StepKind::fold;
  return schedule.steps[step].walk + (is_fold ? 1 : 0);
}

void place_in_walks(RowSchedule& schedule, std::span<const uint32_t> asked, const std::vector<bool>& by_row) {
  schedule.steps.resize(schedule.loop.steps.size());
  for (uint32_t i = 0; i < schedule.loop.steps.size(); ++i) {
    const StepKind kind = schedule.loop.steps[i].kind;
    schedule.steps[i].by_row = kind == StepKind::fold || kind == StepKind::immediate || by_row[asked[i]];
  }
  settle_walks(schedule);
}

}  // namespace

uint32_t fed_by(const RowSchedule& schedule, uint32_t fold) {
  const uint32_t max = schedule.steps[fold].online_max;
  return schedule.loop.operands[schedule.loop.steps[max == RowStep::kNone ? fold : max].operands];
}

std::vector<bool> needed_steps(const RowSchedule& schedule) {
  const LoopSchedule& loop = schedule.loop;
  std::vector<bool> needed(loop.steps.size(), false);
  for (const uint32_t stored : loop.stored) needed[stored] = true;
  for (size_t i = needed.size(); i-- > 0;) {
    if (!needed[i]) continue;
    const bool is_online = schedule.steps[i].online_max != RowStep::kNone;
    if (is_online) needed[schedule.steps[i].online_max] = true;
    for (uint32_t k = is_online ? 1 : 0; k < loop.steps[i].operand_count; ++k) {
      needed[loop.operands[loop.steps[i].operands + k]] = true;
    }
  }
  return needed;
}

void settle_walks(RowSchedule& schedule) {
  const LoopSchedule& loop = schedule.loop;
  const std::vector<bool> needed = needed_steps(schedule);
  schedule.walks = 1;
  for (uint32_t i = 0; i < loop.steps.size(); ++i) {
    RowStep& row = schedule.steps[i];
    const bool is_online = row.online_max != RowStep::kNone;
    row.walk = is_online ? schedule.steps[row.online_max].walk : 0;
    for (uint32_t k = is_online ? 1 : 0; k < loop.steps[i].operand_count; ++k) {
      row.walk = std::max(row.walk, ready(schedule, loop.operands[loop.steps[i].operands + k]));
    }
    const bool is_walked = needed[i] && (!row.by_row || loop.steps[i].kind == StepKind::fold);
    if (is_walked) schedule.walks = std::max(schedule.walks, row.walk + 1);
  }
}

std::optional<RowSchedule> schedule_rows(const FusionGraph& graph, std::span<const uint32_t> members,
                                         const RowShape& shape, size_t most_steps, std::string& fault,
                                         std::span<const uint32_t> anchors) {
  const RowDomain& domain = shape.domain;
  StepScheduler scheduler(graph, members, domain.elements(), most_steps, anchors);
  const uint32_t row_map = scheduler.fold_rows(domain);
  for (const uint32_t store : shape.stores) {
    const uint64_t elements = element_count(graph.op(store).output_shape).value_or(0);
    const bool is_full = elements == domain.elements();
    if (!is_full && elements != domain.rows()) {
      fault = comment_of(graph.name_of(store), 40) + " (" + comment_of(graph.op(store).kind_text(), 40) +
              ") has neither an element for each row nor one for each row and column";
      return std::nullopt;
    }
    if (scheduler.add_store(store, is_full ? 0 : row_map)) continue;
    fault = scheduler.fault();
    return std::nullopt;
  }
  RowSchedule out{scheduler.take(), row_map, {}, 1};
  place_in_walks(out, scheduler.asked(), maps_by_row(out.loop.maps, domain));
  if (shape.walk == RowWalk::looped) sum_online(graph, out);
  return out;
}

}  // namespace fuseboard
