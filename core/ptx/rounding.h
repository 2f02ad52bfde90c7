// Rounding in every mode, exactly, whatever the host's: sums, products, quotients and roots of doubles, and
// from them any narrower format. It must not know instructions.
#pragma once

#include <cmath>
#include <cstdint>

#include "ptx/float_bits.h"

namespace fuseboard::ptx {

enum class Rounding : uint8_t { nearest, zero, down, up, nearest_away };

/// The double that stands for `value + error`, of which `value` is the nearest: the same where there is no
/// error, otherwise the neighbour with an odd last bit. Rounding that to a format with at least two bits less
/// rounds the exact value (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums: proved
/// algorithms using rounding to odd", 2008). A NaN for an error counts as none.
inline double to_odd(double value, double error) {
  const uint64_t bits = bits_of(value);
  const bool inexact = error < 0 || error > 0;
  const bool outward = (bits_of(error) >> 63) == (bits >> 63);
  const uint64_t step = outward ? uint64_t{1} : ~uint64_t{0};
  return as_f64(bits + ((inexact && (bits & 1) == 0) ? step : 0));
}

/// a + b to odd (Knuth's TwoSum gives the error).
inline double sum_to_odd(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return to_odd(sum, (a - (sum - part)) + (b - part));
}

/// a * b + c of values of at most 24 bits each, to odd: the product is exact.
inline double fma_to_odd(double a, double b, double c) { return sum_to_odd(a * b, c); }

/// a / b of values of at most 24 bits each, to odd.
inline double quotient_to_odd(double a, double b) {
  const double quotient = a / b;
  const double rest = std::fma(-quotient, b, a);
  return to_odd(quotient, (rest < 0) == (b < 0) ? std::fabs(rest) : -std::fabs(rest));
}

/// The root of a value of at most 24 bits, to odd.
inline double root_to_odd(double a) {
  const double root = std::sqrt(a);
  return to_odd(root, std::fma(-root, root, a));
}

/// A double that is exact or rounded to odd, as f32 in a mode: its bits, NaN canonical.
uint32_t f32_rounded(double value, Rounding rounding);

/// One of the formats that a value is rounded to. `fraction` bits behind the leading one; an exponent of
/// `exponent_bits`, biased by 2^(exponent_bits - 1) - 1.
struct FloatFormat {
  uint32_t fraction;
  uint32_t exponent_bits;
};
constexpr FloatFormat kF16{10, 5}, kBf16{7, 8}, kTf32{10, 8}, kF32{23, 8}, kF64{52, 11};

/// The value significand * 2^exponent with a sign, of which the significand's last bit may stand for all that
/// lies below it (jammed); the format's bits. A zero significand gives a zero of that sign; overflow goes to
/// infinity or the largest finite value, as the mode says.
uint64_t packed(bool negative, uint64_t significand, int exponent, FloatFormat format, Rounding rounding);

/// A double that is exact or rounded to odd, in a format: NaN all ones but the sign.
uint64_t rounded_to(double value, FloatFormat format, Rounding rounding);

/// An integer in a format.
uint64_t rounded_integer(bool negative, uint64_t magnitude, FloatFormat format, Rounding rounding);

// f64 in any mode, on bits; NaN canonical.
uint64_t add_f64(uint64_t a, uint64_t b, Rounding rounding);
uint64_t mul_f64(uint64_t a, uint64_t b, Rounding rounding);
uint64_t fma_f64(uint64_t a, uint64_t b, uint64_t c, Rounding rounding);
uint64_t div_f64(uint64_t a, uint64_t b, Rounding rounding);
uint64_t sqrt_f64(uint64_t a, Rounding rounding);

// f32 in any mode, on bits; NaN canonical.
uint32_t add_f32(uint32_t a, uint32_t b, Rounding rounding);
uint32_t mul_f32(uint32_t a, uint32_t b, Rounding rounding);
uint32_t fma_f32(uint32_t a, uint32_t b, uint32_t c, Rounding rounding);
uint32_t div_f32(uint32_t a, uint32_t b, Rounding rounding);
uint32_t sqrt_f32(uint32_t a, Rounding rounding);

/// To an integral value in a mode; NaN and infinities stay.
double integral(double value, Rounding rounding);

}  // namespace fuseboard::ptx
