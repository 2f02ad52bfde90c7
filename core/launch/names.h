// Names that are safe in a PTX text: identifiers and comments, whatever the user called things.
// It must not know kernels.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fuseboard {

/// The letters, digits and underscores of `name`, runs of anything else as one underscore, at most `cap`
/// bytes.
std::string identifier_of(std::string_view name, size_t cap);

/// `name` as printable ASCII without quotes and backslashes ('?' for the rest), cut with ".." at `cap` bytes.
std::string comment_of(std::string_view name, size_t cap);

}  // namespace fuseboard
