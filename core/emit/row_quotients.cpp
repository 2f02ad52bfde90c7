// Following a divisor back to what bounds it.
// It must not know registers or walks.
#include "emit/row_quotients.h"

#include <cstdint>
#include <limits>

#include "graph/attribute_use.h"
#include "graph/dtype.h"
#include "graph/reducer_of.h"
#include "launch/lowering.h"

namespace fuseboard {
namespace {

class Divisors {
 public:
  Divisors(const FusionGraph& graph, const RowSchedule& schedule) : graph_(graph), schedule_(schedule) {}

  /// Its own arithmetic and its operands' are f32.
  bool is_f32(uint32_t number) const {
    if (arithmetic_of(op(number).dtype) != Arithmetic::f32) return false;
    const Step& own = step(number);
    for (uint32_t k = 0; k < own.operand_count; ++k) {
      if (arithmetic_of(op(operand(number, k)).dtype) != Arithmetic::f32) return false;
    }
    return true;
  }

  bool has_normal_reciprocal(uint32_t number) const {
    number = behind_casts(number);
    if (!is_f32(number)) return false;
    if (is_compute(number, OpKind::sqrt)) return true;
    if (!is_fold(number, "sum", 0)) return false;
    const uint32_t online = schedule_.steps[number].online_max;
    if (online != RowStep::kNone) return is_fold(online, "max", -std::numeric_limits<double>::infinity());
    const uint32_t power = behind_casts(operand(number, 0));
    if (!is_compute(power, OpKind::exp) || !is_f32(power)) return false;
    const uint32_t below = behind_casts(operand(power, 0));
    if (!is_compute(below, OpKind::sub) || !is_f32(below)) return false;
    const uint32_t most = largest(operand(below, 1));
    return is_fold(most, "max", -std::numeric_limits<double>::infinity()) &&
           operand(most, 0) == operand(below, 0);
  }

 private:
  const Step& step(uint32_t number) const { return schedule_.loop.steps[number]; }
  const FusionOp& op(uint32_t number) const { return graph_.op(step(number).op); }
  uint32_t operand(uint32_t number, uint32_t k) const {
    return schedule_.loop.operands[step(number).operands + k];
  }
  bool is_compute(uint32_t number, OpKind kind) const {
    return step(number).kind == StepKind::compute && op(number).kind == kind;
  }
  bool is_known(uint32_t number, double value) const {
    if (step(number).kind != StepKind::immediate) return false;
    const std::optional<Element> known = known_value(op(number));
    return known && known->real == value;
  }
  /// Casts from f32 arithmetic to f32 arithmetic.
  uint32_t behind_casts(uint32_t number) const {
    while (is_compute(number, OpKind::cast) && is_f32(number)) number = operand(number, 0);
    return number;
  }
  /// What max(x, -inf), which guards an empty row, is the same as.
  uint32_t largest(uint32_t number) const {
    while (is_compute(number, OpKind::max) &&
           is_known(operand(number, 1), -std::numeric_limits<double>::infinity())) {
      number = operand(number, 0);
    }
    return number;
  }
  /// A fold that begins with nothing, or with what changes nothing.
  bool is_fold(uint32_t number, std::string_view reducer, double neutral) const {
    const Step& own = step(number);
    if (own.kind != StepKind::fold || reducer_of(op(number)) != reducer) return false;
    return own.operand_count == 1 || is_known(operand(number, 1), neutral);
  }

  const FusionGraph& graph_;
  const RowSchedule& schedule_;
};

}  // namespace

std::vector<bool> quotients_by_reciprocal(const FusionGraph& graph, const RowSchedule& schedule, Math math) {
  const std::vector<Step>& steps = schedule.loop.steps;
  std::vector<bool> out(steps.size(), false);
  if (math != Math::fast) return out;
  const Divisors divisors(graph, schedule);
  for (uint32_t i = 0; i < steps.size(); ++i) {
    const bool is_quotient = steps[i].kind == StepKind::compute && graph.op(steps[i].op).kind == OpKind::div;
    if (!is_quotient || schedule.steps[i].by_row || !divisors.is_f32(i)) continue;
    const uint32_t divisor = schedule.loop.operands[steps[i].operands + 1];
    out[i] = schedule.steps[divisor].by_row && divisors.has_normal_reciprocal(divisor);
  }
  return out;
}

}  // namespace fuseboard
