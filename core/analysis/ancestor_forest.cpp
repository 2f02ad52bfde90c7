// Preorder numbers by subtree sizes: two passes over a topological order stand in for the depth-first search.
// It must not know groups.
#include "analysis/ancestor_forest.h"

namespace fuseboard {

AncestorForest ancestor_forest(const Dag& dag, std::span<const uint32_t> order) {
  const uint32_t n = dag.size();
  AncestorForest forest;
  forest.parent.assign(n, kNoParent);
  forest.depth.assign(n, 0);
  forest.first.resize(n);
  forest.last.resize(n);

  std::vector<uint32_t> position(n);
  for (uint32_t i = 0; i < n; ++i) position[order[i]] = i;
  for (const uint32_t v : order) {
    uint32_t& parent = forest.parent[v];
    for (const uint32_t p : dag.predecessors[v]) {
      if (parent == kNoParent || position[p] > position[parent]) parent = p;
    }
    if (parent != kNoParent) forest.depth[v] = forest.depth[parent] + 1;
  }

  std::vector<uint32_t>& size = forest.last;  // subtree sizes first, turned into last numbers below
  size.assign(n, 1);
  for (uint32_t i = n; i-- > 0;) {
    const uint32_t v = order[i];
    if (forest.parent[v] != kNoParent) size[forest.parent[v]] += size[v];
  }
  std::vector<uint32_t>& next_child = position;  // no longer needed as positions
  uint32_t next_root = 0;
  for (const uint32_t v : order) {
    const uint32_t parent = forest.parent[v];
    uint32_t& next = parent == kNoParent ? next_root : next_child[parent];
    forest.first[v] = next;
    next += size[v];
    next_child[v] = forest.first[v] + 1;
  }
  for (uint32_t v = 0; v < n; ++v) forest.last[v] += forest.first[v] - 1;
  return forest;
}

}  // namespace fuseboard
