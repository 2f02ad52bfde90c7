// Directed rounding by integers: significands of up to 126 bits, jammed into 64 and rounded once.
// It must not know instructions.
#include "ptx/rounding.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace fuseboard::ptx {
namespace {

__extension__ using Wide = unsigned __int128;

/// Whether a magnitude with something cut off goes one up: `half` compares the rest with half a unit (-1, 0,
/// 1).
bool goes_up(Rounding rounding, bool negative, bool odd, int half, bool inexact) {
  switch (rounding) {
    case Rounding::nearest:
      return half > 0 || (half == 0 && odd);
    case Rounding::nearest_away:
      return half >= 0;
    case Rounding::zero:
      return false;
    case Rounding::down:
      return inexact && negative;
    case Rounding::up:
      return inexact && !negative;
  }
  return false;
}

struct Parts {
  bool negative;
  uint64_t significand;  // with its leading bit
  int exponent;          // of the significand's last bit
};

/// Of a finite value.
Parts parts_of(uint64_t bits) {
  const uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
  const int biased = static_cast<int>(bits >> 52 & 0x7ff);
  return {bits >> 63 != 0, biased == 0 ? fraction : fraction | uint64_t{1} << 52, std::max(biased, 1) - 1075};
}

bool is_zero(uint64_t bits) { return bits << 1 == 0; }
bool is_finite(uint64_t bits) { return (bits >> 52 & 0x7ff) != 0x7ff; }

Wide jammed_right(Wide value, int shift) {
  if (shift <= 0) return value;
  if (shift >= 128) return value != 0 ? 1 : 0;
  const Wide kept = value >> shift;
  return kept | (kept << shift != value ? 1 : 0);
}

int width(Wide value) {
  const auto high = static_cast<uint64_t>(value >> 64);
  return high != 0 ? 128 - std::countl_zero(high) : 64 - std::countl_zero(static_cast<uint64_t>(value));
}

uint64_t packed_wide(bool negative, Wide value, int exponent, Rounding rounding) {
  const int shift = std::max(width(value) - 64, 0);
  return packed(negative, static_cast<uint64_t>(jammed_right(value, shift)), exponent + shift, kF64,
                rounding);
}

/// The zero that an exact sum of opposite signs gives.
uint64_t zero_sum(Rounding rounding) { return rounding == Rounding::down ? uint64_t{1} << 63 : 0; }

/// Two magnitudes with their exponents, added as their signs say.
uint64_t sum(bool a_negative, Wide a, int a_exponent, bool b_negative, Wide b, int b_exponent,
             Rounding rounding) {
  // Both to 126 bits, then the smaller to the larger's exponent: what it loses then is below any
  // cancellation.
  const int a_up = 126 - width(a), b_up = 126 - width(b);
  a <<= a_up;
  b <<= b_up;
  a_exponent -= a_up;
  b_exponent -= b_up;
  const int exponent = std::max(a_exponent, b_exponent);
  a = jammed_right(a, exponent - a_exponent);
  b = jammed_right(b, exponent - b_exponent);
  if (a_negative == b_negative) return packed_wide(a_negative, a + b, exponent, rounding);
  if (a == b) return zero_sum(rounding);
  return a > b ? packed_wide(a_negative, a - b, exponent, rounding)
               : packed_wide(b_negative, b - a, exponent, rounding);
}

uint32_t narrowed(double value, Rounding rounding) { return f32_rounded(value, rounding); }

}  // namespace

uint64_t packed(bool negative, uint64_t significand, int exponent, FloatFormat format, Rounding rounding) {
  const uint64_t sign = static_cast<uint64_t>(negative) << (format.fraction + format.exponent_bits);
  if (significand == 0) return sign;
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const int leading = exponent + 63 - std::countl_zero(significand);  // of the value
  const int least = 1 - bias;
  // The exponent of the format's last place at this value.
  const int place = std::max(leading, least) - static_cast<int>(format.fraction);
  const int cut = place - exponent;
  uint64_t kept = significand;
  if (cut > 64) {
    kept = goes_up(rounding, negative, false, -1, true) ? 1 : 0;
  } else if (cut > 0) {
    kept = cut == 64 ? 0 : significand >> cut;
    const uint64_t rest = cut == 64 ? significand : significand & ((uint64_t{1} << cut) - 1);
    const uint64_t half = uint64_t{1} << (cut - 1);
    kept += goes_up(rounding, negative, (kept & 1) != 0,
                    rest < half   ? -1
                    : rest > half ? 1
                                  : 0,
                    rest != 0)
                ? 1
                : 0;
  } else {
    kept = significand << -cut;
  }
  // Adding the exponent to the fraction with its leading bit carries a rounding over into the exponent.
  const uint64_t biased = static_cast<uint64_t>(std::max(leading, least) - least);
  const uint64_t result = (biased << format.fraction) + kept;
  const uint64_t infinity = ((uint64_t{1} << format.exponent_bits) - 1) << format.fraction;
  if (result >= infinity || leading > bias) {
    const bool to_infinity = rounding == Rounding::nearest || rounding == Rounding::nearest_away ||
                             rounding == (negative ? Rounding::down : Rounding::up);
    return sign | (to_infinity ? infinity : infinity - 1);
  }
  return sign | result;
}

uint64_t rounded_to(double value, FloatFormat format, Rounding rounding) {
  const uint64_t bits = bits_of(value);
  const uint64_t infinity = ((uint64_t{1} << format.exponent_bits) - 1) << format.fraction;
  if (value != value) return infinity | ((uint64_t{1} << format.fraction) - 1);
  if (!is_finite(bits)) return infinity | (bits >> 63) << (format.fraction + format.exponent_bits);
  const Parts parts = parts_of(bits);
  return packed(parts.negative, parts.significand, parts.exponent, format, rounding);
}

uint64_t rounded_integer(bool negative, uint64_t magnitude, FloatFormat format, Rounding rounding) {
  return packed(negative, magnitude, 0, format, rounding);
}

uint32_t f32_rounded(double value, Rounding rounding) {
  return value != value ? kNaN32 : static_cast<uint32_t>(rounded_to(value, kF32, rounding));
}

uint64_t fma_f64(uint64_t a, uint64_t b, uint64_t c, Rounding rounding) {
  const double nearest = std::fma(as_f64(a), as_f64(b), as_f64(c));
  if (rounding == Rounding::nearest) return canonical(nearest);
  if (!is_finite(a) || !is_finite(b) || !is_finite(c)) return canonical(nearest);
  const Parts x = parts_of(a), y = parts_of(b), z = parts_of(c);
  const bool negative = x.negative != y.negative;
  if (is_zero(a) || is_zero(b)) {
    if (!is_zero(c)) return c;
    return negative == z.negative ? c : zero_sum(rounding);
  }
  const Wide product = static_cast<Wide>(x.significand) * y.significand;
  const int exponent = x.exponent + y.exponent;
  if (is_zero(c)) return packed_wide(negative, product, exponent, rounding);
  return sum(negative, product, exponent, z.negative, z.significand, z.exponent, rounding);
}

uint64_t add_f64(uint64_t a, uint64_t b, Rounding rounding) {
  if (rounding == Rounding::nearest) return canonical(as_f64(a) + as_f64(b));
  return fma_f64(a, bits_of(1.0), b, rounding);
}

uint64_t mul_f64(uint64_t a, uint64_t b, Rounding rounding) {
  if (rounding == Rounding::nearest || is_zero(a) || is_zero(b)) return canonical(as_f64(a) * as_f64(b));
  return fma_f64(a, b, 0, rounding);
}

uint64_t div_f64(uint64_t a, uint64_t b, Rounding rounding) {
  if (rounding == Rounding::nearest || is_zero(a) || is_zero(b) || !is_finite(a) || !is_finite(b))
    return canonical(as_f64(a) / as_f64(b));
  const Parts x = parts_of(a), y = parts_of(b);
  const int up = 126 - width(x.significand);
  const Wide dividend = static_cast<Wide>(x.significand) << up;
  Wide quotient = dividend / y.significand;
  if (quotient * y.significand != dividend) quotient |= 1;
  return packed_wide(x.negative != y.negative, quotient, x.exponent - up - y.exponent, rounding);
}

uint64_t sqrt_f64(uint64_t a, Rounding rounding) {
  const double nearest = std::sqrt(as_f64(a));
  if (rounding == Rounding::nearest || is_zero(a) || !is_finite(a) || a >> 63 != 0) return canonical(nearest);
  // Scaled so that the residual neither overflows nor falls below the least double.
  const bool small = as_f64(a) < 1.0;
  const double scale = small ? 0x1p600 : 1.0;
  const double value = as_f64(a) * scale;
  const double root = std::sqrt(value);
  const double rest = std::fma(-root, root, value);
  const Parts parts = parts_of(bits_of(root));
  const uint64_t jam = (parts.significand << 8) + (rest > 0 ? 1 : rest < 0 ? ~uint64_t{0} : 0);
  return packed(false, jam, parts.exponent - 8 - (small ? 300 : 0), kF64, rounding);
}

uint32_t add_f32(uint32_t a, uint32_t b, Rounding rounding) {
  const auto x = static_cast<double>(as_f32(a)), y = static_cast<double>(as_f32(b));
  const double value = sum_to_odd(x, y);
  if (value == 0 && rounding == Rounding::down && (a ^ b) >> 31 != 0) return 0x80000000;
  return narrowed(value, rounding);
}

uint32_t mul_f32(uint32_t a, uint32_t b, Rounding rounding) {
  return narrowed(static_cast<double>(as_f32(a)) * static_cast<double>(as_f32(b)), rounding);
}

uint32_t fma_f32(uint32_t a, uint32_t b, uint32_t c, Rounding rounding) {
  const double product = static_cast<double>(as_f32(a)) * static_cast<double>(as_f32(b));
  const double value = sum_to_odd(product, static_cast<double>(as_f32(c)));
  if (value == 0 && rounding == Rounding::down && (bits_of(product) >> 63) != (c >> 31)) return 0x80000000;
  return narrowed(value, rounding);
}

uint32_t div_f32(uint32_t a, uint32_t b, Rounding rounding) {
  return narrowed(quotient_to_odd(static_cast<double>(as_f32(a)), static_cast<double>(as_f32(b))), rounding);
}

uint32_t sqrt_f32(uint32_t a, Rounding rounding) {
  return narrowed(root_to_odd(static_cast<double>(as_f32(a))), rounding);
}

double integral(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::zero:
      return std::trunc(value);
    case Rounding::down:
      return std::floor(value);
    case Rounding::up:
      return std::ceil(value);
    case Rounding::nearest_away:
      return std::round(value);
    case Rounding::nearest:
      break;
  }
  // Away from 2^52 the sum with it keeps no fraction, and rounds to even as all sums do.
  const double large = 0x1p52;
  if (!(std::fabs(value) < large)) return value;
  const double magnitude = (std::fabs(value) + large) - large;
  return std::copysign(magnitude, value);
}

}  // namespace fuseboard::ptx
