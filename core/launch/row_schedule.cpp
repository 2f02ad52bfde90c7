// The steps of a kernel's stores, and when each can be made: walk after walk along the row.
// It must not know PTX.
#include "launch/row_schedule.h"

#include <algorithm>
#include <utility>

#include "launch/names.h"
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
  for (uint32_t i = 0; i < schedule.loop.steps.size(); ++i) {
    const Step& step = schedule.loop.steps[i];
    RowStep row;
    row.by_row = step.kind == StepKind::fold || step.kind == StepKind::immediate || by_row[asked[i]];
    for (uint32_t k = 0; k < step.operand_count; ++k) {
      row.walk = std::max(row.walk, ready(schedule, schedule.loop.operands[step.operands + k]));
    }
    schedule.steps.push_back(row);
    if (!row.by_row || step.kind == StepKind::fold) schedule.walks = std::max(schedule.walks, row.walk + 1);
  }
}

/// Why a fold's operand cannot be folded column by column.
std::string operand_fault(const FusionGraph& graph, const RowSchedule& schedule) {
  for (const Step& step : schedule.loop.steps) {
    if (step.kind != StepKind::fold) continue;
    if (!schedule.steps[schedule.loop.operands[step.operands]].by_row) continue;
    return comment_of(graph.name_of(step.op), 40) + " (" + comment_of(graph.op(step.op).kind_text(), 40) +
           ") folds one value for all columns of a row";
  }
  return {};
}

}  // namespace

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
    if (fault.empty()) {
      fault = comment_of(graph.name_of(store), 40) + " needs more than " + std::to_string(most_steps) +
              " values for an element";
    }
    return std::nullopt;
  }
  RowSchedule out{scheduler.take(), row_map, {}, 1};
  place_in_walks(out, scheduler.asked(), maps_by_row(out.loop.maps, domain));
  fault = operand_fault(graph, out);
  if (!fault.empty()) return std::nullopt;
  return out;
}

}  // namespace fuseboard
