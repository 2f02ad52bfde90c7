// Gathering groups from labels and counting what each reads and writes.
// It must not know why ops share a group.
#include "plan/cost.h"

#include <algorithm>
#include <vector>

#include "base/checked.h"

namespace fuseboard {
namespace {

/// Numbers the groups by their smallest member. Returns where each group's members begin when laid out group
/// by group.
std::vector<uint32_t> number_groups(FusionPlan& plan, std::span<const uint32_t> label) {
  const uint32_t n = static_cast<uint32_t>(label.size());
  std::vector<uint32_t> group_of_label(n, kNoOp);
  std::vector<uint32_t> start{0};
  plan.group_of.resize(n);
  for (uint32_t id = 0; id < n; ++id) {
    uint32_t& group = group_of_label[label[id]];
    if (group == kNoOp) {
      group = static_cast<uint32_t>(start.size() - 1);
      start.push_back(0);
    }
    plan.group_of[id] = group;
    ++start[group + 1];
  }
  for (size_t g = 1; g < start.size(); ++g) start[g] += start[g - 1];
  return start;
}

/// Fills one group after the other; the scratch arrays are stamped by group.
class GroupCounter {
 public:
  GroupCounter(const FusionGraph& graph, const Dag& dag, const Storages& storages, FusionPlan& plan)
      : dag_(dag),
        storages_(storages),
        plan_(plan),
        listed_(graph.size(), 0),
        written_(graph.size(), 0),
        read_by_(graph.size(), kNoOp),
        touched_by_(graph.size(), kNoOp) {
    for (const uint32_t id : graph.outputs()) listed_[id] = 1;
  }

  /// The inputs of group g's members, into [at, ...) of the pool; returns their end.
  uint32_t read(uint32_t g, uint32_t at) {
    FusionGroup& group = plan_.groups[g];
    const uint32_t begin = at;
    for (const uint32_t id : group.members) {
      const bool reads = storages_.op_class[id] != OpClass::View;
      for (const uint32_t p : dag_.predecessors[id]) {
        if (!inside(g, p) && read_by_[p] != g) {
          read_by_[p] = g;
          plan_.pool[at++] = p;
        }
        if (reads) touch(g, group, p);
      }
    }
    std::sort(plan_.pool.begin() + begin, plan_.pool.begin() + at);
    group.external_inputs = std::span(plan_.pool).subspan(begin, at - begin);
    return at;
  }

  /// Outputs from the front of [at, at + members), intermediates behind them.
  void write(uint32_t g, uint32_t at) {
    FusionGroup& group = plan_.groups[g];
    const auto part = plan_.pool.begin() + at;
    const auto middle = std::copy_if(group.members.begin(), group.members.end(), part,
                                     [&](uint32_t id) { return seen_outside(g, id); });
    const size_t outputs = static_cast<size_t>(middle - part);
    std::copy_if(group.members.begin(), group.members.end(), middle,
                 [&](uint32_t id) { return !seen_outside(g, id); });
    group.external_outputs = std::span(plan_.pool).subspan(at, outputs);
    group.internal_intermediates =
        std::span(plan_.pool).subspan(at + outputs, group.members.size() - outputs);
    for (const uint32_t id : group.external_outputs) {
      const uint32_t root = storages_.root[id];
      if (!inside(g, root) || written_[root] != 0) continue;
      written_[root] = 1;
      group.bytes_written += storages_.written_bytes(root);
    }
  }

 private:
  bool inside(uint32_t g, uint32_t id) const { return plan_.group_of[id] == g; }

  bool seen_outside(uint32_t g, uint32_t id) const {
    const std::span<const uint32_t> consumers = dag_.successors[id];
    return consumers.empty() || listed_[id] != 0 ||
           std::any_of(consumers.begin(), consumers.end(), [&](uint32_t c) { return !inside(g, c); });
  }

  /// Reading `p` touches the storage behind it once, unless this very group computes it.
  void touch(uint32_t g, FusionGroup& group, uint32_t p) {
    const uint32_t root = storages_.root[p];
    const bool computed_here = inside(g, root) && storages_.op_class[root] != OpClass::View;
    if (computed_here || touched_by_[root] == g || storages_.read_bytes(p) == 0) return;
    touched_by_[root] = g;
    group.bytes_read += storages_.read_bytes(p);
  }

  const Dag& dag_;
  const Storages& storages_;
  FusionPlan& plan_;
  std::vector<uint8_t> listed_;
  std::vector<uint8_t> written_;      ///< by storage
  std::vector<uint32_t> read_by_;     ///< by op: the group that lists it last
  std::vector<uint32_t> touched_by_;  ///< by storage: the group that read it last
};

}  // namespace

FusionPlan priced_plan(const FusionGraph& graph, const Dag& dag, const Storages& storages,
                       std::span<const uint32_t> label) {
  FusionPlan plan;
  std::vector<uint32_t> next = number_groups(plan, label);
  const uint32_t n = graph.size();
  plan.groups.resize(next.size() - 1);
  plan.pool.resize(2 * size_t{n} + dag.predecessors.values.size());  // members, outputs and the rest, inputs
  for (size_t g = 0; g < plan.groups.size(); ++g) {
    plan.groups[g].members = std::span(plan.pool).subspan(next[g], next[g + 1] - next[g]);
  }
  for (uint32_t id = 0; id < n; ++id) plan.pool[next[plan.group_of[id]]++] = id;

  GroupCounter counter(graph, dag, storages, plan);
  uint32_t inputs_at = 2 * n;
  uint32_t outputs_at = n;
  for (uint32_t g = 0; g < plan.groups.size(); ++g) {
    inputs_at = counter.read(g, inputs_at);
    counter.write(g, outputs_at);
    outputs_at += static_cast<uint32_t>(plan.groups[g].members.size());
    plan.bytes_fused += plan.groups[g].bytes_read + plan.groups[g].bytes_written;
  }
  plan.bytes_unfused = unfused_bytes(dag, storages).value_or(0);
  plan.bytes_saved = plan.bytes_unfused - plan.bytes_fused;
  plan.speedup_estimate = plan.bytes_fused == 0 ? 1.0 : exact_ratio(plan.bytes_unfused, plan.bytes_fused);
  return plan;
}

}  // namespace fuseboard
