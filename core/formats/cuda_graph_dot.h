// Dumps of CUDA graphs (cudaGraphDebugDotPrint, torch.cuda.CUDAGraph.debug_dump) as kernel graphs.
// It must not know regions nor plans.
#pragma once

#include <string_view>

#include "base/result.h"
#include "formats/read_kernel_graph.h"

namespace fuseboard {

/// Whether the text begins, behind blanks and comments, as a digraph does. Cheap.
bool looks_like_cuda_graph_dot(std::string_view text);

/// Reads a dump of any size and content, verbose or terse: its graphs, with child graphs put in the place of
/// the nodes that name them (cuda_graph_expand.h has the limits). A node's place is its statement. Errors are
/// those of parse_cuda_graph_dump and expand_cuda_graph_dump. Notes (bad-attribute) say how many kernels have
/// their fusible flag guessed from the name, and how many have no launch configuration, so that their thread
/// totals are unknown. O(bytes, and nodes and edges of the result).
Result<ReadKernelGraph> read_cuda_graph_dot(std::string_view text);

}  // namespace fuseboard
