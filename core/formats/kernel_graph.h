// A kernel graph from any text that holds one: its JSON, or the dump of a CUDA graph.
// It must not know regions nor plans.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "formats/read_kernel_graph.h"

namespace fuseboard {

enum class KernelGraphFormat : uint8_t { json, cuda_graph };

/// For people: "Kernel graph JSON", "CUDA graph dump".
std::string_view kernel_graph_format_title(KernelGraphFormat format);

/// Which of them a text looks like: an object with a key "nodes" or "edges" before any "ops", or a digraph;
/// nothing for any other. It need not be well formed to its end. O(bytes).
std::optional<KernelGraphFormat> recognise_kernel_graph(std::string_view text);

/// Reads a kernel graph of any size and content; unknown-format where the text looks like none. Every node of
/// the graph has its place in the text. What a dump does not say is noted (cuda_graph_dot.h); a guess is
/// marked in the node (fusible_is_guess). O(bytes, and nodes and edges after child graphs are put in place).
Result<ReadKernelGraph> read_kernel_graph(std::string_view text);

}  // namespace fuseboard
