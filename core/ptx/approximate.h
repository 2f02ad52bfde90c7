// The exact functions behind ex2, lg2, tanh, sin and cos, to about 2^-48 in doubles and without branches, so
// that 32 lanes of them become vectors. It must not know instructions.
#pragma once

#include <cmath>
#include <cstdint>

#include "ptx/float_bits.h"

namespace fuseboard::ptx {

constexpr double kLn2 = 0.693147180559945309417;

/// By Horner's rule, the highest power first.
template <size_t N>
inline double polynomial(const double (&terms)[N], double x) {
  double sum = terms[0];
  for (size_t i = 1; i < N; ++i) sum = sum * x + terms[i];
  return sum;
}

/// (2^f - 1) / f for |f| <= 1/2, by 13 terms of the exponential series: the 14th is below 2^-53.
inline double exp2_slope(double f) {
  const double y = f * kLn2;
  constexpr double kTerms[] = {1.0 / 6227020800.0,
                               1.0 / 479001600.0,
                               1.0 / 39916800.0,
                               1.0 / 3628800.0,
                               1.0 / 362880.0,
                               1.0 / 40320.0,
                               1.0 / 5040.0,
                               1.0 / 720.0,
                               1.0 / 120.0,
                               1.0 / 24.0,
                               1.0 / 6.0,
                               0.5,
                               1.0};
  return polynomial(kTerms, y) * kLn2;
}

/// x = n + f with |f| <= 1/2, n in the low bits of a double; |x| < 2^31.
struct WholeAndFraction {
  uint64_t whole;  ///< two's complement, above 2^51 other bits
  double fraction;
};
inline WholeAndFraction split(double x) {
  const double magic = 0x1.8p52;
  const double shifted = x + magic;
  return {bits_of(shifted), x - (shifted - magic)};
}

inline double within(double x, double least, double most) {
  const double up = x > least ? x : least;
  return up < most ? up : most;
}

/// 2^x; 2^-160 and 2^130 beyond, which no f32 holds. Not for NaN.
inline double exp2_double(double x) {
  const WholeAndFraction parts = split(within(x, -160.0, 130.0));
  const double power = 1.0 + parts.fraction * exp2_slope(parts.fraction);
  return as_f64(bits_of(power) + (parts.whole << 52));
}

/// tanh(x), also near zero: e = e^2x - 1 = 2^n (2^f - 1) + (2^n - 1), then e / (e + 2). Not for NaN.
inline double tanh_double(double x) {
  const double scaled = within(x, -40.0, 40.0) * (2.0 / kLn2);
  const WholeAndFraction parts = split(scaled);
  const double power = as_f64(0x3ff0000000000000 + (parts.whole << 52));
  const double e = power * (parts.fraction * exp2_slope(parts.fraction)) + (power - 1.0);
  return e / (e + 2.0);
}

/// log2 of a positive finite double that is normal, by the series of the inverse hyperbolic tangent.
inline double log2_double(double x) {
  // The exponent counts from sqrt(1/2), so that the mantissa lies in [sqrt(1/2), sqrt(2)).
  const uint64_t root_half = 0x3fe6a09e667f3bcd;
  const uint64_t shifted = bits_of(x) - root_half;
  const uint64_t biased = (shifted + (uint64_t{1024} << 52)) >> 52;  // no negative numbers
  const double exponent = as_f64(0x4330000000000000 | biased) - (0x1p52 + 1024.0);
  const double mantissa = as_f64((shifted & 0x000fffffffffffff) + root_half);
  const double s = (mantissa - 1.0) / (mantissa + 1.0);
  const double z = s * s;
  constexpr double kTerms[] = {1.0 / 21.0, 1.0 / 19.0, 1.0 / 17.0, 1.0 / 15.0, 1.0 / 13.0, 1.0 / 11.0,
                               1.0 / 9.0,  1.0 / 7.0,  1.0 / 5.0,  1.0 / 3.0,  1.0};
  return exponent + s * polynomial(kTerms, z) * (2.0 / kLn2);
}

}  // namespace fuseboard::ptx
