// Halves and bfloat16 as bits: rounded to nearest even from a double, and back.
// It must not know the core's own conversions, which it helps to test.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace float_bits {

/// `value` in a format of `mantissa` stored bits whose largest exponent is `top` (15 for f16, 127 for bf16).
inline uint16_t encode(double value, int mantissa, int top) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const auto infinity = static_cast<uint16_t>((2 * top + 1) << mantissa);
  if (std::isnan(value)) return static_cast<uint16_t>(infinity | (1 << (mantissa - 1)));
  if (std::isinf(value)) return sign | infinity;
  if (value == 0) return sign;
  int exponent = 0;
  std::frexp(value, &exponent);  // |value| = 0.5 .. 1 times 2^exponent
  const int least = std::max(exponent - 1, 1 - top) - mantissa;
  const double units = std::nearbyint(std::ldexp(std::fabs(value), -least));  // ties to even
  const double rounded = std::ldexp(units, least);
  if (rounded >= std::ldexp(1.0, top + 1)) return sign | infinity;
  if (rounded < std::ldexp(1.0, 1 - top)) return sign | static_cast<uint16_t>(units);
  std::frexp(rounded, &exponent);
  const double fraction = std::ldexp(rounded, -(exponent - 1)) - 1;
  return static_cast<uint16_t>(sign | ((exponent - 1 + top) << mantissa) |
                               static_cast<int>(std::ldexp(fraction, mantissa)));
}

inline double decode(uint16_t bits, int mantissa, int top) {
  const int exponent = (bits & 0x7fff) >> mantissa;
  const int fraction = bits & ((1 << mantissa) - 1);
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 2 * top + 1) return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - top - mantissa);
  return sign * std::ldexp(fraction + (1 << mantissa), exponent - top - mantissa);
}

inline uint16_t to_half(double value) { return encode(value, 10, 15); }
inline double from_half(uint16_t bits) { return decode(bits, 10, 15); }
inline uint16_t to_bfloat(double value) { return encode(value, 7, 127); }
inline double from_bfloat(uint16_t bits) { return decode(bits, 7, 127); }

inline uint32_t bits_of(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace float_bits
