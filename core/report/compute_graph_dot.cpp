// Writing DOT.
// It must not know layouts, nor why launches form a group.
#include "report/compute_graph_dot.h"

#include <array>
#include <string_view>
#include <vector>

#include "report/dot_string.h"

namespace fuseboard {
namespace {

constexpr uint32_t kPlain = UINT32_MAX;

std::string sizes_text(const std::array<uint32_t, 3>& sizes) {
  return std::to_string(sizes[0]) + "x" + std::to_string(sizes[1]) + "x" + std::to_string(sizes[2]);
}

std::string bytes_text(const ComputeNode& node) {
  return node.bytes ? std::to_string(*node.bytes) + " B" : "unknown bytes";
}

/// The second line of a box.
std::string figures(const ComputeNode& node) {
  switch (node.kind) {
    case NodeKind::kernel_launch: {
      if (!node.config) return "unknown threads";
      const std::optional<uint64_t> threads = node.threads();
      return sizes_text(node.config->grid) + " blocks of " + sizes_text(node.config->block) + " = " +
             (threads ? std::to_string(*threads) : "2^64 or more") + " threads";
    }
    case NodeKind::memcpy:
      return "memcpy " +
             (node.direction == CopyDirection::unknown
                  ? ""
                  : std::string(copy_direction_text(node.direction)) + " ") +
             bytes_text(node);
    case NodeKind::memset:
      return "memset " + bytes_text(node);
    case NodeKind::event_record:
    case NodeKind::event_wait:
    case NodeKind::host_callback:
    case NodeKind::barrier:
    case NodeKind::conditional:
      return std::string(node_kind_text(node.kind));
  }
  return "";
}

void write_node(std::string& out, const ComputeNode& node, uint32_t id, std::string_view indent) {
  const std::string& name = node.function_name.empty() ? node.name : node.function_name;
  out += indent;
  out += "n" + std::to_string(id) + " [label=\"" + std::to_string(id) + (name.empty() ? "" : " ") +
         dot_string(name) + "\\n" + dot_string(figures(node)) + "\"";
  if (!node.is_fusible()) out += ", style=filled, fillcolor=\"#e8e8e8\"";
  if (node.fusible_is_guess) out += ", xlabel=\"fusible? a guess\"";
  out += "];\n";
}

void write_branches(std::string& out, const ComputeNode& node, uint32_t id) {
  for (size_t branch = 0; branch < node.branches.size(); ++branch) {
    for (const uint32_t each : node.branches[branch]) {
      out += "  n" + std::to_string(id) + " -> n" + std::to_string(each) + " [style=dotted, label=\"branch " +
             std::to_string(branch) + "\"];\n";
    }
  }
}

}  // namespace

std::string compute_graph_dot(const ComputeGraph& graph, std::span<const LaunchGroup> groups) {
  std::string out = "digraph fuseboard {\n  rankdir=TB;\n  node [shape=box, fontname=\"monospace\"];\n";
  std::vector<uint32_t> group_of(graph.size(), kPlain);
  for (uint32_t g = 0; g < groups.size(); ++g) {
    out += "  subgraph cluster_" + std::to_string(g) + " {\n    label=\"" + dot_string(groups[g].title) +
           ": " + std::to_string(groups[g].members.size()) + " launches as one\";\n";
    for (const uint32_t id : groups[g].members) {
      group_of[id] = g;
      write_node(out, graph.node(id), id, "    ");
    }
    out += "  }\n";
  }
  for (uint32_t id = 0; id < graph.size(); ++id) {
    if (group_of[id] == kPlain) write_node(out, graph.node(id), id, "  ");
  }
  const Dag dag = graph.dag();
  for (uint32_t id = 0; id < graph.size(); ++id) {
    for (const uint32_t p : dag.predecessors[id]) {
      const bool is_inside = group_of[p] != kPlain && group_of[p] == group_of[id];
      const bool is_dashed = !groups.empty() && !is_inside;
      out += "  n" + std::to_string(p) + " -> n" + std::to_string(id) +
             (is_dashed ? " [style=dashed];\n" : ";\n");
    }
    write_branches(out, graph.node(id), id);
  }
  return out += "}\n";
}

}  // namespace fuseboard
