// A search over groups from one end, nearest label first, one edge at a time: half of a search that meets in
// the middle. It must not know why one searches.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/edge_lists.h"

namespace fuseboard {

/// Forward it expands the smallest label first, backward the largest.
struct GroupSearch {
  struct Entry {
    uint64_t label;
    uint32_t group;
  };

  GroupSearch(bool is_forward, const Rows& rows) : forward(is_forward), lists(rows), groups(rows.size()) {}

  void start(const Entry& at, uint32_t own_round);
  void discover(const Entry& entry, uint32_t edge);
  /// Takes the nearest discovered group as the current one; `dry` where none is left.
  void next_group();
  bool knows(uint32_t group) const { return !mark.empty() && mark[group] == round; }

  bool forward;
  EdgeLists lists;
  uint32_t groups;
  uint32_t round = 0;
  std::vector<uint32_t> mark;  ///< by group: the round that discovered it last; made by the first search
  std::vector<uint32_t> reached_by;  ///< by group: the edge it was discovered by
  std::vector<Entry> heap;
  std::vector<Entry> expanded;  ///< without the start; ascending forward, descending backward
  Entry current{};
  uint32_t edge = EdgeLists::kNone;      ///< next entry of current's list
  uint32_t previous = EdgeLists::kNone;  ///< the entry before it, kept so that it can be dropped
  bool at_start = true;
  bool dry = false;
};

}  // namespace fuseboard
