// Merging by the book: groups as labels, cycles by walking the whole contracted graph; and random graphs to
// merge. It must not know how the fast way works.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "analysis/dag.h"

namespace fuseboard_test {

/// Slow and obvious: the oracle's own way.
class ContractedGraph {
 public:
  explicit ContractedGraph(const fuseboard::Dag& dag) : dag_(dag), label_(dag.size()), members_(dag.size()) {
    std::iota(label_.begin(), label_.end(), 0U);
    for (uint32_t v = 0; v < dag.size(); ++v) members_[v] = {v};
  }

  uint32_t label(uint32_t node) const { return label_[node]; }

  /// Whether a path leaves a's group, passes a third group, and ends in b's.
  bool has_path_through_third(uint32_t a, uint32_t b) const {
    const uint32_t from = label_[a];
    const uint32_t to = label_[b];
    std::vector<uint32_t> stack;
    std::vector<bool> seen(dag_.size(), false);
    const auto leave = [&](uint32_t group, bool first) {
      for (const uint32_t v : members_[group]) {
        for (const uint32_t w : dag_.successors[v]) {
          const uint32_t next = label_[w];
          if (next == group || seen[next] || (first && next == to)) continue;
          seen[next] = true;
          stack.push_back(next);
        }
      }
    };
    leave(from, true);
    while (!stack.empty()) {
      const uint32_t group = stack.back();
      stack.pop_back();
      if (group == to) return true;
      leave(group, false);
    }
    return false;
  }

  void merge(uint32_t a, uint32_t b) {
    const uint32_t keep = label_[a];
    const uint32_t gone = label_[b];
    for (const uint32_t v : members_[gone]) {
      label_[v] = keep;
      members_[keep].push_back(v);
    }
    members_[gone].clear();
  }

 private:
  const fuseboard::Dag& dag_;
  std::vector<uint32_t> label_;
  std::vector<std::vector<uint32_t>> members_;
};

inline bool has_edge(const fuseboard::Dag& dag, uint32_t from, uint32_t to) {
  const auto row = dag.predecessors[to];
  return std::find(row.begin(), row.end(), from) != row.end();
}

inline fuseboard::Dag dag_from(const std::vector<std::vector<uint32_t>>& predecessors) {
  fuseboard::Rows rows;
  for (const std::vector<uint32_t>& row : predecessors) {
    rows.values.insert(rows.values.end(), row.begin(), row.end());
    rows.start.push_back(static_cast<uint32_t>(rows.values.size()));
  }
  return fuseboard::make_dag(std::move(rows));
}

/// A DAG of n nodes with about `fan_in` distinct inputs a node from at most `reach` before it; ids shuffled,
/// so that they are in no topological order.
inline fuseboard::Dag random_dag(std::mt19937& random, uint32_t n, uint32_t fan_in, uint32_t reach) {
  std::vector<uint32_t> id(n);
  std::iota(id.begin(), id.end(), 0U);
  std::shuffle(id.begin(), id.end(), random);
  std::vector<std::vector<uint32_t>> predecessors(n);
  for (uint32_t v = 1; v < n; ++v) {
    std::vector<uint32_t>& row = predecessors[id[v]];
    for (uint32_t k = static_cast<uint32_t>(random() % (fan_in + 1)); k > 0; --k) {
      const uint32_t p = id[v - 1 - random() % std::min(v, reach)];
      if (std::find(row.begin(), row.end(), p) == row.end()) row.push_back(p);
    }
  }
  return dag_from(predecessors);
}

/// The edges in the order of planning: consumer by consumer along `order`, inputs as listed.
inline std::vector<std::pair<uint32_t, uint32_t>> edges_in_order(const fuseboard::Dag& dag,
                                                                 const std::vector<uint32_t>& order) {
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  for (const uint32_t c : order) {
    for (const uint32_t p : dag.predecessors[c]) edges.push_back({p, c});
  }
  return edges;
}

}  // namespace fuseboard_test
