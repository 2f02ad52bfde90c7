// Child graphs put in the place of the nodes that name them.
// It must not know the text that a dump was read from.
#pragma once

#include "base/result.h"
#include "formats/cuda_graph_parser.h"
#include "formats/read_kernel_graph.h"

namespace fuseboard {

constexpr uint64_t kMostDumpNodes = 1'000'000;  ///< after child graphs are put in place
constexpr uint64_t kMostDumpEdges = 4'000'000;
constexpr uint64_t kMostDumpBytes = 256 << 20;  ///< of all nodes' names and lists of branches
constexpr uint32_t kMostDumpDepth = 64;         ///< of child graphs in child graphs

/// One launch graph of all graphs that no node names, in the order of the text. A child graph stands once for
/// each node that names it: what came before that node comes before the child's sources, and its sinks before
/// what came behind it; an empty child is a barrier. The bodies of a conditional stand behind it, joined to
/// it by `branches` alone: a branch lists its body's nodes, without those of conditionals inside. Errors:
/// cycle (a graph inside itself), unsupported (over a limit above), each at the node where it happens.
/// O(nodes + edges of the result, times the depth), without recursion.
Result<ReadKernelGraph> expand_cuda_graph_dump(const CudaGraphDump& dump);

}  // namespace fuseboard
