// Taking elements one by one.
// It must not know graphs, tensors or kernels.
#include "graph/reducer.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace fuseboard {
namespace {

constexpr std::string_view kReducers[] = {"sum", "prod", "max",    "min",   "mean",
                                          "any", "all",  "argmax", "argmin"};

/// The same word, for good; "" where it is none of them.
std::string_view known(std::string_view name) {
  const auto* found = std::find(std::begin(kReducers), std::end(kReducers), name);
  return found == std::end(kReducers) ? std::string_view() : *found;
}

}  // namespace

bool Reducer::is_known(std::string_view name) { return !known(name).empty(); }

Reducer::Reducer(std::string_view name, DType dtype)
    : name_(known(name)),
      dtype_(dtype),
      rule_(name == "any" || name == "all"    ? Rule::truth
            : name == "sum" || name == "mean" ? Rule::sum
            : name == "prod"                  ? Rule::product
                                              : Rule::extreme),
      is_float_(dtype_class(dtype) == DTypeClass::Float),
      is_f64_(dtype == DType::f64),
      wants_all_(name == "all"),
      wants_more_(name == "max" || name == "argmax"),
      is_index_(name.starts_with("arg")) {
  begin();
}

void Reducer::begin() {
  const bool is_one = rule_ == Rule::product || wants_all_;
  count_ = 0;
  wide_ = narrow_ = is_one ? 1 : 0;
  bits_ = is_one ? 1 : 0;
}

void Reducer::take(const Element& element, uint64_t index) {
  switch (rule_) {
    case Rule::truth: {
      const bool truth = is_float_ ? element.real != 0 : element.bits != 0;
      bits_ = wants_all_ ? bits_ & (truth ? 1U : 0U) : bits_ | (truth ? 1U : 0U);
      break;
    }
    case Rule::sum:
      wide_ += is_f64_ ? static_cast<long double>(element.real) : 0;
      narrow_ += element.real;
      bits_ += element.bits;
      break;
    case Rule::product:
      wide_ *= is_f64_ ? static_cast<long double>(element.real) : 1;
      narrow_ *= element.real;
      bits_ *= element.bits;
      break;
    case Rule::extreme:
      if (count_ != 0 && !wins(element, index)) break;
      best_ = element;
      best_index_ = index;
      break;
  }
  ++count_;
}

Element Reducer::result(DType to) const {
  switch (rule_) {
    case Rule::truth:
      return converted(DType::boolean, to, {0, bits_});
    case Rule::extreme:
      if (is_index_) return converted(DType::u64, to, {0, best_index_});
      return converted(dtype_, to, count_ == 0 ? lowest() : best_);
    case Rule::sum:
    case Rule::product:
      break;
  }
  const bool is_mean = name_ == "mean";
  if (!is_float_ && is_mean) {
    const double sum = converted(whole(), DType::f64, {0, bits_}).real;
    return converted(DType::f64, to, {sum / static_cast<double>(count_), 0});
  }
  if (!is_float_) return converted(wrapped(), to, converted(whole(), wrapped(), {0, bits_}));
  long double value = is_f64_ ? wide_ : static_cast<long double>(narrow_);
  if (is_mean) value /= static_cast<long double>(count_);
  return converted(DType::f64, to, {static_cast<double>(value), 0});
}

bool Reducer::wins(const Element& element, uint64_t index) const {
  const bool is_earlier = is_index_ && index < best_index_;
  if (is_float_) {
    const bool is_nan = element.real != element.real;
    if (best_.real != best_.real) return is_nan && is_earlier;
    if (is_nan) return true;
    if (element.real != best_.real)
      return wants_more_ ? element.real > best_.real : element.real < best_.real;
    if (is_index_) return is_earlier;
    return std::signbit(best_.real) == wants_more_ && std::signbit(element.real) != wants_more_;
  }
  if (element.bits == best_.bits) return is_earlier;
  const bool is_less = dtype_class(dtype_) == DTypeClass::Signed
                           ? static_cast<int64_t>(element.bits) < static_cast<int64_t>(best_.bits)
                           : element.bits < best_.bits;
  return is_less != wants_more_;
}

Element Reducer::lowest() const {
  const double infinity = std::numeric_limits<double>::infinity();
  return converted(DType::f64, dtype_, {wants_more_ ? -infinity : infinity, 0});
}

}  // namespace fuseboard
