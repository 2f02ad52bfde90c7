// Elements in memory, as text, and from one dtype to another.
// It must not know ops or graphs.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "graph/evaluate.h"

namespace fuseboard {
namespace {

double double_of(uint64_t bits) { return __builtin_bit_cast(double, bits); }
uint64_t bits_of(double value) { return __builtin_bit_cast(uint64_t, value); }

struct FloatFormat {
  int mantissa;  ///< bits after the point
  int bias;
  int width;
};
FloatFormat format_of(DType dtype) {
  if (dtype == DType::f16) return {10, 15, 16};
  if (dtype == DType::bf16) return {7, 127, 16};
  return {23, 127, 32};
}

/// A narrow float's bits as a double, NaN payloads kept where they have room.
double widened(uint64_t bits, const FloatFormat& format) {
  const int exponent_bits = format.width - 1 - format.mantissa;
  const uint64_t sign = bits >> (format.width - 1);
  const uint64_t exponent = bits >> format.mantissa & ((uint64_t{1} << exponent_bits) - 1);
  const uint64_t mantissa = bits & ((uint64_t{1} << format.mantissa) - 1);
  if (exponent == (uint64_t{1} << exponent_bits) - 1) {
    return double_of(sign << 63 | uint64_t{0x7ff} << 52 | mantissa << (52 - format.mantissa));
  }
  const double magnitude = exponent == 0
                               ? std::ldexp(static_cast<double>(mantissa), 1 - format.bias - format.mantissa)
                               : std::ldexp(static_cast<double>(mantissa | uint64_t{1} << format.mantissa),
                                            static_cast<int>(exponent) - format.bias - format.mantissa);
  return sign != 0 ? -magnitude : magnitude;
}

/// To nearest, ties to even. NaN: f32 keeps its payload, f16 and bf16 become 7FFF, as cvt makes them.
uint64_t narrowed(double value, const FloatFormat& format) {
  const uint64_t sign = bits_of(value) >> 63 << (format.width - 1);
  const uint64_t top = ((uint64_t{1} << (format.width - 1 - format.mantissa)) - 1) << format.mantissa;
  if (value != value) {
    if (format.width == 16) return 0x7fff;
    const uint64_t payload = bits_of(value) >> 29 & 0x7fffff;
    return sign | top | (payload == 0 ? 0x400000 : payload);
  }
  if (std::isinf(value)) return sign | top;
  if (value == 0) return sign;
  int exponent = 0;
  (void)std::frexp(value, &exponent);
  const int unit = std::max(exponent - 1, 1 - format.bias) - format.mantissa;
  const auto scaled = static_cast<uint64_t>(std::nearbyint(std::ldexp(std::fabs(value), -unit)));
  // scaled carries the hidden bit, which is 1 in the exponent field; a subnormal has none.
  const uint64_t field = static_cast<uint64_t>(unit + format.mantissa + format.bias - 1) << format.mantissa;
  return sign | std::min(field + scaled, top);
}

uint64_t extended(uint64_t bits, DType dtype) {
  const uint32_t width = 8 * dtype_bytes(dtype);
  if (width == 64) return bits;
  bits &= (uint64_t{1} << width) - 1;
  const bool negative = dtype_class(dtype) == DTypeClass::Signed && (bits >> (width - 1)) != 0;
  return negative ? bits | ~uint64_t{0} << width : bits;
}

uint64_t cut(double value, DType dtype) {
  if (value != value) return 0;
  const int width = static_cast<int>(8 * dtype_bytes(dtype));
  const bool is_signed = dtype_class(dtype) == DTypeClass::Signed;
  const double past = std::ldexp(1.0, is_signed ? width - 1 : width);
  const double low = is_signed ? -past : 0;
  const uint64_t most = is_signed ? (uint64_t{1} << (width - 1)) - 1 : ~uint64_t{0} >> (64 - width);
  if (value >= past) return most;
  if (value <= low) return is_signed ? extended(uint64_t{1} << (width - 1), dtype) : 0;
  return is_signed ? static_cast<uint64_t>(static_cast<int64_t>(value)) : static_cast<uint64_t>(value);
}

/// A 64-bit integer as a float of a dtype, rounded once: past 53 bits the rest is kept as a sticky bit.
double rounded_integer(uint64_t bits, bool is_signed, DType to) {
  const bool negative = is_signed && static_cast<int64_t>(bits) < 0;
  uint64_t magnitude = negative ? 0 - bits : bits;
  if (to == DType::f64) {
    const double value = static_cast<double>(magnitude);
    return negative ? -value : value;
  }
  int shift = 0;
  if ((magnitude >> 53) != 0) {
    shift = 12;
    const uint64_t lost = magnitude & 0xfff;
    magnitude = magnitude >> 12 | (lost != 0 ? 1 : 0);
  }
  const double exact = std::ldexp(static_cast<double>(magnitude), shift);
  return negative ? -exact : exact;
}

}  // namespace

Element element_from_bytes(DType dtype, const uint8_t* bytes) {
  uint64_t raw = 0;
  for (uint32_t i = dtype_bytes(dtype); i-- > 0;) raw = raw << 8 | bytes[i];
  switch (dtype_class(dtype)) {
    case DTypeClass::Float:
      return {dtype == DType::f64 ? double_of(raw) : widened(raw, format_of(dtype)), 0};
    case DTypeClass::Bool:
      return {0, raw != 0 ? 1U : 0U};
    case DTypeClass::Signed:
    case DTypeClass::Unsigned:
      return {0, extended(raw, dtype)};
    case DTypeClass::Foreign:
      break;
  }
  return {};
}

void element_to_bytes(DType dtype, Element element, uint8_t* bytes) {
  uint64_t raw = element.bits;
  if (dtype_class(dtype) == DTypeClass::Float) {
    raw = dtype == DType::f64 ? bits_of(element.real) : narrowed(element.real, format_of(dtype));
  }
  if (dtype == DType::boolean) raw = raw != 0 ? 1 : 0;
  for (uint32_t i = 0; i < dtype_bytes(dtype); ++i) bytes[i] = static_cast<uint8_t>(raw >> (8 * i));
}

std::string element_text(DType dtype, Element element) {
  switch (dtype_class(dtype)) {
    case DTypeClass::Bool:
      return element.bits != 0 ? "true" : "false";
    case DTypeClass::Unsigned:
      return std::to_string(element.bits);
    case DTypeClass::Signed:
      return std::to_string(static_cast<int64_t>(element.bits));
    case DTypeClass::Float:
    case DTypeClass::Foreign:
      break;
  }
  const double value = element.real;
  if (value != value) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char text[40];
  for (const int digits : {6, 9, 17}) {  // the shortest of these that says which value of its dtype it is
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (converted(DType::f64, dtype == DType::foreign ? DType::f64 : dtype, {std::strtod(text, nullptr), 0})
            .real == value)
      return text;
  }
  std::snprintf(text, sizeof text, "%a", value);
  return text;
}

Element converted(DType from, DType to, Element element) {
  const DTypeClass source = dtype_class(from);
  switch (dtype_class(to)) {
    case DTypeClass::Bool:
      return {0, (source == DTypeClass::Float ? element.real != 0 : element.bits != 0) ? 1U : 0U};
    case DTypeClass::Signed:
    case DTypeClass::Unsigned:
      return {0, source == DTypeClass::Float ? cut(element.real, to) : extended(element.bits, to)};
    case DTypeClass::Float:
      break;
    case DTypeClass::Foreign:
      return {};
  }
  double value = element.real;
  if (source != DTypeClass::Float) value = rounded_integer(element.bits, source == DTypeClass::Signed, to);
  if (to == DType::f64) return {value, 0};
  return {widened(narrowed(value, format_of(to)), format_of(to)), 0};
}

}  // namespace fuseboard
