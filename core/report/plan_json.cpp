// Writing plan JSON; its form is told in plan_json.h.
// It must not know layouts or the texts that graphs come from.
#include "report/plan_json.h"

#include <algorithm>

#include "graph/storage.h"
#include "plan/pattern.h"
#include "plan/policy.h"
#include "plan/regions.h"
#include "report/diagnostics_json.h"
#include "report/json_writer.h"
#include "report/kernel_json.h"

namespace fuseboard {
namespace {

using Ids = std::span<const uint32_t>;

void write_spec_group(JsonWriter& json, const FusionGroup& group) {
  json.field("members", Ids(group.members)).field("external_inputs", Ids(group.external_inputs));
  json.field("external_outputs", Ids(group.external_outputs));
  json.field("internal_intermediates", Ids(group.internal_intermediates));
  json.field("bytes_read", group.bytes_read).field("bytes_written", group.bytes_written);
}

void write_spec_totals(JsonWriter& json, const FusionPlan& plan) {
  json.field("bytes_unfused", plan.bytes_unfused).field("bytes_fused", plan.bytes_fused);
  json.field("bytes_saved", plan.bytes_saved).field("speedup_estimate", plan.speedup_estimate);
}

void write_attribute(JsonWriter& json, const Attribute& attribute) {
  json.key(attribute.name);
  std::visit(
      [&](const auto& value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::vector<int64_t>>) {
          json.value(std::span<const int64_t>(value));
        } else {
          json.value(value);
        }
      },
      attribute.value);
}

/// Whether an attribute of a foreign op would shadow a field that every op has.
bool is_field(std::string_view name) {
  constexpr std::string_view kFields[] = {"id",          "name",         "kind",  "class",
                                          "inputs",      "output_shape", "dtype", "offset",
                                          "dtype_bytes", "output_bytes", "group", "length"};
  return std::find(std::begin(kFields), std::end(kFields), name) != std::end(kFields);
}

class PlanWriter {
 public:
  explicit PlanWriter(const PlanReport& report)
      : report_(report), lines_(report.text), listed_(report.graph.size(), 0) {
    for (const uint32_t id : report.graph.outputs()) listed_[id] = 1;
    kernel_of_group_.assign(report.plan.groups.size(), kNoOp);
    for (uint32_t i = 0; i < report.launched.size(); ++i) {
      kernel_of_group_[report.kernels[report.launched[i]].group] = i;
    }
  }

  std::string run() {
    json_.begin_object();
    json_.field("version", kPlanJsonVersion).field("format", report_.format);
    json_.key("options").begin_object().field("broadcast", report_.broadcast).field("fused", report_.fused);
    json_.field("policy", report_.policy)
        .field("target", report_.target)
        .field("math", report_.math)
        .end_object();
    write_ops();
    json_.new_line().field("outputs", Ids(report_.graph.outputs()));
    write_groups();
    json_.new_line();
    write_spec_totals(json_, report_.plan);
    write_policies();
    write_decisions();
    write_region_decisions();
    write_kernels();
    json_.new_line().key("diagnostics");
    write_diagnostics(json_, report_.diagnostics, lines_);
    json_.new_line().end_object();
    return json_.take();
  }

 private:
  void write_ops() {
    json_.new_line().key("ops").begin_array();
    for (uint32_t id = 0; id < report_.graph.size(); ++id) {
      const FusionOp& op = report_.graph.op(id);
      json_.new_line().begin_object();
      json_.field("id", id).field("name", report_.graph.name_of(id)).field("kind", op.kind_text());
      json_.field("class", op_class_text(op.op_class())).field("inputs", Ids(op.inputs));
      json_.field("output_shape", std::span<const uint64_t>(op.output_shape));
      json_.field("dtype", op.dtype_name()).field("dtype_bytes", op.dtype_bytes);
      json_.field("output_bytes", report_.graph.output_bytes(id)).field("group", report_.plan.group_of[id]);
      if (id < report_.places.size()) {
        json_.field("offset", report_.places[id].offset).field("length", report_.places[id].length);
      }
      for (const Attribute& each : op.attributes) {
        if (!is_field(each.name)) write_attribute(json_, each);
      }
      json_.end_object();
    }
    json_.end_array();
  }

  void write_groups() {
    const Storages stores = storages(report_.graph);
    UnfusedBytes alone(dag_, stores);
    json_.new_line().key("groups").begin_array();
    for (uint32_t g = 0; g < report_.plan.groups.size(); ++g) {
      const FusionGroup& group = report_.plan.groups[g];
      json_.new_line().begin_object();
      write_spec_group(json_, group);
      uint64_t unfused = 0;
      for (const uint32_t id : group.members) unfused += alone.of(id).value_or(0);
      json_.field("bytes_unfused", unfused);
      json_.field("pattern", group_pattern_text(group_pattern(report_.graph, dag_, group.members)));
      write_what_runs(g);
      json_.key("materialized").begin_array();
      for (const uint32_t id : group.external_outputs) write_materialized(g, id);
      json_.end_array().end_object();
    }
    json_.end_array();
  }

  void write_what_runs(uint32_t g) {
    json_.field("runs", launch_kind_text(report_.kernels[g].kind)).key("kernel");
    if (kernel_of_group_[g] == kNoOp) {
      json_.null();
    } else {
      json_.value(kernel_of_group_[g]);
    }
  }

  void write_materialized(uint32_t g, uint32_t id) {
    std::vector<uint32_t> outside;
    for (const uint32_t c : dag_.successors[id]) {
      if (report_.plan.group_of[c] != g) outside.push_back(c);
    }
    const char* why = !outside.empty() ? "consumed-outside" : listed_[id] != 0 ? "output" : "terminal";
    json_.begin_object().field("op", id).field("why", why).field("consumers", Ids(outside)).end_object();
  }

  /// A result is its part of what the op behind it wrote.
  static uint64_t edge_bytes(const Storages& stores, const Decision& each) {
    const bool into_view = stores.op_class[each.consumer] == OpClass::View;
    return stores.read_bytes(into_view ? each.consumer : each.producer);
  }

  /// Where a broadcast view is refused, the shape that it stretches says why.
  const Shape& shape_before_stretching(uint32_t id) const {
    const FusionOp& op = report_.graph.op(id);
    return op.kind == OpKind::broadcast && op.op_class() == OpClass::View
               ? report_.graph.op(op.inputs[0]).output_shape
               : op.output_shape;
  }

  void write_decisions() {
    const Storages stores = storages(report_.graph);
    const DecisionList& list = report_.plan.decisions;
    json_.new_line().key("decisions").begin_array();
    for (const Decision& each : list.decisions) {
      json_.new_line().begin_object();
      json_.field("producer", each.producer).field("consumer", each.consumer);
      json_.field("verdict", verdict_text(each.verdict)).field("reason", reason_text(each.reason));
      json_.field("together", each.together).field("bytes", edge_bytes(stores, each));
      if (each.reason == Reason::shapes_differ) {
        json_.field("producer_shape",
                    std::span<const uint64_t>(report_.graph.op(each.producer).output_shape));
        json_.field("consumer_shape",
                    std::span<const uint64_t>(report_.graph.op(each.consumer).output_shape));
      }
      if (each.reason == Reason::would_create_cycle) {
        json_.field("path", Ids(list.path(each))).field("path_total", each.path_total);
      }
      if (speaks_of_rows(each.reason)) {
        const auto& [folded, other] = list.row_domains(each);
        json_.key("domains").begin_array();
        write_domain(json_, folded);
        write_domain(json_, other);
        json_.end_array();
      }
      if (each.reason == Reason::region_is_closed) {
        json_.key("region").begin_array().value(each.path_start).value(each.path_length).end_array();
      }
      json_.end_object();
    }
    json_.end_array();
  }

  void write_region_decisions() {
    if (report_.policy != policy_text(Policy::regions)) return;
    json_.new_line().key("region_decisions").begin_array();
    for (const RegionDecision& each : region_decisions(report_.graph, report_.broadcast)) {
      json_.new_line().begin_object().field("root", each.root).key("sink");
      write_node(each.sink);
      json_.field("verdict", verdict_text(each.verdict)).field("reason", region_reason_text(each.reason));
      json_.key("member");
      write_node(each.member);
      json_.key("from");
      write_node(each.from);
      json_.key("to");
      write_node(each.to);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_node(uint32_t id) {
    if (id == kNoNode) {
      json_.null();
    } else {
      json_.value(id);
    }
  }

  void write_policies() {
    json_.new_line().key("policies").begin_array();
    for (const PolicyFigures& each : report_.policies) {
      json_.begin_object().field("policy", each.policy).field("bytes_fused", each.bytes_fused);
      json_.field("kernels", each.kernels).field("launches", each.launches).end_object();
    }
    json_.end_array();
  }

  void write_kernels() {
    json_.new_line().key("kernels").begin_array();
    for (const uint32_t index : report_.launched) {
      json_.new_line();
      write_kernel(json_, report_.kernels[index], lines_);
    }
    json_.end_array();
  }

  const PlanReport& report_;
  const LineMap lines_;
  const Dag dag_ = report_.graph.dag();
  std::vector<uint8_t> listed_;
  std::vector<uint32_t> kernel_of_group_;
  JsonWriter json_;
};

}  // namespace

std::string plan_json(const PlanReport& report) { return PlanWriter(report).run(); }

std::string spec_plan_json(const FusionPlan& plan) {
  JsonWriter json;
  json.begin_object().key("groups").begin_array();
  for (const FusionGroup& group : plan.groups) {
    json.begin_object();
    write_spec_group(json, group);
    json.end_object();
  }
  json.end_array();
  write_spec_totals(json, plan);
  json.end_object();
  return json.take();
}

std::string op_table_json() {
  JsonWriter json;
  json.begin_array();
  for (uint32_t i = 0; i < op_kind_count(); ++i) {
    const OpInfo& row = op_info(static_cast<OpKind>(i));
    if (row.kind == OpKind::foreign) continue;
    json.new_line().begin_object();
    json.field("kind", row.text).field("class", op_class_text(row.op_class));
    json.key("arity").begin_array().value(row.least_arity);
    if (row.most_arity == kMany) {
      json.null();
    } else {
      json.value(row.most_arity);
    }
    json.end_array()
        .field("attributes", row.attributes)
        .field("reference", row.reference)
        .field("names", row.names);
    if (row.op_class == OpClass::Point) {
      json.key("bound").begin_object();
      json.field("fast", row.ulps_fast).field("precise", row.ulps_precise).field("f64", row.ulps_f64);
      json.field("slack", row.slack).field("source", row.bound_source).end_object();
      json.field("ptx", row.ptx);
    }
    json.end_object();
  }
  json.new_line().end_array();
  return json.take() + "\n";
}

}  // namespace fuseboard
