// Lowering group after group: a library call, a move, loops, or rows.
// It must not know PTX.
#include "launch/lower.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "graph/reducer_of.h"
#include "launch/emittable.h"
#include "launch/graph_facts.h"
#include "launch/group_needs.h"
#include "launch/kernel_name.h"
#include "launch/kernel_parameters.h"
#include "launch/launch_shape.h"
#include "launch/loop_schedule.h"
#include "launch/names.h"
#include "launch/row_launch.h"
#include "plan/pattern.h"

namespace fuseboard {
namespace {

class GroupLowerer {
 public:
  GroupLowerer(const FusionGraph& graph, const FusionPlan& plan, const LowerOptions& options,
               const OpPlaces& places)
      : graph_(graph),
        plan_(plan),
        options_(options),
        places_(places),
        facts_(graph_facts(graph)),
        finder_(graph, plan, facts_) {}

  Kernel lower(uint32_t group);

 private:
  bool is_fold(uint32_t op) const { return graph_.op(op).op_class() == OpClass::Reduce; }
  bool is_called(uint32_t op) const;
  uint32_t called_op() const;
  void sort_topologically(std::vector<uint32_t>& ops) const {
    std::sort(ops.begin(), ops.end(),
              [&](uint32_t a, uint32_t b) { return facts_.position[a] < facts_.position[b]; });
  }
  void lower_call(Kernel& kernel, uint32_t op) const;
  bool lower_move(Kernel& kernel, uint32_t op) const;
  void add_loops(Kernel& kernel) const;
  bool shape_launch(Kernel& kernel) const;
  void shape_rows(Kernel& kernel, uint32_t fold) const;
  void name(Kernel& kernel);
  bool has_parameters(Kernel& kernel) const;
  void find_faults(Kernel& kernel) const;
  void refuse(Kernel& kernel, Code code, uint32_t op, std::string message, std::string hint = {}) const;

  const FusionGraph& graph_;
  const FusionPlan& plan_;
  const LowerOptions& options_;
  const OpPlaces& places_;
  const GraphFacts facts_;
  GroupNeedsFinder finder_;
  std::optional<Dag> dag_;  ///< once a group with a pattern asks

  // Of the group at hand:
  uint32_t group_ = 0;
  std::span<const uint32_t> members_;
  GroupNeeds needs_;
};

/// Whether an op is somebody else's kernel: also a reduce without rows, or alone and without a reducer.
bool GroupLowerer::is_called(uint32_t op) const {
  switch (graph_.op(op).op_class()) {
    case OpClass::Source:
    case OpClass::Point:
    case OpClass::View:
      return false;
    case OpClass::Reduce:
      return !row_domain_of(graph_, op) || (members_.size() == 1 && !has_known_reducer(graph_.op(op)));
    case OpClass::Move:
    case OpClass::Opaque:
      break;
  }
  return true;
}

/// The first member that is called; kNoOp where none is. A library call's Moves only turn its operands.
uint32_t GroupLowerer::called_op() const {
  uint32_t found = kNoOp;
  for (const uint32_t id : members_) {
    if (!is_called(id)) continue;
    if (graph_.op(id).op_class() != OpClass::Move) return id;
    if (found == kNoOp) found = id;
  }
  return found;
}

void GroupLowerer::lower_call(Kernel& kernel, uint32_t op) const {
  kernel.name = graph_.op(op).kind_text();
  if (facts_.elements[op] == 0) return;
  kernel.order.assign(members_.begin(), members_.end());
  sort_topologically(kernel.order);
  if (lower_move(kernel, op)) return;
  kernel.kind = LaunchKind::library;
  kernel.parameters = call_parameters(graph_, facts_, members_, op);
}

/// The kernel of a Move (launch/move_shape.h); false where it stays a library call.
bool GroupLowerer::lower_move(Kernel& kernel, uint32_t op) const {
  if (graph_.op(op).op_class() != OpClass::Move) return false;
  std::optional<MovePlan> planned = plan_move(graph_, facts_, op);
  if (!planned) return false;
  kernel.kind = LaunchKind::kernel;
  const std::string own = identifier_of(graph_.op(op).name, 14);
  kernel.entry =
      kernel.name + (own.empty() || own == kernel.name ? "" : "_" + own) + "_" + std::to_string(group_);
  kernel.parameters = pointer_parameters(graph_, facts_, planned->sources, op);
  if (!has_parameters(kernel)) return true;
  if (!planned->shape) {
    refuse(kernel, Code::not_emitted, op,
           comment_of(kernel.entry, 80) + " is not written as PTX: " + comment_of(graph_.name_of(op), 40) +
               " " + planned->fault);
    return true;
  }
  kernel.config.grid[0] = planned->shape->blocks;
  kernel.config.block[0] = kThreads;
  kernel.move = std::move(planned->shape);
  kernel.emittable = true;
  return true;
}

void GroupLowerer::add_loops(Kernel& kernel) const {
  std::vector<uint32_t> by_elements = needs_.stores;
  std::stable_sort(by_elements.begin(), by_elements.end(),
                   [&](uint32_t a, uint32_t b) { return facts_.elements[a] > facts_.elements[b]; });
  uint64_t most = 0;
  for (const uint32_t store : by_elements) {
    const uint64_t elements = facts_.elements[store];
    most = std::max(most, elements);
    if (kernel.loops.empty() || kernel.loops.back().elements != elements) {
      kernel.loops.push_back({graph_.op(store).output_shape, elements, {}, 1});
    }
    kernel.loops.back().stores.push_back(store);
  }
  kernel.config.grid[0] = static_cast<uint32_t>(std::min((most - 1) / kThreads + 1, kMostBlocks));
  kernel.config.block[0] = kThreads;
}

/// Slots and grid of a kernel that is written; false where its loops would compute too many values.
bool GroupLowerer::shape_launch(Kernel& kernel) const {
  size_t left = kMostSteps;
  for (KernelLoop& loop : kernel.loops) {
    const auto schedule = schedule_loop(graph_, members_, loop, left, facts_.anchor);
    if (!schedule) return false;
    left -= schedule->steps.size();
    loop.slots = slots_of(graph_, loop, *schedule);
    if (&loop == kernel.loops.data()) kernel.config.grid[0] = blocks_of(loop, *schedule);
  }
  return true;
}

/// How a kernel that is written shares the rows that `fold` folds.
void GroupLowerer::shape_rows(Kernel& kernel, uint32_t fold) const {
  const std::optional<RowDomain> domain = row_domain_of(graph_, fold);
  RowRefusal refusal;
  std::optional<RowLaunch> launch =
      row_launch(graph_, {members_, domain.value_or(RowDomain{}), needs_.stores, facts_.anchor}, refusal);
  if (!launch) {
    const std::string_view link = refusal.code == Code::not_emitted ? " is not written as PTX: " : " ";
    return refuse(kernel, refusal.code, fold, comment_of(kernel.entry, 80) + std::string(link) + refusal.why);
  }
  kernel.rows = std::move(launch->shape);
  kernel.config = launch->config;
  kernel.bytes_reread = launch->bytes_reread;
}

void GroupLowerer::name(Kernel& kernel) {
  const bool may_have_pattern = members_.size() > 1 && std::any_of(members_.begin(), members_.end(),
                                                                   [&](uint32_t id) { return is_fold(id); });
  GroupPattern pattern = GroupPattern::none;
  if (may_have_pattern) {
    if (!dag_) dag_ = graph_.dag();
    pattern = group_pattern(graph_, *dag_, members_);
  }
  const bool is_known = pattern != GroupPattern::none && pattern != GroupPattern::generic;
  KernelName made =
      kernel_name(graph_, kernel.order.empty() ? members_ : std::span<const uint32_t>(kernel.order), group_,
                  is_known ? group_pattern_text(pattern) : std::string_view());
  kernel.name = std::move(made.name);
  kernel.entry = std::move(made.entry);
}

bool GroupLowerer::has_parameters(Kernel& kernel) const {
  if (kernel.parameters.size() <= kMostParameters) return true;
  refuse(kernel, Code::kernel_too_large, members_[0],
         kernel.entry + " would take " + std::to_string(kernel.parameters.size()) +
             " parameters; a kernel takes " + std::to_string(kMostParameters));
  return false;
}

void GroupLowerer::refuse(Kernel& kernel, Code code, uint32_t op, std::string message,
                          std::string hint) const {
  Diagnostic diagnostic;
  diagnostic.severity = Severity::warning;
  diagnostic.code = code;
  diagnostic.message = std::move(message);
  diagnostic.place = places_.of_op(graph_, op);
  diagnostic.hint = std::move(hint);
  kernel.diagnostics.push_back(std::move(diagnostic));
  kernel.emittable = false;
}

void GroupLowerer::find_faults(Kernel& kernel) const {
  struct Fault {
    uint32_t op;
    std::string why;
  };
  std::vector<Fault> faults;
  size_t count = 0;
  const auto note = [&](uint32_t op, std::string why) {
    if (why.empty()) return;
    ++count;
    if (faults.empty() || op < faults[0].op) faults.assign(1, {op, std::move(why)});
  };
  for (const uint32_t id : needs_.live) {
    note(id, is_fold(id) ? reduce_fault(graph_, id) : point_fault(graph_, id, options_.math));
  }
  for (const uint32_t id : needs_.sources) note(id, source_fault(graph_, id));
  for (const uint32_t id : needs_.faulty_views) note(id, view_fault(graph_, id));
  kernel.emittable = faults.empty();
  if (kernel.emittable) return;
  const FusionOp& op = graph_.op(faults[0].op);
  std::string message = comment_of(kernel.entry, 80) +
                        " is not written as PTX: " + comment_of(graph_.name_of(faults[0].op), 40) + " (" +
                        comment_of(op.kind_text(), 40) + ") " + faults[0].why;
  if (count > 1) message += "; " + std::to_string(count - 1) + " more in this kernel";
  refuse(kernel, Code::not_emitted, faults[0].op, std::move(message));
}

Kernel GroupLowerer::lower(uint32_t group) {
  group_ = group;
  members_ = plan_.groups[group].members;
  Kernel kernel;
  kernel.group = group;
  if (const uint32_t called = called_op(); called != kNoOp) {
    lower_call(kernel, called);
    return kernel;
  }
  needs_ = finder_.of(group);
  if (needs_.stores.empty()) return kernel;
  kernel.kind = LaunchKind::kernel;
  if (members_.size() > kMostMembers) {
    name(kernel);
    refuse(kernel, Code::kernel_too_large, members_[0],
           kernel.entry + " would hold " + std::to_string(members_.size()) + " ops; a kernel takes " +
               std::to_string(kMostMembers),
           "Split the graph, for instance by listing values in between as outputs of parts.");
    return kernel;
  }
  kernel.order.assign(members_.begin(), members_.end());
  sort_topologically(kernel.order);
  name(kernel);
  const auto fold =
      std::find_if(needs_.live.begin(), needs_.live.end(), [&](uint32_t id) { return is_fold(id); });
  const bool reduces = fold != needs_.live.end();
  if (!reduces) add_loops(kernel);
  kernel.parameters = kernel_parameters(graph_, facts_, needs_);
  if (!has_parameters(kernel)) return kernel;
  find_faults(kernel);
  if (!kernel.emittable) return kernel;
  if (reduces) {
    shape_rows(kernel, *fold);
  } else if (!shape_launch(kernel)) {
    refuse(kernel, Code::kernel_too_large, members_[0],
           kernel.entry + " would compute more than " + std::to_string(kMostSteps) +
               " values for an element: its broadcasts need ops at many indices");
  }
  return kernel;
}

}  // namespace

std::vector<Kernel> lower(const FusionGraph& graph, const FusionPlan& plan, const LowerOptions& options,
                          const OpPlaces& places) {
  GroupLowerer lowerer(graph, plan, options, places);
  std::vector<Kernel> kernels;
  kernels.reserve(plan.groups.size());
  for (uint32_t group = 0; group < plan.groups.size(); ++group) kernels.push_back(lowerer.lower(group));
  return kernels;
}

}  // namespace fuseboard
