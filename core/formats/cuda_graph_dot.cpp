// A dump parsed, its child graphs put in place, and what it does not say noted.
// It must not know regions nor plans.
#include "formats/cuda_graph_dot.h"

#include <optional>
#include <string>
#include <utility>

#include "formats/cuda_graph_expand.h"
#include "formats/cuda_graph_parser.h"
#include "formats/dot_graph.h"

namespace fuseboard {
namespace {

/// "1 kernel", "7 kernels".
std::string kernels(uint32_t count) { return std::to_string(count) + (count == 1 ? " kernel" : " kernels"); }

/// A note at the first node that `holds` is true of, saying how many there are; none where there is none.
template <class Holds>
void note(const ReadKernelGraph& read, Holds holds, const std::string& what, const std::string& hint,
          std::vector<Diagnostic>& notes) {
  uint32_t count = 0;
  std::optional<ReadKernelGraph::Span> first;
  for (uint32_t id = 0; id < read.graph.size(); ++id) {
    if (!holds(read.graph.node(id))) continue;
    ++count;
    if (!first) first = read.places[id];
  }
  if (!first) return;
  notes.push_back(
      {Severity::note, Code::bad_attribute, kernels(count) + what, {first->offset, first->length, ""}, hint});
}

}  // namespace

bool looks_like_cuda_graph_dot(std::string_view text) { return looks_like_digraph(text); }

Result<ReadKernelGraph> read_cuda_graph_dot(std::string_view text) {
  Result<CudaGraphDump> dump = parse_cuda_graph_dump(text);
  if (!dump) return {std::nullopt, std::move(dump.diagnostics)};
  Result<ReadKernelGraph> read = expand_cuda_graph_dump(*dump.value);
  std::vector<Diagnostic>& found = dump.diagnostics;
  found.insert(found.end(), read.diagnostics.begin(), read.diagnostics.end());
  if (read) {
    note(
        *read.value, [](const ComputeNode& node) { return node.fusible_is_guess; },
        ": whether it may be fused is guessed from its name, as a dump does not say",
        "toggle it where the guess is wrong", found);
    note(
        *read.value,
        [](const ComputeNode& node) { return node.kind == NodeKind::kernel_launch && !node.config; },
        " without launch configuration: the thread total is unknown, and no region is formed with it",
        "dump the graph with all debug flags (cudaGraphDebugDotFlagsVerbose)", found);
  }
  return {std::move(read.value), std::move(found)};
}

}  // namespace fuseboard
