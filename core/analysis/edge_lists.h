// For each of many merging groups the edges on one side of it: lists that join in constant time.
// It must not know what a group is for.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/dag.h"

namespace fuseboard {

/// Entries are positions in the values of `rows`; the list of a group is its members' rows, one behind the
/// other. Who scans a list drops entries that no longer leave the group, so that each is passed over once.
class EdgeLists {
 public:
  static constexpr uint32_t kNone = 0xffffffff;

  explicit EdgeLists(const Rows& rows) : rows_(rows), ends_(rows.size()), next_(rows.values.size()) {
    for (uint32_t row = 0; row < rows.size(); ++row) {
      const uint32_t begin = rows.start[row];
      const uint32_t end = rows.start[row + 1];
      ends_[row] = begin == end ? Ends{kNone, kNone} : Ends{begin, end - 1};
      for (uint32_t edge = begin; edge < end; ++edge) next_[edge] = edge + 1 == end ? kNone : edge + 1;
    }
  }

  uint32_t first(uint32_t group) const { return ends_[group].head; }
  uint32_t next(uint32_t edge) const { return next_[edge]; }
  uint32_t node_at(uint32_t edge) const { return rows_.values[edge]; }

  /// The node in whose row an edge stands. O(log n).
  uint32_t owner(uint32_t edge) const;

  void join(uint32_t into, uint32_t from) {
    if (ends_[from].head == kNone) return;
    if (ends_[into].head == kNone) {
      ends_[into].head = ends_[from].head;
    } else {
      next_[ends_[into].tail] = ends_[from].head;
    }
    ends_[into].tail = ends_[from].tail;
  }

  /// Takes `edge` out of the group's list; `previous` is the entry before it, kNone where it is the first.
  void drop(uint32_t group, uint32_t previous, uint32_t edge) {
    (previous == kNone ? ends_[group].head : next_[previous]) = next_[edge];
    if (ends_[group].tail == edge) ends_[group].tail = previous;
  }

 private:
  struct Ends {
    uint32_t head;
    uint32_t tail;
  };
  const Rows& rows_;
  std::vector<Ends> ends_;      ///< by group
  std::vector<uint32_t> next_;  ///< by edge
};

}  // namespace fuseboard
