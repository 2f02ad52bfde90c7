// Feeds any bytes to the reader of CUDA graph dumps: it answers with a sound graph that can be planned, or
// with errors, every place inside the text. It must not know what a right answer is.
#include "formats/cuda_graph_dot.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "formats/cuda_graph_expand.h"
#include "formats/kernel_graph.h"
#include "launch/reduction_fusion.h"

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

void check_graph(const fuseboard::ReadKernelGraph& read, size_t size) {
  using namespace fuseboard;
  const ComputeGraph& graph = read.graph;
  require(read.places.size() == graph.size(), "every node has a place");
  require(graph.size() > 0 && graph.size() <= kMostDumpNodes, "as many nodes as are allowed");
  for (const ReadKernelGraph::Span& each : read.places)
    require(size_t{each.offset} + each.length <= size, "a node's place lies inside the text");
  for (const ComputeNode& each : graph.nodes()) {
    require(each.fusible_is_guess == (each.kind == NodeKind::kernel_launch), "a kernel's flag is a guess");
    require(!each.config || each.threads(), "a launch's threads fit 64 bits");
    for (const auto& branch : each.branches) {
      for (const uint32_t node : branch) require(node < graph.size(), "a branch names nodes");
    }
  }
  for (const Entry entry : {Entry::dominated, Entry::operands}) {
    const Result<ReductionFusionPlan> plan = analyse(graph, entry);
    require(plan.value.has_value(), "a graph that was read can be analysed");
    const ComputeGraph rewritten = rewrite(graph, *plan.value);
    require(rewritten.size() + plan.value->launches_saved == graph.size(), "as many nodes as are not saved");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace fuseboard;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool is_dump = looks_like_cuda_graph_dot(text);
  require(!is_dump || recognise_kernel_graph(text) == KernelGraphFormat::cuda_graph,
          "a digraph is recognised");
  const Result<ReadKernelGraph> read = read_cuda_graph_dot(text);
  require(read.value.has_value() != has_errors(read.diagnostics), "a value exactly when there is no error");
  require(!read.value || is_dump, "what reads as a dump looks like one");
  for (const Diagnostic& each : read.diagnostics) {
    require(size_t{each.place.offset} + each.place.length <= size,
            "a diagnostic's place lies inside the text");
    require(!each.message.empty(), "a diagnostic says something");
  }
  if (read) check_graph(*read.value, size);
  return 0;
}
