// Asking the region finder, and collapsing what it found.
// It must not know op graphs, nor the text that a graph came from.
#include "launch/reduction_fusion.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

#include "analysis/topological_order.h"
#include "base/checked.h"

namespace fuseboard {
namespace {

constexpr uint32_t kPlain = UINT32_MAX;
constexpr size_t kNamesTold = 8;  ///< of a group's members, in its name and tag

ReductionPattern pattern_of(const ComputeGraph& graph, const std::vector<uint32_t>& members) {
  std::vector<std::string> names;
  names.reserve(members.size());
  for (const uint32_t id : members) names.push_back(graph.node(id).function_name);
  return reduction_pattern(names);
}

/// The group of every node, kPlain where it is in none.
std::vector<uint32_t> groups_of(const ComputeGraph& graph, const ReductionFusionPlan& plan) {
  std::vector<uint32_t> group_of(graph.size(), kPlain);
  for (uint32_t g = 0; g < plan.groups.size(); ++g) {
    for (const uint32_t id : plan.groups[g].members) group_of[id] = g;
  }
  return group_of;
}

std::string joined_names(const ComputeGraph& graph, const ReductionFusionGroup& group,
                         std::string_view between) {
  std::string out;
  for (size_t i = 0; i < std::min(group.members.size(), kNamesTold); ++i) {
    const std::string& name = graph.node(group.members[i]).function_name;
    out += (i == 0 ? "" : std::string(between)) + (name.empty() ? "kernel" : name);
  }
  const size_t more = group.members.size() - std::min(group.members.size(), kNamesTold);
  return more == 0 ? out : out + std::string(between) + std::to_string(more) + "_more";
}

/// What some member reads before an earlier member has written it, each once, in the order of reading.
std::vector<uint64_t> inputs_of(const ComputeGraph& graph, const ReductionFusionGroup& group) {
  std::unordered_set<uint64_t> known;  // written inside, or listed
  std::vector<uint64_t> inputs;
  for (const uint32_t id : group.members) {
    for (const uint64_t buffer : graph.node(id).inputs) {
      if (known.insert(buffer).second) inputs.push_back(buffer);
    }
    known.insert(graph.node(id).outputs.begin(), graph.node(id).outputs.end());
  }
  return inputs;
}

/// A branch's nodes under their new ids, each once.
std::vector<uint32_t> renamed(const std::vector<uint32_t>& branch, const std::vector<uint32_t>& ids) {
  std::unordered_set<uint32_t> seen;
  std::vector<uint32_t> out;
  for (const uint32_t id : branch) {
    if (seen.insert(ids[id]).second) out.push_back(ids[id]);
  }
  return out;
}

ComputeNode fused_node(const ComputeGraph& graph, const ReductionFusionGroup& group) {
  const ComputeNode& root = graph.node(group.root);
  const std::string pattern(reduction_pattern_text(group.pattern));
  ComputeNode node;
  node.function_name = "fused_" + pattern + "_" + joined_names(graph, group, "_");
  node.tag = pattern + ": " + joined_names(graph, group, ", ");
  node.config = root.config;
  node.fusible = true;
  node.inputs = inputs_of(graph, group);
  node.outputs = graph.node(group.sink).outputs;
  node.cost_hint = 0;
  for (const uint32_t id : group.members) {
    const ComputeNode& member = graph.node(id);
    node.cost_hint = checked_add(node.cost_hint, member.cost_hint).value_or(UINT64_MAX);
    node.fusible_is_guess = node.fusible_is_guess || member.fusible_is_guess;
    if (node.config && member.config) {
      node.config->shared_mem_bytes =
          std::max(node.config->shared_mem_bytes, member.config->shared_mem_bytes);
    }
  }
  node.cost_hint = std::max<uint64_t>(node.cost_hint, 1);
  return node;
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
  const Dag dag = graph.dag();
  std::vector<uint8_t> fusible(graph.size(), 0);
  std::vector<uint64_t> threads(graph.size(), 0);
  for (uint32_t id = 0; id < graph.size(); ++id) {
    const std::optional<uint64_t> total = graph.node(id).threads();
    fusible[id] = graph.node(id).is_fusible() && total ? 1 : 0;
    threads[id] = total.value_or(0);
  }
  ReductionFusionPlan plan;
  for (Region& each : find_regions(dag, topological_order(dag), fusible, threads, entry)) {
    plan.launches_saved += each.members.size() - 1;
    const ReductionPattern pattern = pattern_of(graph, each.members);
    plan.groups.push_back({each.root, each.sink, std::move(each.members), pattern});
  }
  return {std::move(plan), {}};
}

std::vector<uint32_t> rewritten_ids(const ComputeGraph& graph, const ReductionFusionPlan& plan) {
  const std::vector<uint32_t> group_of = groups_of(graph, plan);
  std::vector<uint32_t> ids(graph.size(), 0);
  uint32_t next = 0;
  for (uint32_t id = 0; id < graph.size(); ++id) {
    if (group_of[id] == kPlain || plan.groups[group_of[id]].root == id) ids[id] = next++;
  }
  for (uint32_t id = 0; id < graph.size(); ++id) {
    if (group_of[id] != kPlain) ids[id] = ids[plan.groups[group_of[id]].root];
  }
  return ids;
}

ComputeGraph rewrite(const ComputeGraph& graph, const ReductionFusionPlan& plan) {
  const std::vector<uint32_t> group_of = groups_of(graph, plan);
  const std::vector<uint32_t> ids = rewritten_ids(graph, plan);
  ComputeGraph out;
  for (const ComputeBuffer& each : graph.buffers()) out.add_buffer(each);
  for (uint32_t id = 0; id < graph.size(); ++id) {
    const uint32_t group = group_of[id];
    if (group != kPlain && plan.groups[group].root != id) continue;
    ComputeNode node = group == kPlain ? graph.node(id) : fused_node(graph, plan.groups[group]);
    for (std::vector<uint32_t>& branch : node.branches) branch = renamed(branch, ids);
    out.add_node(std::move(node));
  }
  std::vector<ComputeGraph::Edge> edges;
  const Dag dag = graph.dag();
  for (uint32_t to = 0; to < graph.size(); ++to) {
    for (const uint32_t from : dag.predecessors[to]) {
      if (ids[from] != ids[to]) edges.push_back({ids[from], ids[to]});
    }
  }
  (void)out.add_edges(edges);  // closed regions contract to no cycle (algorithms.md, section 2)
  return out;
}

}  // namespace fuseboard
