// Writing nodes, groups and the rewritten graph; the forms are told in kernel_plan_json.h.
// It must not know layouts or the formats that graphs come from.
#include "report/kernel_plan_json.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "launch/launch_totals.h"
#include "report/json_writer.h"
#include "report/node_labels.h"
#include "report/plan_json.h"
#include "report/region_decision_text.h"

namespace fuseboard {
namespace {

constexpr uint32_t kNoGroup = UINT32_MAX;

template <class T>
void write_or_null(JsonWriter& json, std::string_view name, const std::optional<T>& content) {
  json.key(name);
  if (content) {
    json.value(*content);
  } else {
    json.null();
  }
}

void write_size(JsonWriter& json, std::string_view name, const std::array<uint32_t, 3>* size) {
  json.key(name);
  if (size != nullptr) {
    json.value(std::span<const uint32_t>(*size));
  } else {
    json.null();
  }
}

void write_launch(JsonWriter& json, const ComputeNode& node) {
  json.field("function_name", node.function_name);
  write_size(json, "grid", node.config ? &node.config->grid : nullptr);
  write_size(json, "block", node.config ? &node.config->block : nullptr);
  json.field("shared_mem_bytes", node.config ? node.config->shared_mem_bytes : 0);
  write_or_null(json, "threads", node.threads());
  json.field("fusible", node.fusible).field("fusible_is_guess", node.fusible_is_guess);
}

void write_branches(JsonWriter& json, const ComputeNode& node) {
  json.key("branches").begin_array();
  for (const std::vector<uint32_t>& branch : node.branches) json.value(std::span<const uint32_t>(branch));
  json.end_array();
}

/// All of a node but where it stands; the object stays open.
void write_node(JsonWriter& json, uint32_t id, const ComputeNode& node, const std::string& label) {
  json.new_line().begin_object().field("id", id).field("label", label);
  json.field("kind", node_kind_text(node.kind));
  switch (node.kind) {
    case NodeKind::kernel_launch:
      write_launch(json, node);
      break;
    case NodeKind::memcpy:
      json.field("direction", copy_direction_text(node.direction));
      write_or_null(json, "bytes", node.bytes);
      break;
    case NodeKind::memset:
      write_or_null(json, "bytes", node.bytes);
      break;
    case NodeKind::conditional:
      write_branches(json, node);
      break;
    case NodeKind::event_record:
    case NodeKind::event_wait:
    case NodeKind::host_callback:
    case NodeKind::barrier:
      break;
  }
  json.field("inputs", std::span<const uint64_t>(node.inputs));
  json.field("outputs", std::span<const uint64_t>(node.outputs)).field("cost_hint", node.cost_hint);
}

void write_sum(JsonWriter& json, std::string_view name, const KnownSum& total) {
  json.key(name).begin_object();
  write_or_null(json, "sum", total.sum);
  json.field("unknown", total.unknown).end_object();
}

void write_totals(JsonWriter& json, const ComputeGraph& graph) {
  const LaunchTotals totals = launch_totals(graph);
  json.new_line().key("totals").begin_object().field("launches", totals.launches);
  json.field("copies", totals.copies).field("fills", totals.fills);
  write_sum(json, "threads", totals.threads);
  write_sum(json, "bytes_copied", totals.bytes_copied);
  write_sum(json, "bytes_set", totals.bytes_set);
  json.end_object();
}

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

void write_nodes(JsonWriter& json, const KernelPlanReport& report) {
  std::vector<uint32_t> group_of(report.graph.size(), kNoGroup);
  for (uint32_t g = 0; g < report.groups.size(); ++g) {
    for (const uint32_t id : report.groups[g].members) group_of[id] = g;
  }
  const std::vector<std::string> labels = node_labels(report.graph);
  json.new_line().key("nodes").begin_array();
  for (uint32_t id = 0; id < report.graph.size(); ++id) {
    write_node(json, id, report.graph.node(id), labels[id]);
    write_or_null(json, "group",
                  group_of[id] == kNoGroup ? std::nullopt : std::optional<uint32_t>(group_of[id]));
    const OpPlaces::Span place = id < report.places.size() ? report.places[id] : OpPlaces::Span{};
    json.field("offset", place.offset).field("length", place.length).end_object();
  }
  json.end_array();
}

void write_id(JsonWriter& json, std::string_view name, uint32_t id) {
  write_or_null(json, name, id == kNoNode ? std::nullopt : std::optional<uint32_t>(id));
}

void write_patterns(JsonWriter& json, const KernelPlanReport& report) {
  uint64_t saved = 0;
  json.new_line().key("groups").begin_array();
  for (const LaunchGroup& each : report.groups) {
    json.new_line().begin_object().field("root", each.members.front()).field("sink", each.members.back());
    json.field("members", each.members).field("pattern", each.title).end_object();
    saved += each.members.size() - 1;
  }
  json.end_array().new_line().field("launches_saved", saved);
}

void write_chains(JsonWriter& json, const KernelPlanReport& report) {
  json.new_line().key("chains").begin_array();
  for (const ChainDecision& each : report.chains) {
    json.new_line().begin_object().field("first", each.first).field("last", each.last);
    write_id(json, "next", each.next);
    json.field("reason", chain_reason_text(each.reason)).end_object();
  }
  json.end_array();
}

/// Steps that finding paths may take in all: each path walks the graph anew.
constexpr uint64_t kPathSteps = 50'000'000;

void write_decisions(JsonWriter& json, const KernelPlanReport& report) {
  const Dag dag = report.graph.dag();
  uint64_t steps = 0;
  json.new_line().key("decisions").begin_array();
  for (const RegionDecision& each : report.decisions) {
    json.new_line().begin_object().field("root", each.root);
    write_id(json, "sink", each.sink);
    json.field("verdict", verdict_text(each.verdict)).field("reason", region_reason_text(each.reason));
    write_id(json, "member", each.member);
    write_id(json, "from", each.from);
    write_id(json, "to", each.to);
    std::vector<uint32_t> path;
    if (each.reason == RegionReason::not_dominated) {
      if (steps < kPathSteps) path = region_decision_path(dag, each);
      steps += dag.predecessors.values.size() + dag.size();
      json.field("path", std::span<const uint32_t>(path));
    }
    json.field("message", region_decision_text(report.graph, each, path)).end_object();
  }
  json.end_array();
}

void write_rewritten(JsonWriter& json, const KernelPlanReport& report) {
  json.new_line().key("rewritten");
  if (report.groups.empty()) {
    json.null();
    return;
  }
  const std::vector<uint32_t> ids = collapsed_ids(report.graph, report.groups);
  std::vector<std::vector<uint32_t>> members(report.rewritten.size());
  for (uint32_t id = 0; id < ids.size(); ++id) members[ids[id]].push_back(id);
  const std::vector<std::string> labels = rewritten_labels(report.graph, report.groups);
  json.begin_object().key("nodes").begin_array();
  for (uint32_t id = 0; id < report.rewritten.size(); ++id) {
    write_node(json, id, report.rewritten.node(id), labels[id]);
    json.field("tag", report.rewritten.node(id).tag);
    json.field("members", std::span<const uint32_t>(members[id])).end_object();
  }
  json.end_array().new_line();
  write_edges(json, report.rewritten);
  write_totals(json, report.rewritten);
  json.end_object();
}

}  // namespace

std::string kernel_plan_json(const KernelPlanReport& report) {
  JsonWriter json;
  json.begin_object().field("version", kPlanJsonVersion).field("format", report.format);
  json.key("options").begin_object().field("entry", report.entry).field("fused", report.fused);
  json.key("turned").begin_array();
  for (const std::string& each : report.turned) json.value(each);
  json.end_array().end_object();
  write_nodes(json, report);
  json.new_line();
  write_edges(json, report.graph);
  write_patterns(json, report);
  write_decisions(json, report);
  write_chains(json, report);
  write_totals(json, report.graph);
  write_rewritten(json, report);
  json.new_line().key("diagnostics");
  write_diagnostics(json, report.diagnostics, LineMap(report.text));
  json.new_line().end_object();
  return json.take();
}

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
