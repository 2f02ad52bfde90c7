// Writing DOT.
// It must not know layouts or kernels.
#include "report/dot.h"

#include "report/dot_string.h"

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

}  // namespace

std::string dot(const FusionGraph& graph, const FusionPlan& plan) {
  std::string out = "digraph fuseboard {\n  rankdir=TB;\n  node [shape=box, fontname=\"monospace\"];\n";
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
      const bool inside = plan.group_of[p] == plan.group_of[id];
      out +=
          "  n" + std::to_string(p) + " -> n" + std::to_string(id) + (inside ? ";\n" : " [style=dashed];\n");
    }
  }
  return out += "}\n";
}

}  // namespace fuseboard
