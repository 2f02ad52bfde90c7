// Depth first forward for the order of leaving, then backward from the last left.
// It must not know what a node is.
#include "analysis/strong_components.h"

#include <algorithm>

namespace fuseboard {
namespace {

/// Nodes in the order in which a depth-first search leaves them.
std::vector<uint32_t> leaving_order(const Rows& successors) {
  const uint32_t n = successors.size();
  std::vector<uint32_t> next(n, 0);  // of each node, how many successors were looked at
  std::vector<uint8_t> seen(n, 0);
  std::vector<uint32_t> order;
  std::vector<uint32_t> stack;
  for (uint32_t start = 0; start < n; ++start) {
    if (seen[start] != 0) continue;
    seen[start] = 1;
    stack.push_back(start);
    while (!stack.empty()) {
      const uint32_t v = stack.back();
      if (next[v] == successors[v].size()) {
        order.push_back(v);
        stack.pop_back();
        continue;
      }
      const uint32_t w = successors[v][next[v]++];
      if (seen[w] != 0) continue;
      seen[w] = 1;
      stack.push_back(w);
    }
  }
  return order;
}

}  // namespace

std::vector<uint32_t> strong_components(const Dag& graph) {
  constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> component(graph.size(), kNone);
  std::vector<uint32_t> order = leaving_order(graph.successors);
  std::reverse(order.begin(), order.end());
  uint32_t next = 0;
  std::vector<uint32_t> stack;
  for (const uint32_t start : order) {
    if (component[start] != kNone) continue;
    component[start] = next;
    stack.push_back(start);
    while (!stack.empty()) {
      const uint32_t v = stack.back();
      stack.pop_back();
      for (const uint32_t p : graph.predecessors[v]) {
        if (component[p] != kNone) continue;
        component[p] = next;
        stack.push_back(p);
      }
    }
    ++next;
  }
  return component;
}

}  // namespace fuseboard
