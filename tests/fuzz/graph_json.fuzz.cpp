// Feeds any bytes to the graph JSON reader, the case line and the facade: each answers with a value or with
// errors, every place inside the text, and what goes out parses. It must not know what a right answer is.
#include "formats/graph_json.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "playground.h"

namespace {

using nlohmann::json;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

json parsed(const std::string& text, const char* what) {
  json value = json::parse(text, nullptr, false);
  require(!value.is_discarded(), what);
  return value;
}

void read(std::string_view text) {
  using namespace fuseboard;
  const Result<ReadGraph> result = read_graph_json(text);
  require(result.value.has_value() != has_errors(result.diagnostics),
          "a value exactly when there is no error");
  for (const Diagnostic& each : result.diagnostics) {
    require(size_t{each.place.offset} + each.place.length <= text.size(),
            "a diagnostic's place lies inside the text");
    require(!each.message.empty(), "a diagnostic says something");
  }
  if (!result) return;
  const FusionGraph& graph = result.value->graph;
  require(!has_errors(graph.validate()), "the graph is valid");
  require(result.value->places.size() == graph.size(), "every op has a place");
  for (const OpPlaces::Span& each : result.value->places) {
    require(each.length > 0 && text[each.offset] == '{', "an op's place begins with its object");
    require(size_t{each.offset} + each.length <= text.size(), "an op's place lies inside the text");
  }
  for (const uint32_t output : graph.outputs()) require(output < graph.size(), "an output is an op");
}

void open(std::string_view text) {
  const fuseboard::Playground board = fuseboard::Playground::open(std::string(text), {});
  const json plan = parsed(board.plan_json(), "plan JSON parses");
  require(plan.contains("groups") == board.ok(), "plan JSON holds a plan exactly when there is one");
  require(board.dot().empty() != board.ok(), "DOT is there exactly when there is a plan");
  parsed(board.diagnostics_json(), "diagnostics JSON parses");
  parsed(board.kernels_json(), "kernels.json parses");
  if (!board.ok() || plan.contains("nodes")) return;  // a kernel graph's: kernel_graph_json.fuzz.cpp
  require(plan["bytes_fused"].get<uint64_t>() <= plan["bytes_unfused"].get<uint64_t>(),
          "fusing never adds bytes");
  require(plan["kernels"].size() == board.kernel_count(), "as many kernels as are told");
  for (uint32_t kernel = 0; kernel < board.kernel_count() && kernel < 8; ++kernel) {
    const bool emitted = plan["kernels"][kernel]["emitted"].get<bool>();
    require(board.kernel_ptx(kernel).empty() != emitted, "PTX is there exactly when the plan says so");
    parsed(board.kernel_json(kernel), "kernel JSON parses");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)fuseboard::recognise_graph_json(text);
  read(text);
  const json answer = parsed(fuseboard::plan_jsonl_line(text), "a case's answer parses");
  require(answer.size() == 1 && (answer.contains("plan") || answer.contains("error")),
          "an answer is a plan or an error");
  open(text);
  return 0;
}
