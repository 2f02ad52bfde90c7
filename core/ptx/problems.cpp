// Collects what is wrong with a PTX text.
// It must not know what is read.
#include "ptx/problems.h"

#include <algorithm>
#include <utility>

namespace fuseboard::ptx {

void Problems::add(Code code, Span span, std::string message, std::string hint) {
  if (full()) return;
  if (!all_.empty() && all_.back().place.offset == span.offset) return;
  all_.push_back(
      {Severity::error, code, std::move(message), {span.offset, span.length, {}}, std::move(hint)});
  if (full()) all_.back().message += " (more may follow and are not listed)";
}

std::vector<Diagnostic> Problems::take() {
  // A label that is nowhere is known at the end of its scope only.
  std::stable_sort(all_.begin(), all_.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.place.offset < b.place.offset; });
  return std::move(all_);
}

}  // namespace fuseboard::ptx
