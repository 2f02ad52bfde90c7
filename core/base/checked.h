// Unsigned 64-bit arithmetic that says when it overflows: byte totals never wrap.
// It must not know what is counted.
#pragma once

#include <cstdint>
#include <optional>

namespace fuseboard {

inline std::optional<uint64_t> checked_add(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

inline std::optional<uint64_t> checked_mul(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

/// numerator / denominator, correctly rounded as Python's integer division is; denominator > 0.
/// Dividing two doubles would round three times once a count passes 2^53.
double exact_ratio(uint64_t numerator, uint64_t denominator);

}  // namespace fuseboard
