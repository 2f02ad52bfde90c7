// Collects what is wrong with a PTX text.
// It must not know what is read.
#include "ptx/problems.h"

#include <utility>

namespace fuseboard::ptx {

void Problems::add(Code code, Span span, std::string message, std::string hint) {
  if (full()) return;
  if (!all_.empty() && all_.back().place.offset == span.offset) return;
  all_.push_back(
      {Severity::error, code, std::move(message), {span.offset, span.length, {}}, std::move(hint)});
  if (full()) all_.back().message += " (more may follow and are not listed)";
}

}  // namespace fuseboard::ptx
