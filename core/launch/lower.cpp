// Lowering group after group: what is stored, what that needs, and what it is called.
// It must not know PTX.
#include "launch/lower.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "launch/emittable.h"
#include "launch/graph_facts.h"
#include "launch/launch_shape.h"
#include "launch/loop_schedule.h"
#include "launch/lowering.h"
#include "launch/names.h"

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
        member_of_(graph.size(), kNoOp),
        seen_in_(graph.size(), kNoOp) {}

  Kernel lower(uint32_t group);

 private:
  bool is_member(uint32_t op) const { return member_of_[op] == group_; }
  bool see(uint32_t op) { return std::exchange(seen_in_[op], group_) != group_; }

  std::vector<uint32_t> stored_ops() const;
  void find_live(const std::vector<uint32_t>& stores);
  void add_loops(Kernel& kernel, const std::vector<uint32_t>& stores) const;
  void add_parameters(Kernel& kernel, const std::vector<uint32_t>& stores) const;
  void add_parameter(Kernel& kernel, ParameterRole role, uint32_t op, std::string_view attribute = {}) const;
  void add_library_parameters(Kernel& kernel, uint32_t op);
  bool lower_move(Kernel& kernel, uint32_t op) const;
  bool shape_launch(Kernel& kernel) const;
  void name(Kernel& kernel) const;
  void find_faults(Kernel& kernel) const;
  void refuse(Kernel& kernel, Code code, uint32_t op, std::string message, std::string hint) const;

  const FusionGraph& graph_;
  const FusionPlan& plan_;
  const LowerOptions& options_;
  const OpPlaces& places_;
  const GraphFacts facts_;
  std::vector<uint32_t> member_of_;
  std::vector<uint32_t> seen_in_;

  // Of the group at hand:
  uint32_t group_ = 0;
  std::vector<uint32_t> live_;     ///< Point members that the stores need, ascending
  std::vector<uint32_t> sources_;  ///< storages from outside that they read, immediates too, ascending
  std::vector<uint32_t> faulty_views_;
};

/// The distinct storages of the group that it must write, those without elements aside.
std::vector<uint32_t> GroupLowerer::stored_ops() const {
  std::vector<uint32_t> stores;
  for (const uint32_t output : plan_.groups[group_].external_outputs) {
    const uint32_t root = facts_.storage.root[output];
    if (is_member(root) && graph_.op(root).op_class() == OpClass::Point && facts_.elements[root] > 0) {
      stores.push_back(root);
    }
  }
  std::sort(stores.begin(), stores.end());
  stores.erase(std::unique(stores.begin(), stores.end()), stores.end());
  return stores;
}

void GroupLowerer::find_live(const std::vector<uint32_t>& stores) {
  live_.clear();
  sources_.clear();
  faulty_views_.clear();
  for (const uint32_t store : stores) {
    if (see(store)) live_.push_back(store);
  }
  size_t next = 0;
  while (next < live_.size()) {  // it grows
    const uint32_t id = live_[next++];
    for (const uint32_t input : graph_.op(id).inputs) {
      if (facts_.view_fault[input] != kNoOp) {
        faulty_views_.push_back(facts_.view_fault[input]);
        continue;
      }
      const uint32_t root = facts_.storage.root[input];
      const bool is_computed = is_member(root) && graph_.op(root).op_class() == OpClass::Point;
      if (see(root)) (is_computed ? live_ : sources_).push_back(root);
    }
  }
  std::sort(live_.begin(), live_.end());
  std::sort(sources_.begin(), sources_.end());
}

void GroupLowerer::add_loops(Kernel& kernel, const std::vector<uint32_t>& stores) const {
  std::vector<uint32_t> by_elements = stores;
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

void GroupLowerer::add_parameter(Kernel& kernel, ParameterRole role, uint32_t op,
                                 std::string_view attribute) const {
  KernelParameter parameter;
  parameter.role = role;
  parameter.op = op;
  parameter.attribute = attribute;
  parameter.dtype = graph_.op(op).dtype;
  parameter.elements = facts_.elements[op];
  std::string_view prefix = attribute;
  switch (role) {
    case ParameterRole::input:
      prefix = "in";
      break;
    case ParameterRole::output:
      prefix = "out";
      break;
    case ParameterRole::scalar:
      parameter.dtype = scalar_dtype(graph_, graph_.op(op));
      parameter.elements = 1;
      break;
  }
  parameter.name = std::string(prefix) + std::to_string(kernel.parameters.size());
  const std::string own = identifier_of(graph_.op(op).name, 24);
  if (!own.empty()) parameter.name += "_" + own;
  kernel.parameters.push_back(std::move(parameter));
}

void GroupLowerer::add_parameters(Kernel& kernel, const std::vector<uint32_t>& stores) const {
  kernel.parameters.reserve(sources_.size() + stores.size());
  for (const uint32_t source : sources_) {
    if (!is_immediate(graph_.op(source))) add_parameter(kernel, ParameterRole::input, source);
  }
  for (const uint32_t id : live_) {
    if (graph_.op(id).is_resident()) add_parameter(kernel, ParameterRole::input, id);
  }
  for (const uint32_t store : stores) add_parameter(kernel, ParameterRole::output, store);
  for (const uint32_t id : live_) {
    if (graph_.op(id).is_resident()) continue;
    const std::string_view scalar = unknown_scalar(graph_.op(id));
    if (!scalar.empty()) add_parameter(kernel, ParameterRole::scalar, id, scalar);
  }
}

void GroupLowerer::add_library_parameters(Kernel& kernel, uint32_t op) {
  for (const uint32_t input : graph_.op(op).inputs) {
    const uint32_t root = facts_.storage.root[input];
    if (see(root)) add_parameter(kernel, ParameterRole::input, root);
  }
  add_parameter(kernel, ParameterRole::output, op);
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
  for (const uint32_t root : planned->sources) add_parameter(kernel, ParameterRole::input, root);
  add_parameter(kernel, ParameterRole::output, op);
  if (kernel.parameters.size() > kMostParameters) {
    refuse(kernel, Code::kernel_too_large, op,
           kernel.entry + " would take " + std::to_string(kernel.parameters.size()) +
               " parameters; a kernel takes " + std::to_string(kMostParameters),
           "");
  } else if (!planned->shape) {
    refuse(kernel, Code::not_emitted, op,
           comment_of(kernel.entry, 80) + " is not written as PTX: " + comment_of(graph_.name_of(op), 40) +
               " " + planned->fault,
           "");
  } else {
    kernel.config.grid[0] = planned->shape->blocks;
    kernel.config.block[0] = kThreads;
    kernel.move = std::move(planned->shape);
    kernel.emittable = true;
  }
  return true;
}

/// Slots and grid of a kernel that is written; false where its loops would compute too many values.
bool GroupLowerer::shape_launch(Kernel& kernel) const {
  size_t left = kMostSteps;
  for (KernelLoop& loop : kernel.loops) {
    const auto schedule = schedule_loop(graph_, plan_.groups[group_].members, loop, left, facts_.anchor);
    if (!schedule) return false;
    left -= schedule->steps.size();
    loop.slots = slots_of(graph_, loop, *schedule);
    if (&loop == kernel.loops.data()) kernel.config.grid[0] = blocks_of(loop, *schedule);
  }
  return true;
}

/// "add_relu" for people; an entry from the ops' own names, unique by the group's number.
void GroupLowerer::name(Kernel& kernel) const {
  std::string kinds;
  std::string names;
  uint32_t points = 0;
  const std::span<const uint32_t> members =
      kernel.order.empty() ? plan_.groups[group_].members : std::span<const uint32_t>(kernel.order);
  for (const uint32_t id : members) {
    const FusionOp& op = graph_.op(id);
    if (op.op_class() != OpClass::Point) continue;
    if (++points > 4) break;
    if (points == 4) kinds += "_etc";
    if (points == 4) continue;
    kinds += (points == 1 ? "" : "_") + std::string(op.kind_text());
    const std::string own = identifier_of(op.name, 14);
    names += (points == 1 ? "" : "_") + (own.empty() ? std::string(op.kind_text()) : own);
  }
  kernel.name = kinds;
  std::string entry = points > 1 ? "fused_" + names : kinds;
  if (points == 1 && names != kinds) entry += "_" + names;
  kernel.entry = entry + "_" + std::to_string(group_);
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
  for (const uint32_t id : live_) note(id, point_fault(graph_, id, options_.math));
  for (const uint32_t id : sources_) note(id, source_fault(graph_, id));
  for (const uint32_t id : faulty_views_) note(id, view_fault(graph_, id));
  kernel.emittable = faults.empty();
  if (kernel.emittable) return;
  const FusionOp& op = graph_.op(faults[0].op);
  std::string message = comment_of(kernel.entry, 80) +
                        " is not written as PTX: " + comment_of(graph_.name_of(faults[0].op), 40) + " (" +
                        comment_of(op.kind_text(), 40) + ") " + faults[0].why;
  if (count > 1) message += "; " + std::to_string(count - 1) + " more in this kernel";
  refuse(kernel, Code::not_emitted, faults[0].op, std::move(message), "");
}

Kernel GroupLowerer::lower(uint32_t group) {
  group_ = group;
  Kernel kernel;
  kernel.group = group;
  const std::span<const uint32_t> members = plan_.groups[group].members;
  uint32_t library = kNoOp;
  for (const uint32_t id : members) {
    member_of_[id] = group;
    switch (graph_.op(id).op_class()) {
      case OpClass::Source:
      case OpClass::Point:
      case OpClass::View:
        break;
      case OpClass::Reduce:
      case OpClass::Move:
      case OpClass::Opaque:
        library = std::min(library, id);
        break;
    }
  }
  if (library != kNoOp) {
    kernel.name = graph_.op(library).kind_text();
    if (facts_.elements[library] == 0) return kernel;
    kernel.order.assign(members.begin(), members.end());
    if (lower_move(kernel, library)) return kernel;
    kernel.kind = LaunchKind::library;
    add_library_parameters(kernel, library);
    return kernel;
  }
  const std::vector<uint32_t> stores = stored_ops();
  if (stores.empty()) return kernel;
  kernel.kind = LaunchKind::kernel;
  if (members.size() > kMostMembers) {
    name(kernel);
    refuse(kernel, Code::kernel_too_large, members[0],
           kernel.entry + " would hold " + std::to_string(members.size()) + " ops; a kernel takes " +
               std::to_string(kMostMembers),
           "Split the graph, for instance by listing values in between as outputs of parts.");
    return kernel;
  }
  kernel.order.assign(members.begin(), members.end());
  std::sort(kernel.order.begin(), kernel.order.end(),
            [&](uint32_t a, uint32_t b) { return facts_.position[a] < facts_.position[b]; });
  name(kernel);
  find_live(stores);
  add_loops(kernel, stores);
  add_parameters(kernel, stores);
  if (kernel.parameters.size() > kMostParameters) {
    refuse(kernel, Code::kernel_too_large, members[0],
           kernel.entry + " would take " + std::to_string(kernel.parameters.size()) +
               " parameters; a kernel takes " + std::to_string(kMostParameters),
           "");
    return kernel;
  }
  find_faults(kernel);
  if (kernel.emittable && !shape_launch(kernel)) {
    refuse(kernel, Code::kernel_too_large, members[0],
           kernel.entry + " would compute more than " + std::to_string(kMostSteps) +
               " values for an element: its broadcasts need ops at many indices",
           "");
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
