// Sums in two parts, products with an exponent of their own, and the bounds around them.
// It must not know rows' threads, traces or PTX.
#include "verify/fold_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/reducer_of.h"
#include "graph/row_bound.h"
#include "verify/register_value.h"

namespace fuseboard {

DType standing_of(DType dtype) { return dtype == DType::f16 || dtype == DType::bf16 ? DType::f32 : dtype; }

FoldReference::FoldReference(std::string_view name, DType operand, DType result)
    : reducer_(name, standing_of(operand)),
      standing_(standing_of(result)),
      result_(result),
      is_f64_(operand == DType::f64),
      unit_(is_f64_ ? 0x1p-53 : 0x1p-24) {
  if (dtype_class(operand) != DTypeClass::Float) return;
  if (name == "sum") bound_ = Bound::sum;
  if (name == "mean") bound_ = Bound::mean;
  if (name == "prod") bound_ = Bound::product;
}

std::optional<FoldReference> FoldReference::make(const FusionGraph& graph, uint32_t reduce, uint64_t depth,
                                                 std::string& fault) {
  const FusionOp& op = graph.op(reduce);
  const std::string_view name = reducer_of(op);
  if (!Reducer::is_known(name) || op.inputs.empty()) {
    fault = graph.name_of(reduce) + " folds by a reducer without a reference";
    return std::nullopt;
  }
  FoldReference reference(name, graph.op(op.inputs[0]).dtype, op.dtype);
  reference.gamma_ = reference.gamma(static_cast<double>(depth));
  return reference;
}

double FoldReference::gamma(double roundings) const {
  const double rounded = roundings * unit_;
  return rounded < 0.5 ? rounded / (1 - rounded) : std::numeric_limits<double>::infinity();
}

FoldReference FoldReference::make_online(DType standing, uint64_t depth, uint64_t passes) {
  FoldReference reference("sum", standing, standing);
  reference.bound_ = Bound::online;
  reference.roundings_ = static_cast<double>(depth) + 6 * static_cast<double>(passes) + 16;
  return reference;
}

void FoldReference::begin() {
  reducer_.begin();
  max_ = -std::numeric_limits<long double>::infinity();
  powers_ = distances_ = start_ = 0;
  count_ = 0;
  high_ = low_ = positive_ = negative_ = up_ = down_ = 0;
  positives_ = negatives_ = 0;
  has_nan_ = has_more_ = has_less_ = has_zero_ = is_minus_ = false;
  fraction_ = 1;
  exponent_ = 0;
}

void FoldReference::take(const Element& value, uint64_t column) {
  ++count_;
  if (bound_ == Bound::online) return take_online(static_cast<long double>(value.real));
  reducer_.take(value, column);
  if (bound_ == Bound::exact) return;
  const double x = value.real;
  has_nan_ = has_nan_ || x != x;
  has_more_ = has_more_ || (std::isinf(x) && x > 0);
  has_less_ = has_less_ || (std::isinf(x) && x < 0);
  is_minus_ = is_minus_ != std::signbit(x);
  if (!std::isfinite(x)) return;
  if (bound_ == Bound::product) return take_product(x);
  (x > 0 ? positive_ : negative_) += std::fabs(x);
  ++(x > 0 ? positives_ : negatives_);
  const double sum = high_ + x;  // Knuth's two-sum: sum + rest is exact
  const double part = sum - high_;
  low_ += (high_ - (sum - part)) + (x - part);
  high_ = sum;
}

void FoldReference::start_from(const Element& value) {
  if (bound_ != Bound::online) return take(value, 0);
  start_ = static_cast<long double>(value.real);
}

void FoldReference::take_product(double value) {
  if (value == 0) {
    has_zero_ = true;
    return;
  }
  int power = 0;
  fraction_ = std::frexp(fraction_ * static_cast<long double>(value), &power);
  exponent_ += power;
  const double log = std::log2(std::fabs(value));
  (log > 0 ? up_ : down_) += log;
}

void FoldReference::take_online(long double value) {
  has_nan_ = has_nan_ || value != value;
  has_more_ = has_more_ || (std::isinf(value) && value > 0);
  if (!std::isfinite(value)) return;
  if (value > max_) {
    const long double ahead = value - max_;
    const long double scale = std::exp(-ahead);
    distances_ = scale == 0 ? 0 : scale * (distances_ + ahead * powers_);
    powers_ *= scale;
    max_ = value;
  }
  const long double power = std::exp(value - max_);
  powers_ += power;
  distances_ += power * (max_ - value);
}

/// An exponential e^-d is rounded as its difference is, d * u, and as its product by log2(e) is, d * u, and
/// has 4 roundings more of its own; so has each scaling, whose differences add up to d. What lies below the
/// normal numbers may be flushed.
Held FoldReference::hold_online(const Element& got) const {
  Held held;
  const bool is_nothing = std::isinf(max_) || has_nan_ || has_more_ || start_ != start_;
  const long double sum = powers_ + start_;
  held.expected = {is_nothing ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(sum), 0};
  if (is_nothing || got.real != got.real || std::isinf(sum)) {
    const bool is_nan = got.real != got.real;
    held.holds = is_nothing ? is_nan : static_cast<long double>(got.real) == sum;
    return held;
  }
  const long double slack =
      static_cast<long double>(unit_) * (static_cast<long double>(roundings_) * powers_ + 4 * distances_) +
      static_cast<long double>(count_) * (is_f64_ ? 0x1p-1022L : 0x1p-126L);
  const long double last = static_cast<long double>(unit_) * std::fabs(sum);
  return measure(sum, slack + last, got, held);
}

Held FoldReference::hold(const Element& got) const {
  Held held;
  if (bound_ == Bound::online) return hold_online(got);
  held.expected = reducer_.result(standing_);
  held.holds = is_same_element(standing_, held.expected, got);
  if (held.holds || bound_ == Bound::exact) return held;
  return dtype_class(result_) == DTypeClass::Float ? hold_float(got, held) : hold_whole(got, held);
}

/// A result that is no float: whatever one of the floats gives that it may be made of.
Held FoldReference::hold_whole(const Element& got, Held held) const {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double each : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
    const bool is_it = converted(DType::f64, result_, {each, 0}).bits == got.bits;
    if (!is_it || !hold_float({each, 0}, held).holds) continue;
    held.holds = true;
    return held;
  }
  if (bound_ == Bound::product && has_zero_) return held;  // zero, and no other
  return hold_float({is_minus_ ? -0.0 : 0.0, got.bits}, held);
}

Held FoldReference::hold_float(const Element& got, Held held) const {
  switch (bound_) {
    case Bound::exact:
      return held;
    case Bound::sum:
    case Bound::mean:
      return hold_sum(got, held);
    case Bound::product:
      return hold_product(got, held);
    case Bound::online:
      break;
  }
  return held;
}

Held FoldReference::hold_sum(const Element& got, Held held) const {
  if (has_nan_ || (has_more_ && has_less_)) return held;
  const double most =
      is_f64_ ? std::numeric_limits<double>::max() : static_cast<double>(std::numeric_limits<float>::max());
  const auto passes = [&](double magnitude, uint64_t count) {  // one alone is not rounded
    return count > 1 && !(magnitude * (1 + gamma_) < most);
  };
  const bool may_be_more = has_more_ || passes(positive_, positives_);
  const bool may_be_less = has_less_ || passes(negative_, negatives_);
  if (got.real != got.real) {
    held.holds = may_be_more && may_be_less;
    return held;
  }
  if (std::isinf(got.real)) {
    held.holds = got.real > 0 ? may_be_more && !has_less_ : may_be_less && !has_more_;
    return held;
  }
  if (has_more_ || has_less_) return held;
  long double exact = static_cast<long double>(high_) + static_cast<long double>(low_);
  if (!std::isfinite(high_)) exact = static_cast<long double>(held.expected.real);
  const long double magnitude = static_cast<long double>(positive_) + static_cast<long double>(negative_);
  long double slack = static_cast<long double>(gamma_) * magnitude;
  if (bound_ == Bound::mean) {
    const long double count = static_cast<long double>(count_);
    if (std::isfinite(high_)) exact /= count;
    slack = slack / count + 4 * static_cast<long double>(unit_) * std::fabs(exact) +
            unit_in_last_place(0, is_f64_);
  }
  return measure(exact, slack, got, held);
}

Held FoldReference::hold_product(const Element& got, Held held) const {
  if (has_nan_ || (has_zero_ && (has_more_ || has_less_))) return held;
  const double every = gamma(static_cast<double>(count_));
  const double most = is_f64_ ? 1024 : 128;
  const double least = is_f64_ ? -1022 : -126;
  const double finest = is_f64_ ? -1074 : -149;
  const bool may_overflow = up_ + std::log2(1 + every) >= most - 0x1p-20;
  const bool may_vanish = down_ < finest + 1;
  const bool may_be_infinite = has_more_ || has_less_ || may_overflow;
  if (got.real != got.real) {
    held.holds = may_be_infinite && (has_zero_ || may_vanish);
    return held;
  }
  if (std::signbit(got.real) != is_minus_) return held;
  if (std::isinf(got.real)) {
    held.holds = may_be_infinite && !has_zero_;
    return held;
  }
  if (has_more_ || has_less_) return held;
  if (has_zero_) {
    held.holds = got.real == 0;
    return held;
  }
  const int power = static_cast<int>(std::max<int64_t>(std::min<int64_t>(exponent_, 20000), -20000));
  const long double exact = std::ldexp(fraction_, power);
  long double slack = static_cast<long double>(every) * std::fabs(exact);
  if (down_ < least + 1) {
    slack += static_cast<long double>(count_) *
             std::ldexp(unit_in_last_place(0, is_f64_), static_cast<int>(std::min(up_ + 1, 4000.0)));
  }
  return measure(exact, slack, got, held);
}

Held FoldReference::measure(long double exact, long double slack, const Element& got, Held held) const {
  RowBound bound;
  bound.is_f64 = is_f64_;
  bound.slack = slack;
  bound.standing = standing_;
  bound.result = result_;
  if (dtype_class(result_) != DTypeClass::Float) {
    held.holds = bound.is_between(exact, got);
    return held;
  }
  bound.measure(exact, got, held);
  held.holds = held.holds || static_cast<long double>(got.real) == exact;
  return held;
}

}  // namespace fuseboard
