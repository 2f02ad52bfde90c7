// Writing groups and the rewritten graph.
// It must not know the text that a graph came from.
#include "report/kernel_plan_json.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "report/json_writer.h"

namespace fuseboard {
namespace {

void write_groups(JsonWriter& json, const ReductionFusionPlan& plan) {
  json.key("groups").begin_array();
  for (const ReductionFusionGroup& each : plan.groups) {
    json.begin_object().field("root", each.root).field("sink", each.sink);
    json.field("members", std::span<const uint32_t>(each.members)).end_object();
  }
  json.end_array();
}

void write_edges(JsonWriter& json, const ComputeGraph& graph) {
  const Dag dag = graph.dag();
  json.key("edges").begin_array();
  for (uint32_t from = 0; from < graph.size(); ++from) {
    for (const uint32_t to : dag.successors[from]) json.begin_array().value(from).value(to).end_array();
  }
  json.end_array();
}

/// The id that each node of the rewritten graph had.
std::vector<uint32_t> kept_ids(const ComputeGraph& graph, const ReductionFusionPlan& plan) {
  std::vector<uint8_t> is_kept(graph.size(), 1);
  for (const ReductionFusionGroup& each : plan.groups) {
    for (const uint32_t id : each.members) is_kept[id] = id == each.root ? 1 : 0;
  }
  std::vector<uint32_t> kept;
  for (uint32_t id = 0; id < graph.size(); ++id) {
    if (is_kept[id] != 0) kept.push_back(id);
  }
  return kept;
}

void write_fused(JsonWriter& json, const ComputeGraph& rewritten, const std::vector<uint32_t>& kept,
                 const ReductionFusionPlan& plan) {
  json.key("fused").begin_object();
  for (const ReductionFusionGroup& each : plan.groups) {
    const auto at = std::lower_bound(kept.begin(), kept.end(), each.root) - kept.begin();
    const ComputeNode& node = rewritten.node(static_cast<uint32_t>(at));
    json.key(std::to_string(each.root)).begin_object();
    json.field("inputs", std::span<const uint64_t>(node.inputs));
    json.field("outputs", std::span<const uint64_t>(node.outputs));
    json.field("cost_hint", node.cost_hint).end_object();
  }
  json.end_object();
}

}  // namespace

std::string spec_kernel_plan_json(const ComputeGraph& graph, const ReductionFusionPlan& plan) {
  const ComputeGraph rewritten = rewrite(graph, plan);
  const std::vector<uint32_t> kept = kept_ids(graph, plan);
  JsonWriter json;
  json.begin_object().key("plan").begin_object();
  write_groups(json, plan);
  json.field("launches_saved", plan.launches_saved).end_object();
  json.key("rewritten").begin_object().field("nodes", std::span<const uint32_t>(kept));
  write_edges(json, rewritten);
  write_fused(json, rewritten, kept, plan);
  json.end_object().end_object();
  return json.take();
}

}  // namespace fuseboard
