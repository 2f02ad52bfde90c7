// Diagnostics as JSON, with line and column beside the bytes.
// It must not know what was wrong.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "report/json_writer.h"

namespace fuseboard {

/// Turns byte offsets into lines and columns, both from 1, columns in bytes. O(text) once, O(log lines) an
/// offset.
class LineMap {
 public:
  explicit LineMap(std::string_view text);
  struct Position {
    uint32_t line;
    uint32_t column;
  };
  Position at(uint32_t offset) const;

 private:
  std::vector<uint32_t> starts_{0};
};

/// Appends [{severity, code, message, hint, offset, length, line, column, path}, ...].
void write_diagnostics(JsonWriter& json, const std::vector<Diagnostic>& diagnostics, const LineMap& lines);

}  // namespace fuseboard
