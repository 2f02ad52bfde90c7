// Writing sums of exponentials that go with a maximum: scaled where it grows, and to the row's at the end.
// It must not know other folds, nor how they are shared.
#include <limits>
#include <string>

#include "emit/row_code.h"

namespace fuseboard {

/// What an infinite maximum is replaced by: x - 0 is x, whose exponential is 0 or infinite as it should be.
std::string RowCode::finite_or_zero(const std::string& max, Arithmetic arithmetic) {
  const std::string type(arithmetic_text(arithmetic));
  const std::string is_nothing = parts_.writer.fresh(RegisterClass::pred);
  std::string out = parts_.writer.fresh(register_class_of(arithmetic));
  const std::string least = literal(arithmetic, {-std::numeric_limits<double>::infinity(), 0});
  parts_.writer.instruction("setp.eq." + type, {is_nothing, max, least});
  parts_.writer.instruction("selp." + type, {out, literal(arithmetic, {0, 0}), max, is_nothing});
  return out;
}

/// exp(from - less).
std::string RowCode::power_of(const std::string& from, const std::string& less, DType dtype) {
  return parts_.ops.single(OpKind::exp, dtype, parts_.ops.pair(OpKind::sub, dtype, from, less));
}

/// `grown`: the maxima with this pass, which `max` does not have yet.
void RowCode::sum_pass(Fold& sum, const Fold& max, std::span<const Folded> grown, uint32_t pass) {
  const Step& own = step(sum.step);
  const DType dtype = dtype_of(sum.code.arithmetic());
  const uint32_t fed = fed_by(schedule_, sum.step);
  parts_.begin_op(
      own.op, parts_.title(own.op) + " so far, scaled where " + parts_.title(step(max.step).op) + " grows");
  for (size_t row = 0; row < grown.size(); ++row) {
    const std::string base = finite_or_zero(grown[row].value, sum.code.arithmetic());
    const std::string scale = power_of(max.slots[row].value, base, dtype);
    std::string total = parts_.ops.pair(OpKind::mul, dtype, sum.slots[row].value, scale);
    for (uint32_t slot = 0; slot < shape_.slots; ++slot) {
      if (shape_.along_rows && slot != row) continue;
      const std::string x = parts_.ops.as(value(fed, pass, slot), sum.code.arithmetic());
      const Folded one = sum.code.where(index_.has_column(pass, slot), {power_of(x, base, dtype), {}});
      total = parts_.ops.pair(OpKind::add, dtype, total, one.value);
    }
    sum.code.assign(sum.slots[row], {total, {}});
  }
}

/// To the maximum of the whole row; where that is infinite the sum is NaN, as x - max is for one column.
void RowCode::scale_to_row(Fold& sum) {
  const Step& own = step(sum.step);
  const uint32_t max = schedule_.steps[sum.step].online_max;
  const DType dtype = dtype_of(sum.code.arithmetic());
  parts_.begin_op(own.op, parts_.title(own.op) + " of this thread, scaled to the row");
  const Fold* fold = nullptr;
  for (const Fold& each : folds_) {
    if (each.step == max) fold = &each;
  }
  for (size_t row = 0; fold != nullptr && row < sum.slots.size(); ++row) {
    const std::string whole = parts_.ops.as(value(max, 0, static_cast<uint32_t>(row)), sum.code.arithmetic());
    const std::string base = finite_or_zero(whole, sum.code.arithmetic());
    const std::string scale = power_of(fold->slots[row].value, base, dtype);
    const std::string scaled = parts_.ops.pair(OpKind::mul, dtype, sum.slots[row].value, scale);
    const std::string rest = parts_.ops.pair(OpKind::sub, dtype, whole, whole);
    sum.slots[row].value = parts_.ops.pair(OpKind::add, dtype, scaled, rest);
  }
}

}  // namespace fuseboard
