// Choosing a node's name.
// It must not know what the message is about.
#include "report/node_title.h"

#include "base/in_quotes.h"

namespace fuseboard {

std::string node_title(const ComputeGraph& graph, uint32_t id) {
  const ComputeNode& node = graph.node(id);
  const std::string number = " (" + std::to_string(id) + ")";
  if (!node.function_name.empty()) return in_quotes(node.function_name) + number;
  if (!node.name.empty()) return in_quotes(node.name) + number;
  return std::string(node_kind_text(node.kind)) + number;
}

}  // namespace fuseboard
