// Escaping and cutting of names for messages.
// It must not know what is named.
#include "base/in_quotes.h"

#include <algorithm>

namespace fuseboard {

std::string in_quotes(std::string_view name) {
  constexpr size_t kLongest = 80;
  constexpr std::string_view kDigits = "0123456789abcdef";
  size_t end = std::min(name.size(), kLongest);
  while (end > 0 && end < name.size() && (name[end] & 0xc0) == 0x80) --end;
  std::string out = "\"";
  for (const char c : name.substr(0, end)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      ((out += "\\x") += kDigits[byte >> 4]) += kDigits[byte & 15];
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out += end < name.size() ? "...\"" : "\"";
}

}  // namespace fuseboard
