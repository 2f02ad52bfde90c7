// Diagnostics as JSON.
// It must not know what was wrong.
#include "report/diagnostics_json.h"

#include <algorithm>

namespace fuseboard {

LineMap::LineMap(std::string_view text) {
  for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    starts_.push_back(static_cast<uint32_t>(at + 1));
  }
}

LineMap::Position LineMap::at(uint32_t offset) const {
  const auto behind = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return {static_cast<uint32_t>(behind - starts_.begin()), offset - *(behind - 1) + 1};
}

void write_diagnostics(JsonWriter& json, const std::vector<Diagnostic>& diagnostics, const LineMap& lines) {
  json.begin_array();
  for (const Diagnostic& each : diagnostics) {
    const LineMap::Position position = lines.at(each.place.offset);
    json.new_line().begin_object();
    json.field("severity", severity_text(each.severity)).field("code", code_text(each.code));
    json.field("message", each.message).field("hint", each.hint);
    json.field("offset", each.place.offset).field("length", each.place.length);
    json.field("line", position.line).field("column", position.column).field("path", each.place.path);
    json.end_object();
  }
  json.end_array();
}

}  // namespace fuseboard
