// Matching sum, exp, sub and max, then settling the walks again.
// It must not know PTX, nor how threads share rows.
#include "launch/online_sum.h"

#include <cmath>
#include <optional>

#include "graph/reducer_of.h"
#include "launch/lowering.h"

namespace fuseboard {
namespace {

class OnlineMatch {
 public:
  OnlineMatch(const FusionGraph& graph, const RowSchedule& schedule) : graph_(graph), schedule_(schedule) {}

  /// The maximum that a sum goes with; RowStep::kNone where there is none.
  uint32_t max_of(uint32_t sum) const {
    if (!folds(sum, "sum")) return RowStep::kNone;
    const uint32_t power = operand(sum, 0);
    if (!computes(power, OpKind::exp)) return RowStep::kNone;
    const uint32_t difference = operand(power, 0);
    if (!computes(difference, OpKind::sub)) return RowStep::kNone;
    const uint32_t max = operand(difference, 1);
    const uint32_t x = operand(difference, 0);
    const bool is_of_x =
        folds(max, "max") && operand(max, 0) == x && starts_from_nothing(max) && !schedule_.steps[x].by_row;
    return is_of_x && arithmetic(x) == arithmetic(power) && arithmetic(x) == arithmetic(difference) &&
                   arithmetic(x) == arithmetic(max) && is_float(arithmetic(x))
               ? max
               : RowStep::kNone;
  }

 private:
  const Step& step(uint32_t number) const { return schedule_.loop.steps[number]; }
  uint32_t operand(uint32_t number, uint32_t k) const {
    return schedule_.loop.operands[step(number).operands + k];
  }
  Arithmetic arithmetic(uint32_t number) const { return arithmetic_of(graph_.op(step(number).op).dtype); }
  bool folds(uint32_t number, std::string_view reducer) const {
    return step(number).kind == StepKind::fold && reducer_of(graph_.op(step(number).op)) == reducer;
  }
  /// Some column then has the maximum: the sum is scaled to it.
  bool starts_from_nothing(uint32_t max) const {
    if (step(max).operand_count == 1) return true;
    const std::optional<Element> start = known_value(graph_.op(step(operand(max, 1)).op));
    return start && std::isinf(start->real) && start->real < 0;
  }
  bool computes(uint32_t number, OpKind kind) const {
    return step(number).kind == StepKind::compute && graph_.op(step(number).op).kind == kind;
  }

  const FusionGraph& graph_;
  const RowSchedule& schedule_;
};

}  // namespace

void sum_online(const FusionGraph& graph, RowSchedule& schedule) {
  const OnlineMatch match(graph, schedule);
  bool is_any = false;
  for (uint32_t i = 0; i < schedule.steps.size(); ++i) {
    schedule.steps[i].online_max = match.max_of(i);
    is_any = is_any || schedule.steps[i].online_max != RowStep::kNone;
  }
  if (is_any) settle_walks(schedule);
}

}  // namespace fuseboard
