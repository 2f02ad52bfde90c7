// Kernel graph JSON: spec 2's own vocabulary (design 6), read into a ComputeGraph.
// It must not know other formats or passes.
#pragma once

#include <string_view>

#include "base/result.h"
#include "formats/json_tape.h"
#include "formats/read_kernel_graph.h"

namespace fuseboard {

/// Reads the object {"nodes": [...], "edges": [[from, to], ...]} at `node` of a text that was already parsed.
/// A node has a "kind" and, by kind, function_name, grid and block (three sizes each; absent: unknown),
/// shared_mem_bytes, fusible; direction and bytes; branches (lists of nodes); of all kinds name, inputs and
/// outputs (numbers of buffers), cost_hint (1 where absent). Every fault is collected, in the order of the
/// text; behind the nodes' own: empty-graph, unknown-node, a cycle. O(text).
Result<ReadKernelGraph> read_kernel_graph_json(const JsonTape& tape, uint32_t node);

/// Parses the text and reads the object that it is.
Result<ReadKernelGraph> read_kernel_graph_json(std::string_view text);

/// Whether the text begins as a JSON object does and, before any key "ops", has the key "nodes" or "edges" in
/// that object. It need not be JSON to its end. O(bytes), without parsing.
bool looks_like_kernel_graph_json(std::string_view text);

}  // namespace fuseboard
