// The heap of a search and what it has expanded.
// It must not know why one searches.
#include "analysis/group_search.h"

#include <algorithm>

namespace fuseboard {
namespace {

/// Heap order: the nearest label on top.
struct Farther {
  bool forward;
  bool operator()(const GroupSearch::Entry& a, const GroupSearch::Entry& b) const {
    return forward ? a.label > b.label : a.label < b.label;
  }
};

}  // namespace

void GroupSearch::start(const Entry& at, uint32_t own_round) {
  if (mark.empty()) {
    mark.assign(groups, 0);
    reached_by.resize(groups);
  }
  round = own_round;
  heap.clear();
  expanded.clear();
  current = at;
  edge = lists.first(at.group);
  previous = EdgeLists::kNone;
  at_start = true;
  dry = false;
  mark[at.group] = round;
}

void GroupSearch::discover(const Entry& entry, uint32_t by_edge) {
  mark[entry.group] = round;
  reached_by[entry.group] = by_edge;
  heap.push_back(entry);
  std::push_heap(heap.begin(), heap.end(), Farther{forward});
}

void GroupSearch::next_group() {
  if (!at_start) expanded.push_back(current);
  at_start = false;
  dry = heap.empty();
  if (dry) return;
  std::pop_heap(heap.begin(), heap.end(), Farther{forward});
  current = heap.back();
  heap.pop_back();
  edge = lists.first(current.group);
  previous = EdgeLists::kNone;
}

}  // namespace fuseboard
