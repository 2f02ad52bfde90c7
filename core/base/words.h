// Cutting a text of a table's cell into its words.
// It must not know what the words mean.
#pragma once

#include <algorithm>
#include <string_view>

namespace fuseboard {

/// Without spaces at either end.
inline std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// Cuts the part before `separator`, or all of it where there is none, off the front of `rest`, and the
/// separator too.
inline std::string_view take_until(std::string_view& rest, char separator) {
  const size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

}  // namespace fuseboard
