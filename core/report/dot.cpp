// Writing DOT.
// It must not know layouts, nor the kernels of a plan of ops.
#include "report/dot.h"

#include "report/dot_string.h"

#include "report/node_labels.h"

namespace fuseboard {
namespace {

void write_op(std::string& out, const FusionGraph& graph, uint32_t id, const char* indent) {
  const FusionOp& op = graph.op(id);
  out += indent;
  out += "n" + std::to_string(id) + " [label=\"" + dot_string(graph.name_of(id)) + "\\n" +
         dot_string(op.kind_text()) + " " + dot_string(op.dtype_name()) + shape_text(op.output_shape) + "\"";
  if (!op.is_fusible()) out += ", style=filled, fillcolor=\"#e8e8e8\"";
  out += "];\n";
}

std::string threads_text(const ComputeNode& node) {
  const std::optional<uint64_t> threads = node.threads();
  return threads ? std::to_string(*threads) + " threads" : "threads unknown";
}

void write_node(std::string& out, const ComputeNode& node, uint32_t id, const std::string& label,
                const char* indent) {
  out += indent;
  const bool is_launch = node.kind == NodeKind::kernel_launch;
  out += "n" + std::to_string(id) + " [label=\"" + quoted(label) + "\\n" +
         (is_launch ? threads_text(node) : std::string(node_kind_text(node.kind))) + "\"";
  if (!node.is_fusible()) out += ", style=filled, fillcolor=\"#e8e8e8\"";
  out += "];\n";
}

constexpr std::string_view kOpening =
    "digraph fuseboard {\n  rankdir=TB;\n  node [shape=box, fontname=\"monospace\"];\n";

void write_edge(std::string& out, uint32_t from, uint32_t to, bool inside) {
  out +=
      "  n" + std::to_string(from) + " -> n" + std::to_string(to) + (inside ? ";\n" : " [style=dashed];\n");
}

}  // namespace

std::string dot(const FusionGraph& graph, const FusionPlan& plan) {
  std::string out(kOpening);
  for (size_t g = 0; g < plan.groups.size(); ++g) {
    const FusionGroup& group = plan.groups[g];
    if (group.members.size() == 1) {
      write_op(out, graph, group.members[0], "  ");
      continue;
    }
    out += "  subgraph cluster_" + std::to_string(g) + " {\n    label=\"group " + std::to_string(g) +
           ": read " + std::to_string(group.bytes_read) + " B, write " + std::to_string(group.bytes_written) +
           " B\";\n";
    for (const uint32_t id : group.members) write_op(out, graph, id, "    ");
    out += "  }\n";
  }
  const Dag dag = graph.dag();
  for (uint32_t id = 0; id < graph.size(); ++id) {
    for (const uint32_t p : dag.predecessors[id]) {
      write_edge(out, p, id, plan.group_of[p] == plan.group_of[id]);
    }
  }
  return out += "}\n";
}

std::string dot(const ComputeGraph& graph, std::span<const LaunchGroup> groups) {
  std::string out(kOpening);
  const std::vector<std::string> labels = node_labels(graph);
  std::vector<size_t> group_of(graph.size(), groups.size());
  for (size_t g = 0; g < groups.size(); ++g) {
    const LaunchGroup& group = groups[g];
    out += "  subgraph cluster_" + std::to_string(g) + " {\n    label=\"group " + std::to_string(g) + ": " +
           std::string(group.title) + "\";\n";
    for (const uint32_t id : group.members) {
      group_of[id] = g;
      write_node(out, graph.node(id), id, labels[id], "    ");
    }
    out += "  }\n";
  }
  const Dag dag = graph.dag();
  for (uint32_t id = 0; id < graph.size(); ++id) {
    if (group_of[id] == groups.size()) write_node(out, graph.node(id), id, labels[id], "  ");
  }
  for (uint32_t id = 0; id < graph.size(); ++id) {
    for (const uint32_t p : dag.predecessors[id]) {
      write_edge(out, p, id, group_of[p] == group_of[id] && group_of[p] < groups.size());
    }
  }
  return out += "}\n";
}

}  // namespace fuseboard
