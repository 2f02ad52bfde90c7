// What the op table's reference column may use besides C++'s own arithmetic and <cmath>: integers that wrap,
// bits, and the functions that C++ has no name for. It must not know ops or graphs.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace fuseboard::reference {

using std::ceil;
using std::fabs;
using std::floor;
using std::fma;
using std::fmod;
using std::nearbyint;
using std::pow;
using std::round;

/// An integer of a dtype: arithmetic wraps to its width. A plain number (width 0) takes the width of what it
/// meets.
struct Whole {
  uint64_t bits = 0;  ///< sign- or zero-extended
  uint32_t width = 0;
  bool is_signed = true;

  Whole() = default;
  template <class Int, std::enable_if_t<std::is_same_v<Int, int>, int> = 0>
  Whole(Int value) : bits(static_cast<uint64_t>(static_cast<int64_t>(value))) {}  // NOLINT: a literal is one
  Whole(uint64_t value, uint32_t width_, bool is_signed_)
      : bits(value), width(width_), is_signed(is_signed_) {
    if (width == 0 || width == 64) return;
    bits &= (uint64_t{1} << width) - 1;
    if (is_signed && (bits >> (width - 1)) != 0) bits |= ~uint64_t{0} << width;
  }

  int64_t as_signed() const { return static_cast<int64_t>(bits); }
  bool is_zero() const { return bits == 0; }
  bool is_negative() const { return is_signed && as_signed() < 0; }
  /// The low `width` bits alone.
  uint64_t pattern() const { return width == 0 || width == 64 ? bits : bits & ((uint64_t{1} << width) - 1); }
  Whole like(uint64_t value) const { return {value, width, is_signed}; }
  explicit operator bool() const { return bits != 0; }

  friend const Whole& wider(const Whole& a, const Whole& b) { return a.width == 0 ? b : a; }
  friend Whole operator+(Whole a, Whole b) { return wider(a, b).like(a.bits + b.bits); }
  friend Whole operator-(Whole a, Whole b) { return wider(a, b).like(a.bits - b.bits); }
  friend Whole operator*(Whole a, Whole b) { return wider(a, b).like(a.bits * b.bits); }
  friend Whole operator-(Whole a) { return a.like(0 - a.bits); }
  friend Whole operator&(Whole a, Whole b) { return wider(a, b).like(a.bits & b.bits); }
  friend Whole operator|(Whole a, Whole b) { return wider(a, b).like(a.bits | b.bits); }
  friend Whole operator^(Whole a, Whole b) { return wider(a, b).like(a.bits ^ b.bits); }
  friend Whole operator~(Whole a) { return a.like(~a.bits); }
  friend bool operator==(Whole a, Whole b) { return a.bits == b.bits; }
  friend bool operator!=(Whole a, Whole b) { return a.bits != b.bits; }
  friend bool operator<(Whole a, Whole b) {
    return wider(a, b).is_signed ? a.as_signed() < b.as_signed() : a.bits < b.bits;
  }
  friend bool operator>(Whole a, Whole b) { return b < a; }
  friend bool operator<=(Whole a, Whole b) { return !(b < a); }
  friend bool operator>=(Whole a, Whole b) { return !(a < b); }
  /// Truncates; by zero gives all ones, the lowest value by -1 itself (XLA's rules).
  friend Whole operator/(Whole a, Whole b) {
    if (b.is_zero()) return a.like(~uint64_t{0});
    if (!a.is_signed) return a.like(a.bits / b.bits);
    if (b.as_signed() == -1) return -a;
    return a.like(static_cast<uint64_t>(a.as_signed() / b.as_signed()));
  }
};

/// The remainder of the truncated quotient; by zero the dividend (XLA's rule).
inline Whole fmod(Whole a, Whole b) {
  if (b.is_zero()) return a;
  if (!a.is_signed) return a.like(a.bits % b.bits);
  if (b.as_signed() == -1) return a.like(0);
  return a.like(static_cast<uint64_t>(a.as_signed() % b.as_signed()));
}
inline Whole fabs(Whole a) { return a.is_negative() ? -a : a; }
inline Whole fma(Whole a, Whole b, Whole c) { return a * b + c; }
inline Whole floor(Whole a) { return a; }
inline Whole ceil(Whole a) { return a; }
inline Whole round(Whole a) { return a; }
inline Whole nearbyint(Whole a) { return a; }

/// By squaring, wrapping. To a negative power: 1 and -1 keep their values, all else gives 0 (XLA's rule).
inline Whole pow(Whole a, Whole b) {
  uint64_t exponent = b.bits;
  if (b.is_negative()) {
    if (a.bits != 1 && a.as_signed() != -1) return a.like(0);
    exponent &= 1;
  }
  Whole power = a.like(1);
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) power = power * a;
    a = a * a;
  }
  return power;
}

/// Bits past the width are lost; a shift by the width or more, or by a negative number, loses them all.
inline Whole shifted_left(Whole a, Whole b) {
  return a.like(b.pattern() < a.width ? a.bits << b.pattern() : 0);
}
inline Whole shifted_right(Whole a, Whole b) {
  return a.like(b.pattern() < a.width ? a.pattern() >> b.pattern() : 0);
}
inline Whole shifted_right_by_sign(Whole a, Whole b) {
  const Whole with_sign(a.bits, a.width, true);
  const uint64_t by = b.pattern() < a.width ? b.pattern() : a.width - 1;
  return a.like(static_cast<uint64_t>(with_sign.as_signed() >> by));
}
inline Whole popcount(Whole a) { return a.like(static_cast<uint64_t>(__builtin_popcountll(a.pattern()))); }
inline Whole clz(Whole a) {
  const uint64_t pattern = a.pattern();
  return a.like(pattern == 0 ? a.width : static_cast<uint64_t>(__builtin_clzll(pattern)) - (64 - a.width));
}

/// The larger, with NaN where either is and -0 below +0 (IEEE 754-2019, maximum).
inline Whole maximum(Whole a, Whole b) { return a < b ? wider(b, a).like(b.bits) : wider(a, b).like(a.bits); }
inline Whole minimum(Whole a, Whole b) { return b < a ? wider(b, a).like(b.bits) : wider(a, b).like(a.bits); }
template <std::floating_point Float, class Other>
Float maximum(Float a, Other second) {
  const Float b = static_cast<Float>(second);
  if (a != a || b != b) return std::numeric_limits<Float>::quiet_NaN();
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
template <std::floating_point Float, class Other>
Float minimum(Float a, Other second) {
  const Float b = static_cast<Float>(second);
  if (a != a || b != b) return std::numeric_limits<Float>::quiet_NaN();
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

/// a with fewer exponent and mantissa bits: ties to even, past the range infinite, below it zero (XLA's
/// reduce-precision). Float is float or double.
template <std::floating_point Float>
Float rounded(Float a, double exponent_bits, double mantissa_bits) {
  constexpr int kMantissa = std::numeric_limits<Float>::digits - 1;
  constexpr int kMost = std::numeric_limits<Float>::max_exponent - 1;
  if (a != a || std::isinf(a) || a == 0) return a;
  int exponent = 0;
  (void)std::frexp(a, &exponent);
  const int unit = std::max(exponent - 1, 1 - kMost) - static_cast<int>(mantissa_bits);
  Float out = a;
  if (mantissa_bits < kMantissa) {
    const Float scaled = std::ldexp(a, -unit);
    Float whole = std::nearbyint(scaled);
    // Without a mantissa bit the even neighbour is the one whose exponent field is even.
    const bool is_even = (exponent - 1 + kMost) % 2 == 0;
    if (mantissa_bits == 0 && std::fabs(scaled) == Float(1.5) && is_even) whole = std::copysign(Float(1), a);
    out = std::ldexp(whole, unit);
  }
  const int bias = std::min(kMost, (1 << (static_cast<int>(exponent_bits) - 1)) - 1);
  if (std::isinf(out) || (bias < kMost && std::fabs(out) >= std::ldexp(Float(1), bias + 1))) {
    return std::copysign(std::numeric_limits<Float>::infinity(), a);
  }
  return bias < kMost && std::fabs(out) < std::ldexp(Float(1), 1 - bias) ? std::copysign(Float(0), a) : out;
}

/// bool operands of and, or, xor, not.
struct Bit {
  bool on = false;
  friend Bit operator&(Bit a, Bit b) { return {a.on && b.on}; }
  friend Bit operator|(Bit a, Bit b) { return {a.on || b.on}; }
  friend Bit operator^(Bit a, Bit b) { return {a.on != b.on}; }
  friend Bit operator~(Bit a) { return {!a.on}; }
};

}  // namespace fuseboard::reference
