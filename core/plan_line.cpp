// One line of `plan --jsonl`: a case as in the golden answers in, its answer out.
// It must not know files or processes: lines come and go as strings.
#include "formats/graph_json.h"
#include "formats/kernel_graph_json.h"
#include "launch/reduction_fusion.h"
#include "plan/fusion_planner.h"
#include "playground.h"
#include "report/json_writer.h"
#include "report/kernel_plan_json.h"
#include "report/plan_json.h"

namespace fuseboard {
namespace {

std::string error_line(Code code) {
  JsonWriter json;
  json.begin_object().field("error", code_text(code)).end_object();
  return json.take();
}

/// The first error: what is owed where one answer is (design 5).
std::string first_error(const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& each : diagnostics) {
    if (each.severity == Severity::error) return error_line(each.code);
  }
  return error_line(Code::syntax);
}

/// A kernel graph: by spec 2, from the entry asked for, or else the line's own ("dominated" where it has
/// none).
std::string kernel_graph_line(const JsonTape& tape, uint32_t graph_node, std::string_view asked) {
  std::string word = asked.empty() ? "dominated" : std::string(asked);
  if (const std::optional<uint32_t> node = tape.find(0, "entry"); node && asked.empty()) {
    word = tape.is(*node, JsonTape::Type::string) ? tape.string(*node) : "";
  }
  if (word != "dominated" && word != "operands") return error_line(Code::syntax);
  const Entry entry = word == "operands" ? Entry::operands : Entry::dominated;
  const Result<ReadKernelGraph> read = read_kernel_graph_json(tape, graph_node);
  if (!read) return first_error(read.diagnostics);
  const Result<ReductionFusionPlan> plan = analyse(read.value->graph, entry);
  return plan ? spec_kernel_plan_json(read.value->graph, *plan.value) : first_error(plan.diagnostics);
}

}  // namespace

std::string plan_jsonl_line(std::string_view line, std::string_view policy, std::string_view entry) {
  const Result<JsonTape> tape = JsonTape::parse(line);
  if (!tape) return first_error(tape.diagnostics);
  const std::optional<uint32_t> graph_node = tape.value->find(0, "graph");
  if (!graph_node) return error_line(Code::syntax);
  if (tape.value->find(*graph_node, "nodes")) {
    return kernel_graph_line(*tape.value, *graph_node, entry);
  }
  const std::optional<Policy> named = policy_from_text(policy);
  const std::optional<uint32_t> broadcast_node = tape.value->find(0, "broadcast");
  const std::optional<bool> broadcast = broadcast_node ? tape.value->as_bool(*broadcast_node) : true;
  if (!broadcast || !named) return error_line(Code::syntax);
  const Result<ReadGraph> read = read_graph_json(*tape.value, *graph_node);
  if (!read) return first_error(read.diagnostics);
  const FusionPlan plan =
      FusionPlanner().with_broadcast(*broadcast).with_policy(*named).plan(read.value->graph);
  JsonWriter json;
  json.begin_object().key("plan").raw(spec_plan_json(plan)).end_object();
  return json.take();
}

}  // namespace fuseboard
