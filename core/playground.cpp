// The facade: asks each room in turn and keeps what they answer.
// It must not know JavaScript or pages.
#include "playground.h"

#include <algorithm>
#include <utility>

#include "emit/ptx.h"
#include "emit/target.h"
#include "formats/format.h"
#include "formats/kernel_graph.h"
#include "launch/launch_order.h"
#include "launch/lower.h"
#include "layout/layered_layout.h"
#include "plan/fusion_planner.h"
#include "playground_kernel_graph.h"
#include "playground_layout.h"
#include "report/diagnostics_json.h"
#include "report/dot.h"
#include "report/json_writer.h"
#include "report/kernel_json.h"
#include "report/plan_json.h"
#include "report/run_json.h"
#include "verify/verification.h"

#ifndef FUSEBOARD_VERSION
#define FUSEBOARD_VERSION "0.0.0"
#endif

namespace fuseboard {

struct Playground::State {
  std::string text;
  PlaygroundOptions options;
  std::string_view format;
  std::vector<Diagnostic> diagnostics;
  bool planned = false;
  ReadGraph read;
  FusionPlan plan;
  Policy policy = Policy::rows;
  Entry entry = Entry::operands;
  std::optional<PlannedKernelGraph> kernel_graph;  ///< instead of all that follows
  std::vector<PolicyFigures> policies;             ///< of all, in a graph that is not too large for that
  std::vector<Kernel> kernels;                     ///< one a group
  std::vector<uint32_t> launched;        ///< those that run: the kernels of plan JSON, by their index there
  std::vector<SourceLine> source_lines;  ///< one an op
  EmitOptions emit_options;
  VerifyOptions verify_options;
  std::optional<Verification> run;

  bool settle_options();
  void read_text(bool sound);
  void add_all(const std::vector<Diagnostic>& found);
  void plan_graph();
  void compare_policies();
  std::vector<Kernel> kernels_of(const FusionPlan& of) const;
  /// The index-th kernel of plan JSON; nullptr where there is none.
  const Kernel* kernel(uint32_t index) const {
    return index < launched.size() ? &kernels[launched[index]] : nullptr;
  }
  EmitOptions options_with_lines() const;
};

namespace {

std::string_view kernel_graph_format_name(KernelGraphFormat format) {
  switch (format) {
    case KernelGraphFormat::json:
      return "kernel-graph-json";
    case KernelGraphFormat::cuda_graph:
      return "cuda-graph";
  }
  return "";
}

/// Wide enough for the name, or the kind with its type.
float op_width(const FusionGraph& graph, uint32_t id) {
  const FusionOp& op = graph.op(id);
  const size_t type = op.kind_text().size() + 1 + op.dtype_name().size() + shape_text(op.output_shape).size();
  return box_width(std::max(graph.name_of(id).size(), type));
}

constexpr uint32_t kMostCompared = 50000;  ///< ops of a graph that is planned by every policy

/// What the planner would do stays as its decisions.
FusionPlan unfused_plan(const FusionGraph& graph, FusionPlan plan) {
  FusionPlan unfused = FusionPlanner::plan_unfused(graph);
  unfused.decisions = std::move(plan.decisions);
  for (Decision& each : unfused.decisions.decisions) each.together = false;
  return unfused;
}

}  // namespace

bool Playground::State::settle_options() {
  if (const std::optional<Target> target = target_from_name(options.target)) {
    emit_options.target = *target;
  } else {
    std::string names;
    for (const Target& each : targets()) names += (names.empty() ? "" : " ") + std::string(each.name);
    diagnostics.push_back({Severity::error,
                           Code::bad_option,
                           "there is no target \"" + options.target.substr(0, 40) + "\"",
                           {},
                           "use one of " + names});
  }
  if (options.math != "fast" && options.math != "precise") {
    diagnostics.push_back({Severity::error,
                           Code::bad_option,
                           "there is no math mode \"" + options.math.substr(0, 40) + "\"",
                           {},
                           "use fast or precise"});
  }
  if (const std::optional<Policy> named = policy_from_text(options.policy)) {
    policy = *named;
  } else {
    diagnostics.push_back({Severity::error,
                           Code::bad_option,
                           "there is no policy \"" + options.policy.substr(0, 40) + "\"",
                           {},
                           "use rows, regions or elementwise"});
  }
  if (options.entry == "dominated") {
    entry = Entry::dominated;
  } else if (options.entry != "operands") {
    diagnostics.push_back({Severity::error,
                           Code::bad_option,
                           "there is no entry \"" + options.entry.substr(0, 40) + "\"",
                           {},
                           "use operands or dominated"});
  }
  emit_options.math = options.math == "precise" ? Math::precise : Math::fast;
  return !has_errors(diagnostics);
}

std::vector<Kernel> Playground::State::kernels_of(const FusionPlan& of) const {
  LowerOptions lower_options;
  lower_options.math = emit_options.math;
  OpPlaces places;
  places.ops = read.places;
  return lower(read.graph, of, lower_options, places);
}

void Playground::State::compare_policies() {
  for (const Policy each : kPolicies) {
    PolicyFigures& figures = policies.emplace_back();
    figures.policy = policy_text(each);
    const FusionPlan other =
        FusionPlanner().with_broadcast(options.broadcast).with_policy(each).plan(read.graph);
    figures.bytes_fused = other.bytes_fused;
    for (const Kernel& kernel : kernels_of(other)) {
      figures.kernels += kernel.kind == LaunchKind::kernel ? 1 : 0;
      figures.launches += kernel.kind == LaunchKind::none ? 0 : 1;
    }
  }
}

void Playground::State::plan_graph() {
  plan = FusionPlanner().with_broadcast(options.broadcast).with_policy(policy).plan(read.graph);
  if (read.graph.size() <= kMostCompared) compare_policies();
  if (!options.fused) plan = unfused_plan(read.graph, std::move(plan));
  kernels = kernels_of(plan);
  launched = launch_order(read.graph.dag(), plan, kernels);
  const LineMap lines(text);
  for (const OpPlaces::Span& each : read.places) {
    const LineMap::Position position = lines.at(each.offset);
    source_lines.push_back({position.line, position.column});
  }
  planned = true;
}

EmitOptions Playground::State::options_with_lines() const {
  EmitOptions with_lines = emit_options;
  with_lines.source_lines = source_lines;
  return with_lines;
}

void Playground::State::add_all(const std::vector<Diagnostic>& found) {
  diagnostics.insert(diagnostics.end(), found.begin(), found.end());
}

void Playground::State::read_text(bool sound) {
  if (const std::optional<KernelGraphFormat> kind = recognise_kernel_graph(text)) {
    format = kernel_graph_format_name(*kind);
    Result<PlannedKernelGraph> known = PlannedKernelGraph::read(text, entry, options);
    add_all(known.diagnostics);
    if (known && sound) kernel_graph = std::move(*known.value);
    return;
  }
  if (const Format* known = recognise_format(text)) format = known->name;
  Result<ReadGraph> found = read_graph(text);
  add_all(found.diagnostics);
  if (!found || !sound) return;
  read = std::move(*found.value);
  plan_graph();
}

Playground::Playground(std::unique_ptr<State> state) : state_(std::move(state)) {}
Playground::Playground(Playground&&) noexcept = default;
Playground& Playground::operator=(Playground&&) noexcept = default;
Playground::~Playground() = default;

Playground Playground::open(std::string text, const PlaygroundOptions& options) {
  auto state = std::make_unique<State>();
  state->text = std::move(text);
  state->options = options;
  const bool sound = state->settle_options();
  state->read_text(sound);
  return Playground(std::move(state));
}

bool Playground::ok() const { return state_->planned || state_->kernel_graph; }

std::string Playground::diagnostics_json() const {
  JsonWriter json;
  json.begin_object().key("diagnostics");
  write_diagnostics(json, state_->diagnostics, LineMap(state_->text));
  json.end_object();
  return json.take();
}

std::string Playground::plan_json() const {
  if (!ok()) return diagnostics_json();
  if (state_->kernel_graph) {
    return state_->kernel_graph->plan_json(state_->text, state_->format, state_->options,
                                           state_->diagnostics);
  }
  return fuseboard::plan_json({state_->text, state_->format, state_->options.broadcast, state_->options.fused,
                               state_->options.policy, state_->options.target, state_->options.math,
                               state_->read.graph, state_->read.places, state_->plan, state_->kernels,
                               state_->launched, state_->policies, state_->diagnostics});
}

std::string Playground::dot() const {
  if (state_->kernel_graph) return state_->kernel_graph->dot();
  return ok() ? fuseboard::dot(state_->read.graph, state_->plan) : "";
}

uint32_t Playground::kernel_count() const { return static_cast<uint32_t>(state_->launched.size()); }

std::string Playground::kernel_json(uint32_t index) const {
  const Kernel* kernel = state_->kernel(index);
  JsonWriter json;
  json.begin_object();
  if (kernel != nullptr && kernel->emittable) {
    const EmittedKernel emitted = emit(state_->read.graph, *kernel, state_->options_with_lines());
    json.field("entry", kernel->entry).field("ptx", emitted.text);
    json.field("lines", std::span<const int64_t>(emitted.lines)).key("registers").begin_array();
    for (const auto& [op, name] : emitted.registers) json.begin_array().value(op).value(name).end_array();
    json.end_array();
  }
  json.end_object();
  return json.take();
}

std::string Playground::kernel_ptx(uint32_t index) const {
  const Kernel* kernel = state_->kernel(index);
  return kernel != nullptr && kernel->emittable
             ? emit(state_->read.graph, *kernel, state_->options_with_lines()).text
             : "";
}

std::string Playground::kernels_json() const {
  return fuseboard::kernels_json(state_->kernels, state_->launched, LineMap(state_->text));
}

PlaygroundLayout Playground::layout() const {
  if (!ok()) return {};
  if (state_->kernel_graph) return state_->kernel_graph->layout();
  const FusionGraph& graph = state_->read.graph;
  std::vector<float> widths;
  std::vector<uint32_t> from;
  std::vector<uint32_t> to;
  std::vector<uint8_t> boxed;
  for (uint32_t id = 0; id < graph.size(); ++id) widths.push_back(op_width(graph, id));
  const std::vector<float> heights(widths.size(), kBoxHeight);
  for (const Decision& each : state_->plan.decisions.decisions) {
    from.push_back(each.producer);
    to.push_back(each.consumer);
  }
  for (const FusionGroup& group : state_->plan.groups) boxed.push_back(group.members.size() > 1 ? 1 : 0);
  Layout drawn = layered_layout({widths, heights, from, to, state_->plan.group_of, boxed, {}});
  return page_layout(std::move(drawn), std::move(widths));
}

void Playground::start_run(const RunOptions& options) {
  if (!state_->planned) return;
  state_->verify_options = {};
  state_->verify_options.seed = options.seed;
  state_->verify_options.full = options.full;
  state_->run.reset();
  state_->run.emplace(state_->read.graph, state_->plan, state_->kernels, state_->launched,
                      state_->options_with_lines(), state_->verify_options);
}

bool Playground::continue_run(uint64_t steps) { return !state_->run || state_->run->advance(steps); }

void Playground::cancel_run() {
  if (state_->run) state_->run->cancel();
}

std::string Playground::run_json() const {
  if (!state_->run) return no_run_json();
  return fuseboard::run_json(state_->read.graph, state_->kernels, state_->launched, state_->verify_options,
                             state_->run->report());
}

std::string ops_json() { return op_table_json(); }

std::string about_json() {
  JsonWriter json;
  json.begin_object().field("version", FUSEBOARD_VERSION).field("plan_json", kPlanJsonVersion);
  json.key("targets").begin_array();
  for (const Target& each : targets()) json.value(each.name);
  json.end_array().key("formats").begin_array();
  for (const Format& each : all_formats()) {
    json.begin_object().field("name", each.name).field("title", each.title).end_object();
  }
  for (const KernelGraphFormat each : {KernelGraphFormat::json, KernelGraphFormat::cuda_graph}) {
    json.begin_object().field("name", kernel_graph_format_name(each));
    json.field("title", kernel_graph_format_title(each)).end_object();
  }
  json.end_array().end_object();
  return json.take();
}

}  // namespace fuseboard
