// Random graphs for the region finder, and who reaches whom in them.
// It must not know what a node is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "analysis/dag.h"

namespace fuseboard_test {

using fuseboard::Dag;
using fuseboard::Rows;

struct RegionCase {
  Dag dag;
  std::vector<uint8_t> fusible;
  std::vector<uint64_t> compatibility;
};

inline Dag dag_of(const std::vector<std::vector<uint32_t>>& predecessors) {
  Rows rows;
  for (const std::vector<uint32_t>& each : predecessors) {
    rows.values.insert(rows.values.end(), each.begin(), each.end());
    rows.start.push_back(static_cast<uint32_t>(rows.values.size()));
  }
  return fuseboard::make_dag(std::move(rows));
}

/// From `starts`, never through `without`.
inline std::vector<uint8_t> reached(const Rows& next, const std::vector<uint32_t>& starts, uint32_t without) {
  std::vector<uint8_t> seen(next.size(), 0);
  std::vector<uint32_t> stack;
  const auto visit = [&](uint32_t v) {
    if (v == without || seen[v] != 0) return;
    seen[v] = 1;
    stack.push_back(v);
  };
  for (const uint32_t start : starts) visit(start);
  while (!stack.empty()) {
    const uint32_t v = stack.back();
    stack.pop_back();
    for (const uint32_t w : next[v]) visit(w);
  }
  return seen;
}

inline RegionCase random_region_case(std::mt19937& random, uint32_t n) {
  std::vector<std::vector<uint32_t>> predecessors(n);
  const uint32_t reach = 1 + random() % 6;
  const uint32_t odd = random() % 3 == 0 ? 12 : 0;
  RegionCase out;
  for (uint32_t v = 0; v < n; ++v) {
    for (uint32_t k = random() % 4; v > 0 && k > 0; --k) {
      const uint32_t p = v - 1 - random() % std::min(v, reach);
      std::vector<uint32_t>& row = predecessors[v];
      if (std::find(row.begin(), row.end(), p) == row.end()) row.push_back(p);
    }
    out.fusible.push_back(random() % 100 < odd ? 0 : 1);
    out.compatibility.push_back(random() % 100 < odd ? 2 : 1);
  }
  out.dag = dag_of(predecessors);
  return out;
}

}  // namespace fuseboard_test
