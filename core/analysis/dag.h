// A directed graph as flat arrays (CSR): who feeds whom, each distinct edge once.
// It must not know what a node is.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fuseboard {

/// Rows of varying length in one array: row i is values[start[i] .. start[i + 1]).
struct Rows {
  std::vector<uint32_t> start{0};
  std::vector<uint32_t> values;

  uint32_t size() const { return static_cast<uint32_t>(start.size() - 1); }
  std::span<const uint32_t> operator[](uint32_t row) const {
    return {values.data() + start[row], values.data() + start[row + 1]};
  }
};

/// predecessors[v]: the distinct producers of v in the order listed; successors[v]: its distinct
/// consumers by ascending id. Edge k of the graph is predecessors.values[k].
struct Dag {
  Rows predecessors;
  Rows successors;

  uint32_t size() const { return predecessors.size(); }
};

/// The transpose of rows: row v lists, ascending, the rows in which v stands. O(n + m).
Rows transposed(const Rows& rows);

/// A graph from its distinct predecessor rows; every value is less than rows.size(). O(n + m).
Dag make_dag(Rows predecessors);

}  // namespace fuseboard
