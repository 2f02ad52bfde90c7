// After which instruction of a text what a traced line shows is there.
// It must not know graphs, nor what is shown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emit/ptx.h"
#include "ptx/module.h"

namespace fuseboard {

class TraceLines {
 public:
  /// The entry of a text that is read; both must outlive it. O(text).
  TraceLines(std::string_view text, const ptx::Function& entry);

  /// The index of the instruction; nothing where the line holds none: `fault` says so. A line without an
  /// instruction of its own: the value is there since the one before it; but where lanes part or come
  /// together in between, it is looked at behind the next one that all of them execute. O(log lines).
  std::optional<uint32_t> instruction_of(uint32_t line, TraceKind kind, std::string& fault) const;

 private:
  const ptx::Function& entry_;
  std::vector<uint32_t> labels_;  ///< lines that end with a label's colon, ascending
};

}  // namespace fuseboard
