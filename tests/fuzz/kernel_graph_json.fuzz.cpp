// Feeds any bytes to the kernel graph reader and to the case line: each answers with a value or with errors,
// every place inside the text, and the rewritten graph is never larger. It must not know what a right answer
// is.
#include "formats/kernel_graph_json.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "launch/chain_fusion.h"
#include "playground.h"
#include "report/compute_graph_dot.h"
#include "report/region_decision_text.h"
#include "verify/sequential_simulator.h"

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

fuseboard::Simulation simulated(const fuseboard::ComputeGraph& graph) {
  fuseboard::SequentialSimulator simulator(graph, {});
  while (!simulator.advance(1000)) {
  }
  return simulator.result();
}

/// What fusion, of any kind, must keep.
void compare(const fuseboard::ComputeGraph& graph, const fuseboard::ComputeGraph& rewritten) {
  const fuseboard::Simulation before = simulated(graph);
  if (!before.is_sound()) return;  // its bytes leave 64 bits
  const fuseboard::Simulation after = simulated(rewritten);
  require(after.is_sound(), "a rewritten graph runs where the graph did");
  require(after.bytes_copied == before.bytes_copied && after.bytes_set == before.bytes_set,
          "bytes copied and set are kept");
  require(after.kernels_launched <= before.kernels_launched, "no launch is added");
}

void read(std::string_view text) {
  using namespace fuseboard;
  const Result<JsonTape> tape = JsonTape::parse(text);
  if (!tape) return;
  const Result<ReadKernelGraph> result = read_kernel_graph_json(*tape.value, 0);
  require(result.value.has_value() != has_errors(result.diagnostics),
          "a value exactly when there is no error");
  for (const Diagnostic& each : result.diagnostics) {
    require(size_t{each.place.offset} + each.place.length <= text.size(),
            "a diagnostic's place lies inside the text");
  }
  if (!result) return;
  const ComputeGraph& graph = result.value->graph;
  require(result.value->places.size() == graph.size(), "every node has a place");
  for (const Entry entry : {Entry::dominated, Entry::operands}) {
    const Result<ReductionFusionPlan> plan = analyse(graph, entry);
    require(plan.value.has_value(), "a graph that was read can be analysed");
    const ComputeGraph rewritten = rewrite(graph, *plan.value);
    require(rewritten.size() + plan.value->launches_saved == graph.size(), "as many nodes as are not saved");
    require(rewritten.critical_path().nodes.size() <= rewritten.size(), "the critical path is a path");
    compare(graph, rewritten);
    compare(graph, rewrite(graph, *plan.value, fuse_chains(graph, *plan.value)));
    const Dag dag = graph.dag();
    for (const RegionDecision& each : plan.value->decisions)
      require(!region_decision_text(graph, each, region_decision_path(dag, each)).empty(),
              "a decision has a text");
    require(!compute_graph_dot(graph, launch_groups(*plan.value)).empty(), "a graph is drawn");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read(text);
  const std::string answer = fuseboard::plan_jsonl_line(std::string(R"({"graph":)").append(text) + "}");
  require(!nlohmann::json::parse(answer, nullptr, false).is_discarded(), "an answer line parses");
  return 0;
}
