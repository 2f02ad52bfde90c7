// Escaping for DOT.
// It must not know what is drawn.
#include "report/dot_string.h"

#include <algorithm>

namespace fuseboard {

std::string dot_string(std::string_view text) {
  constexpr size_t kLongest = 120;
  size_t end = std::min(text.size(), kLongest);
  while (end > 0 && end < text.size() && (text[end] & 0xc0) == 0x80) --end;  // no half character
  std::string out;
  for (const char c : text.substr(0, end)) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  }
  if (end < text.size()) out += "...";
  return out;
}

}  // namespace fuseboard
