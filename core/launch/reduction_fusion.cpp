// Asking the region finder, and collapsing what it found.
// It must not know op graphs, nor the text that a graph came from.
#include "launch/reduction_fusion.h"

#include <map>
#include <string>
#include <utility>

#include "analysis/topological_order.h"
#include "launch/branch_context.h"

namespace fuseboard {
namespace {

ReductionPattern pattern_of(const ComputeGraph& graph, const std::vector<uint32_t>& members) {
  std::vector<std::string> names;
  names.reserve(members.size());
  for (const uint32_t id : members) names.push_back(graph.node(id).function_name);
  return reduction_pattern(names);
}

/// Numbers that are equal where two launches have as many threads and run in the same branches.
std::vector<uint64_t> compatibilities(const ComputeGraph& graph) {
  const std::vector<uint32_t> context = branch_contexts(graph);
  std::map<std::pair<uint64_t, uint32_t>, uint64_t> numbers;
  std::vector<uint64_t> out;
  out.reserve(graph.size());
  for (uint32_t id = 0; id < graph.size(); ++id) {
    const uint64_t threads = graph.node(id).threads().value_or(0);
    out.push_back(numbers.try_emplace({threads, context[id]}, numbers.size()).first->second);
  }
  return out;
}

RegionReason reason_of(const ComputeGraph& graph, const Refusal& refusal) {
  switch (refusal.reason) {
    case RefusalReason::unfit: {
      const ComputeNode& member = graph.node(refusal.to);
      if (!refusal.fans_out && member.kind != NodeKind::kernel_launch) return RegionReason::no_fan_out;
      if (!member.is_fusible()) return RegionReason::member_not_fusible;
      if (!member.threads()) return RegionReason::total_unknown;
      const bool as_many = member.threads() == graph.node(refusal.root).threads();
      return as_many ? RegionReason::branches_differ : RegionReason::totals_differ;
    }
    case RefusalReason::leaks:
      return RegionReason::edge_leaks;
    case RefusalReason::not_dominated:
      return RegionReason::not_dominated;
    case RefusalReason::claimed:
      return RegionReason::already_claimed;
    case RefusalReason::no_fan_out:
      return RegionReason::no_fan_out;
  }
  return RegionReason::no_fan_out;
}

RegionDecision refused(const ComputeGraph& graph, const Refusal& refusal) {
  RegionDecision out;
  out.root = refusal.root;
  out.sink = refusal.sink;
  out.reason = reason_of(graph, refusal);
  out.from = refusal.from;
  out.to = refusal.to;
  const bool speaks_of_edge =
      out.reason == RegionReason::edge_leaks || out.reason == RegionReason::no_fan_out;
  out.member = out.reason == RegionReason::not_dominated ? out.sink : speaks_of_edge ? kNoNode : out.to;
  return out;
}

RegionDecision without_total(uint32_t root) {
  RegionDecision out;
  out.root = root;
  out.reason = RegionReason::total_unknown;
  out.member = root;
  return out;
}

RegionDecision fused(const Region& region) {
  RegionDecision out;
  out.root = region.root;
  out.sink = region.sink;
  out.verdict = Verdict::fused;
  return out;
}

/// Regions and refusals, each in the order of `order`, as one list; and what the finder was never asked of.
std::vector<RegionDecision> decisions_of(const ComputeGraph& graph, const std::vector<uint32_t>& order,
                                         const Regions& found) {
  std::vector<RegionDecision> out;
  auto region = found.regions.begin();
  auto refusal = found.refusals.begin();
  for (const uint32_t id : order) {
    if (region != found.regions.end() && region->root == id) {
      out.push_back(fused(*region++));
    } else if (refusal != found.refusals.end() && refusal->root == id) {
      out.push_back(refused(graph, *refusal++));
    } else if (graph.node(id).is_fusible() && !graph.node(id).threads()) {
      out.push_back(without_total(id));
    }
  }
  return out;
}

}  // namespace

Result<ReductionFusionPlan> analyse(const ComputeGraph& graph, Entry entry) {
  if (graph.size() == 0) {
    return {std::nullopt,
            {{Severity::error,
              Code::empty_graph,
              "the graph has no node",
              {},
              "give it at least one kernel_launch"}}};
  }
  if (std::vector<Diagnostic> faults = graph.validate(); !faults.empty())
    return {std::nullopt, std::move(faults)};
  const Dag dag = graph.dag();
  std::vector<uint8_t> fusible(graph.size(), 0);
  for (uint32_t id = 0; id < graph.size(); ++id) {
    fusible[id] = graph.node(id).is_fusible() && graph.node(id).threads() ? 1 : 0;
  }
  ReductionFusionPlan plan;
  const std::vector<uint32_t> order = topological_order(dag);
  Regions found = find_regions(dag, order, fusible, compatibilities(graph), entry);
  plan.decisions = decisions_of(graph, order, found);
  for (Region& each : found.regions) {
    plan.launches_saved += each.members.size() - 1;
    const ReductionPattern pattern = pattern_of(graph, each.members);
    plan.groups.push_back({each.root, each.sink, std::move(each.members), pattern});
  }
  return {std::move(plan), {}};
}

std::vector<LaunchGroup> launch_groups(const ReductionFusionPlan& plan) {
  std::vector<LaunchGroup> groups;
  for (const ReductionFusionGroup& each : plan.groups) {
    groups.push_back({each.members, reduction_pattern_text(each.pattern)});
  }
  return groups;
}

std::vector<uint32_t> rewritten_ids(const ComputeGraph& graph, const ReductionFusionPlan& plan) {
  return collapsed_ids(graph, launch_groups(plan));
}

ComputeGraph rewrite(const ComputeGraph& graph, const ReductionFusionPlan& plan) {
  return collapse(graph, launch_groups(plan));
}

}  // namespace fuseboard
