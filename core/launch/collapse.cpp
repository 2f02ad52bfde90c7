// The fused launches, and the edges between what is left.
// It must not know why these launches form a group, nor the text that a graph came from.
#include "launch/collapse.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/checked.h"

namespace fuseboard {
namespace {

constexpr uint32_t kPlain = UINT32_MAX;
constexpr size_t kNamesTold = 8;  ///< of a group's members, in its name and tag

/// The group of every node, kPlain where it is in none.
std::vector<uint32_t> groups_of(const ComputeGraph& graph, std::span<const LaunchGroup> groups) {
  std::vector<uint32_t> group_of(graph.size(), kPlain);
  for (uint32_t g = 0; g < groups.size(); ++g) {
    for (const uint32_t id : groups[g].members) group_of[id] = g;
  }
  return group_of;
}

std::string joined_names(const ComputeGraph& graph, const LaunchGroup& group, std::string_view between) {
  std::string out;
  for (size_t i = 0; i < std::min(group.members.size(), kNamesTold); ++i) {
    const std::string& name = graph.node(group.members[i]).function_name;
    out += (i == 0 ? "" : std::string(between)) + (name.empty() ? "kernel" : name);
  }
  const size_t more = group.members.size() - std::min(group.members.size(), kNamesTold);
  return more == 0 ? out : out + std::string(between) + std::to_string(more) + "_more";
}

/// What some member reads before an earlier member has written it, each once, in the order of reading.
std::vector<uint64_t> inputs_of(const ComputeGraph& graph, const LaunchGroup& group) {
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

ComputeNode fused_node(const ComputeGraph& graph, const LaunchGroup& group) {
  const ComputeNode& first = graph.node(group.members.front());
  const std::string title(group.title);
  ComputeNode node;
  node.function_name = "fused_" + title + "_" + joined_names(graph, group, "_");
  node.tag = title + ": " + joined_names(graph, group, ", ");
  node.config = first.config;
  node.fusible = true;
  node.inputs = inputs_of(graph, group);
  node.outputs = graph.node(group.members.back()).outputs;
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

std::vector<uint32_t> collapsed_ids(const ComputeGraph& graph, std::span<const LaunchGroup> groups) {
  const std::vector<uint32_t> group_of = groups_of(graph, groups);
  std::vector<uint32_t> ids(graph.size(), 0);
  uint32_t next = 0;
  for (uint32_t id = 0; id < graph.size(); ++id) {
    if (group_of[id] == kPlain || groups[group_of[id]].members.front() == id) ids[id] = next++;
  }
  for (uint32_t id = 0; id < graph.size(); ++id) {
    if (group_of[id] != kPlain) ids[id] = ids[groups[group_of[id]].members.front()];
  }
  return ids;
}

ComputeGraph collapse(const ComputeGraph& graph, std::span<const LaunchGroup> groups) {
  const std::vector<uint32_t> group_of = groups_of(graph, groups);
  const std::vector<uint32_t> ids = collapsed_ids(graph, groups);
  ComputeGraph out;
  for (const ComputeBuffer& each : graph.buffers()) out.add_buffer(each);
  for (uint32_t id = 0; id < graph.size(); ++id) {
    const uint32_t group = group_of[id];
    if (group != kPlain && groups[group].members.front() != id) continue;
    ComputeNode node = group == kPlain ? graph.node(id) : fused_node(graph, groups[group]);
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
  (void)out.add_edges(edges);  // the groups contract to no cycle
  return out;
}

}  // namespace fuseboard
