// Successor lists from predecessor lists, by counting.
// It must not know what a node is.
#include "analysis/dag.h"

#include <utility>

namespace fuseboard {

Rows transposed(const Rows& rows) {
  const uint32_t n = rows.size();
  Rows out;
  out.start.assign(n + 1, 0);
  out.values.resize(rows.values.size());
  for (const uint32_t v : rows.values) ++out.start[v + 1];
  for (uint32_t v = 0; v < n; ++v) out.start[v + 1] += out.start[v];
  std::vector<uint32_t> next(out.start.begin(), out.start.end() - 1);
  for (uint32_t row = 0; row < n; ++row) {
    for (const uint32_t v : rows[row]) out.values[next[v]++] = row;
  }
  return out;
}

Dag make_dag(Rows predecessors) {
  Dag dag;
  dag.successors = transposed(predecessors);
  dag.predecessors = std::move(predecessors);
  return dag;
}

}  // namespace fuseboard
