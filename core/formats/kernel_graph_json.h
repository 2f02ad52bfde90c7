// Kernel graph JSON: spec 2's own vocabulary (design 6), read into a ComputeGraph.
// It must not know other formats or passes.
#pragma once

#include <vector>

#include "base/result.h"
#include "formats/json_tape.h"
#include "launch/compute_graph.h"

namespace fuseboard {

struct ReadKernelGraph {
  ComputeGraph graph;
  struct Span {
    uint32_t offset = 0;
    uint32_t length = 0;
  };
  std::vector<Span> places;  ///< where each node stands in the text
};

/// Reads the object {"nodes": [...], "edges": [[from, to], ...]} at `node` of a text that was already parsed.
/// A node has a "kind" and, by kind, function_name, grid and block (three sizes each; absent: unknown),
/// shared_mem_bytes, fusible; direction and bytes; branches (lists of nodes); of all kinds name, inputs and
/// outputs (numbers of buffers), cost_hint (1 where absent). Every fault is collected, in the order of the
/// text; behind the nodes' own: empty-graph, unknown-node, a cycle. O(text).
Result<ReadKernelGraph> read_kernel_graph_json(const JsonTape& tape, uint32_t node);

}  // namespace fuseboard
