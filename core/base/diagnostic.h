// What is wrong, where, and what to do about it: the only form in which any part complains.
// It must not know graphs, formats or pages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fuseboard {

enum class Severity : uint8_t { error, warning, note };

enum class Code : uint8_t {
#define DIAGNOSTIC(identifier, text, meaning) identifier,
#include "base/diagnostics.def"
};

/// The stable text of a code, e.g. "dangling-input".
std::string_view code_text(Code code);

/// One sentence that says what a code means.
std::string_view code_meaning(Code code);

std::string_view severity_text(Severity severity);

/// Where something stands in the text that was read.
struct Place {
  uint32_t offset = 0;  ///< bytes from the beginning of the text
  uint32_t length = 0;  ///< bytes; 0 where the place is not in a text
  std::string path;     ///< a JSON pointer ("/ops/3/inputs/0") or an op's name; may be empty
};

struct Diagnostic {
  Severity severity = Severity::error;
  Code code = Code::syntax;
  std::string message;  ///< one sentence with the names and figures of this case
  Place place;
  std::string hint;  ///< what to do; may be empty
};

bool has_errors(const std::vector<Diagnostic>& diagnostics);

}  // namespace fuseboard
