// The list of formats.
// It must not know plans.
#include "formats/format.h"

#include "formats/graph_json.h"
#include "formats/hlo_text.h"

namespace fuseboard {

const std::vector<Format>& all_formats() {
  static const std::vector<Format> formats = {
      {"graph-json", "Graph JSON", recognise_graph_json, read_graph_json},
      {"hlo", "HLO text", recognise_hlo, read_hlo},
  };
  return formats;
}

const Format* recognise_format(std::string_view text) {
  for (const Format& format : all_formats()) {
    if (format.recognise(text)) return &format;
  }
  return nullptr;
}

Result<ReadGraph> read_graph(std::string_view text) {
  if (const Format* format = recognise_format(text)) return format->read(text);
  const bool blank = text.find_first_not_of(" \t\r\n") == std::string_view::npos;
  std::string titles;
  for (const Format& format : all_formats())
    titles += (titles.empty() ? "" : ", ") + std::string(format.title);
  return {std::nullopt,
          {{Severity::error,
            Code::unknown_format,
            blank ? "there is no text" : "the text is in no format known here",
            {},
            "paste one of: " + titles}}};
}

}  // namespace fuseboard
