// A spanning forest of a DAG in which "is a an ancestor of b" is two comparisons: a cheap, one-sided
// reachability test. It must not know groups.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/dag.h"

namespace fuseboard {

/// Every node hangs below the latest of its predecessors in topological order. A tree path is a path of the
/// DAG; its absence proves nothing.
struct AncestorForest {
  std::vector<uint32_t> parent;  ///< kNoParent for sources
  std::vector<uint32_t> depth;   ///< 0 for sources
  std::vector<uint32_t> first;   ///< preorder number
  std::vector<uint32_t> last;    ///< largest preorder number below

  bool is_ancestor_or_self(uint32_t a, uint32_t b) const {
    return first[a] <= first[b] && first[b] <= last[a];
  }
};

constexpr uint32_t kNoParent = 0xffffffff;

/// O(n + m), without recursion. `order` is a topological order of `dag`.
AncestorForest ancestor_forest(const Dag& dag, std::span<const uint32_t> order);

}  // namespace fuseboard
