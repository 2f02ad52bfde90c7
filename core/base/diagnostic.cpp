// The texts of the diagnostic codes.
// It must not know who asks.
#include "base/diagnostic.h"

#include <algorithm>

namespace fuseboard {

std::string_view code_text(Code code) {
  switch (code) {
#define DIAGNOSTIC(identifier, text, meaning) \
  case Code::identifier:                      \
    return text;
#include "base/diagnostics.def"
  }
  return "";
}

std::string_view code_meaning(Code code) {
  switch (code) {
#define DIAGNOSTIC(identifier, text, meaning) \
  case Code::identifier:                      \
    return meaning;
#include "base/diagnostics.def"
  }
  return "";
}

std::string_view severity_text(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
  }
  return "";
}

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& each) { return each.severity == Severity::error; });
}

}  // namespace fuseboard
