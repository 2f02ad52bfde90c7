// Numbers as people type them, into the bits of a dtype.
// It must not know launches.
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "graph/evaluate.h"
#include "verify/scratch_launch.h"

namespace fuseboard {
namespace {

uint64_t bits_of(DType dtype, Element element) {
  uint8_t bytes[8] = {};
  element_to_bytes(dtype, element, bytes);
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, sizeof bits);
  return bits;
}

std::optional<double> as_double(const std::string& text) {
  const bool starts_as_number =
      !text.empty() && std::string_view("-.0123456789in").find(text[0]) != std::string_view::npos;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (!starts_as_number || end == text.c_str() || *end != 0) return std::nullopt;
  return value;
}

std::optional<uint64_t> as_integer(DType dtype, const std::string& text) {
  const uint32_t bits = 8 * dtype_bytes(dtype);
  const bool is_signed = dtype_class(dtype) == DTypeClass::Signed;
  const bool is_negative = text.starts_with('-');
  const std::string digits = text.substr(is_negative ? 1 : 0);
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  errno = 0;
  const uint64_t magnitude = std::strtoull(digits.c_str(), nullptr, 10);
  const uint64_t mask = std::numeric_limits<uint64_t>::max() >> (64 - bits);
  const uint64_t most = is_signed ? (mask >> 1) + (is_negative ? 1 : 0) : mask;
  if (errno != 0 || magnitude > most || (is_negative && !is_signed && magnitude > 0)) return std::nullopt;
  return (is_negative ? ~magnitude + 1 : magnitude) & mask;
}

}  // namespace

std::optional<uint64_t> bits_from_text(DType dtype, std::string_view given) {
  const std::string text(given);
  const uint32_t bits = 8 * dtype_bytes(dtype);
  if (bits == 0) return std::nullopt;
  if (text.starts_with("0x") && text.size() > 2 && text.size() <= 18) {
    if (text.find_first_not_of("0123456789abcdefABCDEF", 2) != std::string::npos) return std::nullopt;
    const uint64_t value = std::strtoull(text.c_str() + 2, nullptr, 16);
    if (bits < 64 && value >> bits != 0) return std::nullopt;
    return value;
  }
  switch (dtype_class(dtype)) {
    case DTypeClass::Bool:
      if (text == "true" || text == "1") return 1;
      if (text == "false" || text == "0") return 0;
      return std::nullopt;
    case DTypeClass::Unsigned:
    case DTypeClass::Signed:
      return as_integer(dtype, text);
    case DTypeClass::Float: {
      const std::optional<double> value = as_double(text);
      return value ? std::optional<uint64_t>(bits_of(dtype, {*value, 0})) : std::nullopt;
    }
    case DTypeClass::Foreign:
      break;
  }
  return std::nullopt;
}

}  // namespace fuseboard
