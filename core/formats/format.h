// The registry of text formats: each is recognised from the text and reads into a FusionGraph.
// It must not know plans.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/fusion_graph.h"

namespace fuseboard {

/// What a format makes of a text. `graph` is validated: it holds no errors.
struct ReadGraph {
  FusionGraph graph;
  std::vector<OpPlaces::Span> places;  ///< where each op stands in the text
};

struct Format {
  std::string_view name;   ///< "graph-json", "hlo"
  std::string_view title;  ///< "HLO text"
  /// Whether a text looks like this format; cheap (looks at the beginning, or scans once).
  bool (*recognise)(std::string_view text);
  /// Reads a text of any size and any content: never crashes, never recurses, collects every fault it can.
  Result<ReadGraph> (*read)(std::string_view text);
};

/// All formats, the most specific first.
const std::vector<Format>& all_formats();

/// The format of a text; nullptr where none recognises it.
const Format* recognise_format(std::string_view text);

/// Recognises and reads; unknown-format where no format recognises the text.
Result<ReadGraph> read_graph(std::string_view text);

}  // namespace fuseboard
