// Mixing seed, op and index into 64 bits, and reading those as a value of a dtype.
// It must not know kernels, nor where the values lie.
#include "verify/seeded_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace fuseboard {
namespace {

uint64_t mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9U;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// A binary format of IEEE 754's kind.
struct Format {
  uint32_t exponent_bits;
  uint32_t fraction_bits;

  uint64_t infinity() const { return ((uint64_t{1} << exponent_bits) - 1) << fraction_bits; }
  uint64_t least_normal() const { return uint64_t{1} << fraction_bits; }
  uint64_t sign() const { return uint64_t{1} << (exponent_bits + fraction_bits); }
  uint64_t bias() const { return (uint64_t{1} << (exponent_bits - 1)) - 1; }
};

Format format_of(DType dtype) {
  if (dtype == DType::f64) return {11, 52};
  if (dtype == DType::f32) return {8, 23};
  if (dtype == DType::bf16) return {8, 7};
  return {5, 10};
}

constexpr uint32_t kEveryOp = 0xffffffff;  ///< the stream that all ops share

uint64_t special_float(const Format& format, uint64_t random) {
  const uint64_t fraction = (random >> 8) & (format.least_normal() - 1);
  const std::array<uint64_t, 9> magnitudes = {
      0,
      format.infinity(),
      format.infinity() | format.least_normal() >> 1,  // a quiet NaN
      1,                                               // the least subnormal
      fraction,                                        // a subnormal, or zero
      format.least_normal() - 1,                       // the greatest subnormal
      format.least_normal(),
      format.infinity() - 1,                  // the greatest finite value
      format.bias() << format.fraction_bits,  // one
  };
  const uint64_t magnitude = magnitudes[(random >> 1) % magnitudes.size()];
  return (random & 1) != 0 ? magnitude | format.sign() : magnitude;
}

/// value, whose fraction fits 53 bits and whose exponent every format has, cut to the format.
uint64_t cut_to(const Format& format, double value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  const uint64_t sign = bits >> 63 != 0 ? format.sign() : 0;
  const uint64_t magnitude = bits & ~(uint64_t{1} << 63);
  if (magnitude == 0) return sign;
  const int64_t exponent = static_cast<int64_t>(magnitude >> 52) - 1023 + static_cast<int64_t>(format.bias());
  if (exponent <= 0) return sign;  // too small for the format: zero
  const uint64_t fraction = (magnitude & ((uint64_t{1} << 52) - 1)) >> (52 - format.fraction_bits);
  return sign | static_cast<uint64_t>(exponent) << format.fraction_bits | fraction;
}

uint64_t float_bits(const Format& format, uint64_t random, bool is_special) {
  const uint64_t choice = random >> 60;
  if (choice == 0 || is_special) return special_float(format, random);
  const double unit = static_cast<double>(random & ((uint64_t{1} << 52) - 1)) * 0x1p-52;
  const uint64_t low = format.fraction_bits == 52 ? random >> 52 & 0xff : 0;  // bits that `unit` has none for
  if (choice < 9) return cut_to(format, unit * 8 - 4) ^ low;
  if (choice < 12) return cut_to(format, unit * 2 - 1) ^ low;
  if (choice < 14) return cut_to(format, static_cast<double>(static_cast<int64_t>(random % 17) - 8) / 2);
  const int64_t most = format.exponent_bits == 5 ? 14 : 40;
  const int64_t exponent =
      static_cast<int64_t>((random >> 52 & 0xff) % static_cast<uint64_t>(2 * most + 1)) - most;
  const uint64_t cleared = (random >> 8) % 50;  // low bits of the fraction: ties of every rounding occur
  const double part = std::ldexp(std::floor(std::ldexp(unit, 52 - static_cast<int>(cleared))),
                                 static_cast<int>(cleared) - 52);
  double power = 1;
  for (int64_t i = 0; i < exponent; ++i) power *= 2;
  for (int64_t i = exponent; i < 0; ++i) power /= 2;
  return cut_to(format, (random & 1) != 0 ? -power * (1 + part) : power * (1 + part));
}

uint64_t integer_bits(uint32_t bits, bool is_signed, uint64_t random, bool is_special) {
  const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  const uint64_t choice = random >> 60;
  const uint64_t low = random & 0xffffffffffff;
  if (choice == 0 || is_special) {
    const uint64_t top = uint64_t{1} << (bits - 1);
    const std::array<uint64_t, 6> extremes = {0, 1, mask, top, top - 1, top + 1};
    return extremes[low % extremes.size()];
  }
  if (choice < 9) return (low % 201 - (is_signed ? 100 : 0)) & mask;
  if (choice < 13) return (low % 9 - (is_signed ? 4 : 0)) & mask;
  return mix(random) & mask;
}

uint64_t calm_float(const Format& format, uint64_t random, Calm::For purpose) {
  const double unit = static_cast<double>(random & ((uint64_t{1} << 52) - 1)) * 0x1p-52;
  const uint64_t choice = random >> 60;
  if (purpose == Calm::For::products) return cut_to(format, (choice < 8 ? 1 : -1) * (0.875 + unit / 4));
  if (purpose == Calm::For::any) return 0;
  if (choice < 11) return cut_to(format, unit * 8 - 4);
  return cut_to(format, static_cast<double>(static_cast<int64_t>(random % 17) - 8) / 2);
}

uint64_t calm_bits(DType dtype, uint64_t random, Calm::For purpose) {
  switch (dtype_class(dtype)) {
    case DTypeClass::Float:
      return calm_float(format_of(dtype), random, purpose);
    case DTypeClass::Bool:
      return purpose == Calm::For::all || (purpose != Calm::For::any && random >> 63 != 0) ? 1 : 0;
    case DTypeClass::Signed:
    case DTypeClass::Unsigned:
    case DTypeClass::Foreign:
      break;
  }
  const uint32_t bits = 8 * dtype_bytes(dtype);
  const uint64_t mask = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  switch (purpose) {
    case Calm::For::any:
      return 0;
    case Calm::For::products:
      return (random >> 60) % 4 == 0 ? mask : random >> 60 == 1 ? 3 : 1;
    case Calm::For::all:
    case Calm::For::sums:
    case Calm::For::nothing:
      break;
  }
  return integer_bits(bits, dtype_class(dtype) == DTypeClass::Signed, random | uint64_t{1} << 60, false);
}

}  // namespace

uint64_t seeded_random(uint64_t seed, uint32_t stream, uint64_t index) {
  constexpr uint64_t kGolden = 0x9e3779b97f4a7c15U;  // 2^64 over the golden ratio, splitmix64's step
  const uint64_t begin = mix(seed * kGolden + stream + 1);
  return mix(begin + (index + 1) * kGolden);
}

uint64_t seeded_bits(uint64_t seed, uint32_t op, uint64_t index, DType dtype, Calm calm) {
  uint64_t random = seeded_random(seed, op, index);
  const bool is_calm = calm.purpose != Calm::For::nothing && dtype != DType::foreign &&
                       mix(random + 1) % (8 * std::max<uint64_t>(calm.length, 1)) != 0;
  if (is_calm) return calm_bits(dtype, random, calm.purpose);
  const uint64_t shared = seeded_random(seed, kEveryOp, index);
  const bool is_meeting = shared >> 59 == 0;
  const bool is_special = is_meeting && (random >> 58 & 3) > 1;
  if (is_meeting && (random >> 58 & 3) == 1) random = shared << 5 | shared >> 59;
  switch (dtype_class(dtype)) {
    case DTypeClass::Bool:
      return random >> 63;
    case DTypeClass::Unsigned:
      return integer_bits(8 * dtype_bytes(dtype), false, random, is_special);
    case DTypeClass::Signed:
      return integer_bits(8 * dtype_bytes(dtype), true, random, is_special);
    case DTypeClass::Float:
      return float_bits(format_of(dtype), random, is_special);
    case DTypeClass::Foreign:
      break;
  }
  return random & 0xff;
}

void seeded_bytes(uint64_t seed, uint32_t op, DType dtype, uint64_t offset, std::span<uint8_t> out,
                  Calm calm) {
  const uint64_t size = std::max(dtype_bytes(dtype), 1U);
  size_t at = 0;
  while (at < out.size()) {
    const uint64_t skipped = (offset + at) % size;
    const uint64_t bits = seeded_bits(seed, op, (offset + at) / size, dtype, calm) >> (8 * skipped);
    const size_t count = std::min(static_cast<size_t>(size - skipped), out.size() - at);
    for (size_t i = 0; i < count; ++i) out[at + i] = static_cast<uint8_t>(bits >> (8 * i));
    at += count;
  }
}

}  // namespace fuseboard
