// What one fold of a row must be, and how far another order of additions may lead from it.
// It must not know rows' threads, traces or PTX.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "graph/evaluate.h"
#include "graph/fusion_graph.h"
#include "graph/reducer.h"

namespace fuseboard {

/// Max, min, any, all, argmax, argmin and whatever is folded as integers are held exactly. A float sum of
/// `depth` additions, in whatever order, is within gamma(depth) * sum|x| of the exact one, where gamma(h) =
/// h * u / (1 - h * u) and u is the unit roundoff (Higham, "Accuracy and Stability of Numerical Algorithms",
/// section 4.2: depth is the most additions that one operand goes through). A mean adds four roundings for
/// the division by the count; a product of n is within gamma(n) of itself (section 3.4: each multiplication's
/// rounding is a factor of the whole), as long as no partial product leaves the range. What may overflow in
/// some order may be infinite, or NaN where both signs may.
class FoldReference {
 public:
  /// Of a reduce of a sound graph with its operand's values as a kernel holds them: f16 and bf16 as f32.
  /// Nothing where its reducer has no reference: `fault` says so.
  static std::optional<FoldReference> make(const FusionGraph& graph, uint32_t reduce, uint64_t depth,
                                           std::string& fault);

  /// Of a sum of exp(x - max x) that is folded online: it takes the values x, and is held within the bounds
  /// of exponentials that are scaled again in each of `passes`.
  static FoldReference make_online(DType standing, uint64_t depth, uint64_t passes);

  void begin();
  /// The initial value of the reduce: one element more, but for an online sum, where it is added as it is.
  void start_from(const Element& value);
  /// Every column once, in any order.
  void take(const Element& value, uint64_t column);
  Held hold(const Element& got) const;

 private:
  FoldReference(std::string_view name, DType operand, DType result);
  Held hold_whole(const Element& got, Held held) const;
  Held hold_float(const Element& got, Held held) const;
  Held hold_sum(const Element& got, Held held) const;
  Held hold_product(const Element& got, Held held) const;
  /// A finite value, `slack` away at most.
  Held measure(long double exact, long double slack, const Element& got, Held held) const;
  void take_product(double value);
  double gamma(double roundings) const;  ///< Higham's
  void take_online(long double value);
  Held hold_online(const Element& got) const;

  enum class Bound : uint8_t { exact, sum, mean, product, online };

  Reducer reducer_;
  Bound bound_ = Bound::exact;
  DType standing_ = DType::f32;  ///< of the result in a kernel
  DType result_ = DType::f32;    ///< the op's own
  bool is_f64_ = false;
  double gamma_ = 0;
  double unit_ = 0;
  uint64_t count_ = 0;
  double high_ = 0, low_ = 0;               ///< the sum, in two parts
  double positive_ = 0, negative_ = 0;      ///< sums of the finite values of a sign, as magnitudes
  uint64_t positives_ = 0, negatives_ = 0;  ///< how many those are
  bool has_nan_ = false, has_more_ = false, has_less_ = false;  ///< NaN, infinity, -infinity
  bool has_zero_ = false, is_minus_ = false;
  long double fraction_ = 1;  ///< the product of the finite values that are not zero, and its power of two
  int64_t exponent_ = 0;
  double up_ = 0, down_ = 0;  ///< log2 of the products of those above 1 and below
  /// Online: the maximum so far, the sum of powers, and of powers times their distances from the maximum.
  long double max_ = 0, powers_ = 0, distances_ = 0;
  long double start_ = 0;  ///< online: the initial value
  double roundings_ = 0;
};

/// How the value of a dtype stands in a kernel: f16 and bf16 as f32.
DType standing_of(DType dtype);

}  // namespace fuseboard
