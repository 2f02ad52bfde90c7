// A user's name as it may stand in a message: in quotes, on one line, not too long.
// It must not know what is named.
#pragma once

#include <string>
#include <string_view>

namespace fuseboard {

/// Control characters are escaped (\n, \x1b), quotes and backslashes too; past 80 bytes the rest is "...",
/// never cutting a UTF-8 character in two.
std::string in_quotes(std::string_view name);

}  // namespace fuseboard
