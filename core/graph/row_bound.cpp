// Measuring in units in the last place.
// It must not know rows, graphs or kernels.
#include "graph/row_bound.h"

#include <algorithm>
#include <cmath>

namespace fuseboard {

long double unit_in_last_place(long double value, bool is_f64) {
  const int digits = is_f64 ? 53 : 24;
  const int least = is_f64 ? -1074 : -149;
  const int most = is_f64 ? 1024 : 128;
  if (value != value || value == 0) return std::ldexp(1.0L, least);
  int exponent = most;
  if (!std::isinf(value)) (void)std::frexp(value, &exponent);
  return std::ldexp(1.0L, std::max(std::min(exponent, most) - digits, least));
}

namespace {

/// What infinity is rounded from, near enough.
long double past_range(bool is_f64) { return std::ldexp(1.0L, is_f64 ? 1024 : 128); }

}  // namespace

long double RowBound::allowed(long double exact) const {
  // A slack that grows with the value leaves the range before the value does: there it is a share of the
  // range.
  const long double most = past_range(is_f64) / 8192;
  const long double finite = slack != slack ? 0 : std::min(slack, most);
  return ulps * unit_in_last_place(exact, is_f64) + finite;
}

void RowBound::measure(long double exact, const Element& got, Held& held) const {
  if (got.real != got.real) return;
  const long double past =
      std::ldexp(1.0L, is_f64 ? 1024 : 128);  // what infinity is rounded from, near enough
  const auto finite = [past](long double number) { return std::max(-past, std::min(past, number)); };
  const long double wide = finite(exact);
  const long double distance = std::fabs(finite(got.real) - wide);
  const long double unit = unit_in_last_place(wide, is_f64);
  const bool is_narrowed = is_f64 && standing != DType::f64;
  const long double narrowing = is_narrowed ? unit_in_last_place(wide, false) / 2 : 0;
  const long double distance_allowed = allowed(wide);
  held.ulps = static_cast<double>(distance / unit);
  held.bound = static_cast<double>((distance_allowed + narrowing) / unit);
  held.holds = distance_allowed > 0 && distance <= distance_allowed + narrowing;
}

bool RowBound::is_between(long double exact, const Element& got) const {
  const long double distance = allowed(exact);
  const auto as_result = [&](long double value) {
    Element element{static_cast<double>(value), 0};
    if (!is_f64) element = converted(DType::f64, DType::f32, element);
    return converted(is_f64 ? DType::f64 : DType::f32, result, element);
  };
  const Element least = as_result(exact - distance);
  const Element most = as_result(exact + distance);
  switch (dtype_class(result)) {
    case DTypeClass::Bool:
      return distance > 0 && exact - distance <= 0 && exact + distance >= 0;
    case DTypeClass::Signed:
      return static_cast<int64_t>(least.bits) <= static_cast<int64_t>(got.bits) &&
             static_cast<int64_t>(got.bits) <= static_cast<int64_t>(most.bits);
    case DTypeClass::Unsigned:
      return least.bits <= got.bits && got.bits <= most.bits;
    case DTypeClass::Float:
    case DTypeClass::Foreign:
      break;
  }
  return false;
}

}  // namespace fuseboard
