// The floating formats as bits: f16, bf16, tf32, f32, f64; what hardware gives for NaN; flushing.
// It must not know instructions.
#pragma once

#include <cstdint>

namespace fuseboard::ptx {

// libc++ 14 has no std::bit_cast.
inline float as_f32(uint32_t bits) { return __builtin_bit_cast(float, bits); }
inline double as_f64(uint64_t bits) { return __builtin_bit_cast(double, bits); }
inline uint32_t bits_of(float value) { return __builtin_bit_cast(uint32_t, value); }
inline uint64_t bits_of(double value) { return __builtin_bit_cast(uint64_t, value); }

/// The NaN that arithmetic gives (PTX ISA, Floating Point Instructions; f64 as the hardware does).
constexpr uint32_t kNaN32 = 0x7fffffff;
constexpr uint64_t kNaN64 = 0xfff8000000000000;
constexpr uint32_t kNaN16 = 0x7fff;

inline uint32_t canonical(float value) { return value != value ? kNaN32 : bits_of(value); }
inline uint64_t canonical(double value) { return value != value ? kNaN64 : bits_of(value); }

inline bool is_nan32(uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; }
inline bool is_nan64(uint64_t bits) { return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000; }

/// .ftz: a subnormal becomes a zero of its sign.
inline uint32_t flushed32(uint32_t bits) { return (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits; }
inline uint32_t flushed_f16(uint32_t bits) { return (bits & 0x7c00) == 0 ? bits & 0x8000 : bits; }

/// .sat: to [0, 1], NaN to +0.
inline uint32_t saturated32(uint32_t bits) {
  const float value = as_f32(bits);
  return bits_of(value > 0.0F ? (value < 1.0F ? value : 1.0F) : 0.0F);
}

/// Exact.
inline uint32_t f32_of_bf16(uint32_t half) { return half << 16; }

/// Exact; NaN keeps its payload.
inline uint32_t f32_of_f16(uint32_t half) {
  const uint32_t magnitude = (half & 0x7fff) << 13;
  // 2^112 moves the exponent's bias from 15 to 127, and makes subnormals normal.
  const float scaled = as_f32(magnitude) * as_f32(0x77800000);
  const uint32_t bits = magnitude >= 0x0f800000 ? magnitude | 0x7f800000 : bits_of(scaled);
  return bits | (half & 0x8000) << 16;
}

/// Rounded to nearest even; NaN becomes 0x7fff.
inline uint32_t bf16_of_f32(uint32_t bits) {
  const uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return is_nan32(bits) ? kNaN16 : rounded;
}

/// Rounded to nearest even; NaN becomes 0x7fff.
inline uint32_t f16_of_f32(uint32_t bits) {
  const uint32_t sign = bits >> 16 & 0x8000;
  const uint32_t magnitude = bits & 0x7fffffff;
  // Below 2^-14 the addition of 0.5 rounds at f16's last place; above, the carry of the integer does.
  const uint32_t subnormal = bits_of(as_f32(magnitude < 0x38800000 ? magnitude : 0) + 0.5F) - 0x3f000000;
  const uint32_t normal = (magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13;
  const uint32_t finite = magnitude < 0x38800000 ? subnormal : magnitude >= 0x47800000 ? 0x7c00 : normal;
  return magnitude > 0x7f800000 ? kNaN16 : sign | finite;
}

/// Exact: a float of either half format as a double.
inline double f64_of_f16(uint32_t half) { return static_cast<double>(as_f32(f32_of_f16(half))); }
inline double f64_of_bf16(uint32_t half) { return static_cast<double>(as_f32(f32_of_bf16(half))); }

}  // namespace fuseboard::ptx
