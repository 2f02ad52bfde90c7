// A text as it may stand between the quotes of a DOT string.
// It must not know what is drawn.
#pragma once

#include <string>
#include <string_view>

namespace fuseboard {

/// Quotes and backslashes escaped, control characters as spaces; past 120 bytes the rest is "...", never
/// cutting a UTF-8 character in two.
std::string dot_string(std::string_view text);

}  // namespace fuseboard
