// What is wrong with a PTX text, collected up to a limit.
// It must not know what is read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace fuseboard::ptx {

/// Bytes of the text.
struct Span {
  uint32_t offset = 0;
  uint32_t length = 0;
};

class Problems {
 public:
  /// Errors past the limit are counted, not kept; a second one at the same place is dropped.
  void add(Code code, Span span, std::string message, std::string hint = {});
  bool full() const { return all_.size() >= kMost; }
  bool empty() const { return all_.empty(); }
  std::vector<Diagnostic> take();  ///< in the order of the text

 private:
  static constexpr size_t kMost = 50;
  std::vector<Diagnostic> all_;
};

}  // namespace fuseboard::ptx
