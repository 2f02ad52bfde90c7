// Breadth first, upwards from the node and downwards from what it avoids.
// It must not know what a node is.
#include "analysis/path_around.h"

#include <algorithm>

namespace fuseboard {
namespace {

std::vector<uint8_t> reached_from(const Dag& dag, uint32_t start) {
  std::vector<uint8_t> seen(dag.size(), 0);
  std::vector<uint32_t> queue{start};
  seen[start] = 1;
  for (size_t head = 0; head < queue.size(); ++head) {
    for (const uint32_t w : dag.successors[queue[head]]) {
      if (seen[w] != 0) continue;
      seen[w] = 1;
      queue.push_back(w);
    }
  }
  return seen;
}

}  // namespace

std::vector<uint32_t> path_around(const Dag& dag, uint32_t without, uint32_t node, uint32_t most) {
  const uint32_t n = dag.size();
  std::vector<uint32_t> next(n, n);  // towards `node`; n where not reached
  std::vector<uint32_t> queue;
  if (node != without) queue.push_back(node);
  for (const uint32_t each : queue) next[each] = each;
  uint32_t at = n;
  for (size_t head = 0; head < queue.size() && at == n; ++head) {
    const uint32_t v = queue[head];
    if (dag.predecessors[v].empty()) at = v;
    for (const uint32_t p : dag.predecessors[v]) {
      if (p == without || next[p] != n) continue;
      next[p] = v;
      queue.push_back(p);
    }
  }
  if (at == n) return {};
  const std::vector<uint8_t> below = reached_from(dag, without);
  std::vector<uint32_t> path{at};
  while (below[at] == 0 && next[at] != at) path.push_back(at = next[at]);
  if (path.size() > most) path.erase(path.begin(), path.end() - most);
  return path;
}

}  // namespace fuseboard
