// Kahn's algorithm over flat arrays; a cycle is found by walking what it leaves.
// It must not know what a node is.
#include "analysis/topological_order.h"

#include <algorithm>

namespace fuseboard {
namespace {

/// Fills `order` and leaves in `waiting` how many predecessors of each node never came.
void kahn(const Dag& dag, std::vector<uint32_t>& order, std::vector<uint32_t>& waiting) {
  const uint32_t n = dag.size();
  order.reserve(n);
  waiting.resize(n);
  for (uint32_t v = 0; v < n; ++v) {
    waiting[v] = static_cast<uint32_t>(dag.predecessors[v].size());
    if (waiting[v] == 0) order.push_back(v);
  }
  for (size_t head = 0; head < order.size(); ++head) {
    for (const uint32_t w : dag.successors[order[head]]) {
      if (--waiting[w] == 0) order.push_back(w);
    }
  }
}

}  // namespace

std::vector<uint32_t> topological_order(const Dag& dag) {
  std::vector<uint32_t> order;
  std::vector<uint32_t> waiting;
  kahn(dag, order, waiting);
  return order;
}

std::vector<uint32_t> find_cycle(const Dag& dag) {
  std::vector<uint32_t> order;
  std::vector<uint32_t> waiting;
  kahn(dag, order, waiting);
  if (order.size() == dag.size()) return {};
  // A node that waits has a predecessor that waits: walking back must come round.
  uint32_t v = 0;
  while (waiting[v] == 0) ++v;
  std::vector<uint32_t> walked;
  std::vector<uint32_t> at(dag.size(), UINT32_MAX);
  while (at[v] == UINT32_MAX) {
    at[v] = static_cast<uint32_t>(walked.size());
    walked.push_back(v);
    for (const uint32_t p : dag.predecessors[v]) {
      if (waiting[p] != 0) {
        v = p;
        break;
      }
    }
  }
  std::vector<uint32_t> cycle(walked.begin() + at[v], walked.end());
  std::reverse(cycle.begin(), cycle.end());
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
  return cycle;
}

}  // namespace fuseboard
