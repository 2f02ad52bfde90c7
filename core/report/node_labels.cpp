// Naming nodes, each differently.
// It must not know the text that a graph came from.
#include "report/node_labels.h"

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace fuseboard {
namespace {

std::string_view plain_label(const ComputeNode& node) {
  if (!node.name.empty()) return node.name;
  return node.function_name.empty() ? node_kind_text(node.kind) : std::string_view(node.function_name);
}

}  // namespace

std::vector<std::string> node_labels(const ComputeGraph& graph) {
  std::unordered_map<std::string_view, uint32_t> uses;
  for (const ComputeNode& node : graph.nodes()) ++uses[plain_label(node)];
  std::vector<std::string> labels;
  labels.reserve(graph.size());
  std::unordered_set<std::string> taken;
  for (uint32_t id = 0; id < graph.size(); ++id) {
    const std::string_view plain = plain_label(graph.node(id));
    std::string label(plain);
    if (uses[plain] > 1) label += " #" + std::to_string(id);
    while (!taken.insert(label).second) label += " #" + std::to_string(id);
    labels.push_back(std::move(label));
  }
  return labels;
}

std::vector<std::string> rewritten_labels(const ComputeGraph& graph, std::span<const LaunchGroup> groups) {
  std::vector<std::string> labels = node_labels(graph);
  std::vector<uint8_t> is_kept(graph.size(), 1);
  for (const LaunchGroup& each : groups) {
    const uint32_t first = each.members.front();
    for (const uint32_t id : each.members) is_kept[id] = id == first ? 1 : 0;
    std::string fused(each.title);
    fused.append(": ").append(labels[first]).append(" to ").append(labels[each.members.back()]);
    labels[first] = std::move(fused);
  }
  std::vector<std::string> out;
  for (uint32_t id = 0; id < graph.size(); ++id) {
    if (is_kept[id] != 0) out.push_back(std::move(labels[id]));
  }
  return out;
}

}  // namespace fuseboard
