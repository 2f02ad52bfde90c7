// Graph JSON: spec 1's own vocabulary (design 6), read into a FusionGraph.
// It must not know other formats or plans.
#pragma once

#include <string_view>

#include "base/result.h"
#include "formats/format.h"
#include "formats/json_tape.h"

namespace fuseboard {

/// Whether the text begins as a JSON object does.
bool recognise_graph_json(std::string_view text);

Result<ReadGraph> read_graph_json(std::string_view text);

/// Reads the graph object at `node` of a text that was already parsed.
Result<ReadGraph> read_graph_json(const JsonTape& tape, uint32_t node);

}  // namespace fuseboard
