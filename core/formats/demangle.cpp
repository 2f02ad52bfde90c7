// The prefix of an Itanium mangled name: lengths and names.
// It must not know types: expanding substitutions could make a short name very long.
#include "formats/demangle.h"

#include <cstdint>
#include <optional>

namespace fuseboard {
namespace {

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

/// Takes "6kernel" off the front; nothing where the length is missing or passes the end.
std::optional<std::string_view> take_source_name(std::string_view& rest) {
  size_t length = 0;
  size_t digits = 0;
  while (digits < rest.size() && digits < 6 && is_digit(rest[digits]))
    length = length * 10 + static_cast<size_t>(rest[digits++] - '0');
  if (digits == 0 || length == 0 || length > rest.size() - digits) return std::nullopt;
  const std::string_view name = rest.substr(digits, length);
  rest.remove_prefix(digits + length);
  return name;
}

}  // namespace

std::string demangle(std::string_view name) {
  std::string_view rest = name;
  if (!rest.starts_with("_Z")) return std::string(name);
  rest.remove_prefix(2);
  const bool nested = rest.starts_with('N');
  if (nested) rest.remove_prefix(1);
  while (nested && !rest.empty() && (rest[0] == 'K' || rest[0] == 'V' || rest[0] == 'r'))
    rest.remove_prefix(1);
  std::string shown;
  if (rest.starts_with("St")) {
    shown = "std";
    rest.remove_prefix(2);
  }
  while (!rest.empty() && (rest[0] == 'L' || is_digit(rest[0]))) {
    if (rest[0] == 'L') rest.remove_prefix(1);
    const std::optional<std::string_view> part = take_source_name(rest);
    if (!part) return std::string(name);
    if (!shown.empty()) shown += "::";
    shown += part->starts_with("_GLOBAL__N") ? std::string_view("(anonymous namespace)") : *part;
    if (!nested) break;
  }
  if (shown.empty() || shown == "std") return std::string(name);
  if (rest.starts_with('I')) return shown + "<...>";
  // A nested name ends with E; anything else is an operator or the like, which is not read here.
  if (nested && !rest.starts_with('E')) return std::string(name);
  return shown;
}

}  // namespace fuseboard
