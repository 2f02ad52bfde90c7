// The DOT text of a CUDA graph dump as graphs, nodes and edges that name each other.
// It must not know launch graphs: child graphs still stand where they are named.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/read_kernel_graph.h"
#include "launch/compute_graph.h"

namespace fuseboard {

/// Everything is named by its index. A graph is what the dump draws as a cluster.
struct CudaGraphDump {
  static constexpr uint32_t kNone = UINT32_MAX;

  struct Node {
    ComputeNode node;
    ReadKernelGraph::Span place;
    uint32_t child = kNone;        ///< a child graph stands here, and `node` is a barrier
    std::vector<uint32_t> bodies;  ///< the graphs of a conditional
  };
  struct Edge {
    uint32_t from = 0;  ///< in the graph's own nodes
    uint32_t to = 0;
    ReadKernelGraph::Span place;
  };
  struct Graph {
    std::string name;
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    bool is_named = false;  ///< some node names it: it is a child or a body
  };
  std::vector<Graph> graphs;  ///< in the order of the text; the first is what stands outside all clusters
};

/// Reads a text of any content. Errors: syntax,
/// truncated, unsupported (a second digraph; an edge between two graphs that run by themselves),
/// duplicate-name, unknown-node (an edge's end, a child or a body), self-reference, cycle (within a graph),
/// what the labels say of themselves, empty-graph, unknown-format (no node is one of a CUDA graph). A node of
/// an unknown kind is a barrier and a warning. All are collected, at most 1000. O(bytes).
Result<CudaGraphDump> parse_cuda_graph_dump(std::string_view text);

}  // namespace fuseboard
