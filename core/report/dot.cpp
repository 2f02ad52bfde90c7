// Writing DOT.
// It must not know layouts or kernels.
#include "report/dot.h"

#include <algorithm>

namespace fuseboard {
namespace {

/// The inside of a quoted DOT string: quotes and backslashes escaped, control characters as spaces, nothing
/// too long.
std::string quoted(std::string_view text) {
  constexpr size_t kLongest = 120;
  size_t end = std::min(text.size(), kLongest);
  while (end > 0 && end < text.size() && (text[end] & 0xc0) == 0x80) --end;  // no half character
  std::string out;
  for (const char c : text.substr(0, end)) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  if (end < text.size()) out += "...";
  return out;
}

void write_op(std::string& out, const FusionGraph& graph, uint32_t id, const char* indent) {
  const FusionOp& op = graph.op(id);
  out += indent;
  out += "n" + std::to_string(id) + " [label=\"" + quoted(graph.name_of(id)) + "\\n" +
         quoted(op.kind_text()) + " " + quoted(op.dtype_name()) + shape_text(op.output_shape) + "\"";
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
