// Union-find, one list of groups in topological order, and the ways to see a cycle before it is closed.
// It must not know what a node is, nor why one wants to merge.
#include "analysis/acyclic_merge.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace fuseboard {
namespace {

constexpr uint32_t kAncestors = 24;  ///< a large group is met soon on the way up
constexpr uint32_t kLarge = 16;      ///< members of a group that is worth remembering

uint64_t pair_key(uint32_t from, uint32_t to) { return uint64_t{from} << 32 | to; }

/// Leaves out what is too much, behind the second step.
void shorten(std::vector<uint32_t>& steps) {
  if (steps.size() <= CycleWitness::kSteps) return;
  const auto excess = static_cast<ptrdiff_t>(steps.size() - CycleWitness::kSteps);
  steps.erase(steps.begin() + 2, steps.begin() + 2 + excess);
}

}  // namespace

AcyclicMerge::AcyclicMerge(const Dag& dag, std::span<const uint32_t> order)
    : dag_(dag),
      topological_(order),
      order_(order),
      parent_(dag.size()),
      size_(dag.size(), 1),
      forward_(true, dag.successors),
      backward_(false, dag.predecessors) {
  std::iota(parent_.begin(), parent_.end(), 0U);
}

uint32_t AcyclicMerge::find(uint32_t node) {
  while (parent_[node] != node) {
    parent_[node] = parent_[parent_[node]];
    node = parent_[node];
  }
  return node;
}

std::vector<uint32_t> AcyclicMerge::take_tree_parent() {
  return forest_ ? std::move(forest_->parent) : std::vector<uint32_t>();
}

AcyclicMerge::Outcome AcyclicMerge::merge(uint32_t producer, uint32_t consumer) {
  const uint32_t p = find(producer);
  const uint32_t c = find(consumer);
  if (p == c) return Outcome::together;
  const Neighbours out = neighbours(forward_, p, c);
  if (out.count == 0 && out.all) {  // nothing else leaves p: it moves down to c
    const uint32_t merged = unite(p, c);
    order_.remove(p);
    if (merged != c) order_.replace(c, merged);
    return Outcome::merged;
  }
  const Neighbours in = neighbours(backward_, c, p);
  if (in.count == 0 && in.all) {  // nothing else enters c: it moves up to p
    const uint32_t merged = unite(p, c);
    order_.remove(c);
    if (merged != p) order_.replace(p, merged);
    return Outcome::merged;
  }
  if (refused_by_memory(p, c) || refused_by_tree(out, in) || refused_by_ancestors(p, in) ||
      refused_by_search(p, c))
    return Outcome::cycle;
  place(p, c, unite(p, c));
  return Outcome::merged;
}

/// Passes over the front of a list; drops entries that became internal.
AcyclicMerge::Neighbours AcyclicMerge::neighbours(GroupSearch& side, uint32_t group, uint32_t other) {
  Neighbours found;
  uint32_t previous = EdgeLists::kNone;
  uint32_t looked = 0;
  for (uint32_t edge = side.lists.first(group); edge != EdgeLists::kNone;) {
    if (found.count == Neighbours::kMost || looked == 2 * Neighbours::kMost) {
      found.all = false;
      break;
    }
    const uint32_t next = side.lists.next(edge);
    const uint32_t neighbour = find(side.lists.node_at(edge));
    if (neighbour == group) {
      side.lists.drop(group, previous, edge);
    } else {
      ++looked;
      previous = edge;
      if (neighbour != other) found.edges[found.count++] = edge;
    }
    edge = next;
  }
  return found;
}

/// Whether a path from p to c is known that still passes a third group.
bool AcyclicMerge::refused_by_memory(uint32_t p, uint32_t c) {
  if (size_[p] < kLarge || size_[c] < kLarge) return false;
  const auto known = known_paths_.find(pair_key(p, c));
  if (known == known_paths_.end()) return false;
  const std::vector<uint32_t>& steps = known->second.steps;
  const bool third = std::any_of(steps.begin(), steps.end(), [&](uint32_t node) {
    const uint32_t group = find(node);
    return group != p && group != c;
  });
  if (third) witness_ = {false, known->second.total, steps};
  return third;
}

/// Whether the forest has a path from one of p's neighbours to one of c's.
bool AcyclicMerge::refused_by_tree(const Neighbours& out, const Neighbours& in) {
  if (!forest_) forest_ = ancestor_forest(dag_, topological_);
  for (uint32_t j = 0; j < in.count; ++j) {
    const uint32_t y = backward_.lists.node_at(in.edges[j]);
    for (uint32_t i = 0; i < out.count; ++i) {
      const uint32_t x = forward_.lists.node_at(out.edges[i]);
      if (!forest_->is_ancestor_or_self(x, y)) continue;
      set_tree_witness(forward_.lists.owner(out.edges[i]), x, y, in.edges[j]);
      return true;
    }
  }
  return false;
}

/// Whether the nearest ancestors of c's neighbours lie in p, or in a group into which p has a known path.
bool AcyclicMerge::refused_by_ancestors(uint32_t p, const Neighbours& in) {
  if (size_[p] < kLarge) return false;
  struct Visit {
    uint32_t node;
    uint32_t below;  ///< the visit that led here
  };
  Visit visits[kAncestors];
  uint32_t count = 0;
  for (uint32_t j = 0; j < in.count; ++j) visits[count++] = {backward_.lists.node_at(in.edges[j]), j};
  for (uint32_t at = 0; at < count; ++at) {
    const uint32_t group = find(visits[at].node);
    const Path* known = nullptr;
    if (group != p && size_[group] >= kLarge) {
      const auto found = known_paths_.find(pair_key(p, group));
      if (found != known_paths_.end()) known = &found->second;
    }
    if (group == p || known != nullptr) {
      // The known path, then down the visits to c's neighbour, then c.
      std::vector<uint32_t>& steps = witness_.steps;
      witness_.tree = false;
      steps = known == nullptr ? std::vector<uint32_t>() : known->steps;
      witness_.total = (known == nullptr ? 0 : known->total) - steps.size();
      uint32_t visit = at;
      if (steps.empty() || steps.back() != visits[at].node) steps.push_back(visits[at].node);
      for (; visit >= in.count; visit = visits[visit].below)
        steps.push_back(visits[visits[visit].below].node);
      steps.push_back(backward_.lists.owner(in.edges[visit]));
      witness_.total += steps.size();
      shorten(steps);
      return true;
    }
    for (const uint32_t above : dag_.predecessors[visits[at].node]) {
      if (count < kAncestors) visits[count++] = {above, at};
    }
  }
  return false;
}

void AcyclicMerge::set_tree_witness(uint32_t p, uint32_t x, uint32_t y, uint32_t last_edge) {
  witness_.tree = true;
  witness_.total = uint64_t{forest_->depth[y]} - forest_->depth[x] + 3;
  witness_.steps = {p, x, y, backward_.lists.owner(last_edge)};
}

/// Two searches, an edge in turn. False where one runs dry or they pass each other: then they hold what must
/// move.
bool AcyclicMerge::refused_by_search(uint32_t p, uint32_t c) {
  ++round_;
  forward_.start({order_.label(p), p}, round_);
  backward_.start({order_.label(c), c}, round_);
  while (true) {
    if (advance(forward_, backward_, p, c)) break;
    if (forward_.dry || forward_.current.label > backward_.current.label) return false;
    if (advance(backward_, forward_, c, p)) break;
    if (backward_.dry || forward_.current.label > backward_.current.label) return false;
  }
  remember_path(p, c);
  return true;
}

/// Looks at one edge, or moves on to the next group. True where the searches met: a third group lies between.
bool AcyclicMerge::advance(GroupSearch& search, const GroupSearch& other, uint32_t start, uint32_t target) {
  if (search.edge == EdgeLists::kNone) {
    search.next_group();
    return false;
  }
  const uint32_t edge = search.edge;
  search.edge = search.lists.next(edge);
  const uint32_t group = find(search.lists.node_at(edge));
  const uint32_t here = search.current.group;
  if (group == here) {
    search.lists.drop(here, search.previous, edge);
    return false;
  }
  search.previous = edge;
  if (group == target) {
    if (here == start) return false;  // the edge that is weighed, or one beside it
    search.reached_by[group] = edge;
    meeting_ = group;
    return true;
  }
  const uint64_t label = order_.label(group);
  const uint64_t bound = order_.label(target);
  if (search.knows(group) || (search.forward ? label > bound : label < bound)) return false;
  search.discover({label, group}, edge);
  meeting_ = group;
  return other.knows(group);
}

/// Walks both searches back from where they met: the witness, and a path to remember.
void AcyclicMerge::remember_path(uint32_t p, uint32_t c) {
  std::vector<uint32_t>& steps = witness_.steps;
  steps.clear();
  const auto add = [&](uint32_t node) {
    if (steps.empty() || steps.back() != node) steps.push_back(node);
  };
  for (uint32_t group = meeting_; group != p;) {
    const uint32_t edge = forward_.reached_by[group];
    const uint32_t source = forward_.lists.owner(edge);
    add(forward_.lists.node_at(edge));
    add(source);
    group = find(source);
  }
  std::reverse(steps.begin(), steps.end());
  for (uint32_t group = meeting_; group != c;) {
    const uint32_t edge = backward_.reached_by[group];
    const uint32_t reader = backward_.lists.owner(edge);
    add(backward_.lists.node_at(edge));
    add(reader);
    group = find(reader);
  }
  witness_.tree = false;
  witness_.total = steps.size();
  shorten(steps);
  if (size_[p] < kLarge) return;
  // The path up to any group on it holds for whatever else that group feeds.
  for (size_t i = 1; i < steps.size(); ++i) {
    const uint32_t group = find(steps[i]);
    if (size_[group] < kLarge || group == p) continue;
    // What was left out stands behind the second step: the first two are a whole path.
    const uint64_t total = i == 1 ? 2 : witness_.total - (steps.size() - 1 - i);
    known_paths_[pair_key(p, group)] = {total,
                                        {steps.begin(), steps.begin() + static_cast<ptrdiff_t>(i) + 1}};
  }
}

uint32_t AcyclicMerge::unite(uint32_t p, uint32_t c) {
  const uint32_t kept = size_[p] >= size_[c] ? p : c;
  const uint32_t gone = kept == p ? c : p;
  parent_[gone] = kept;
  size_[kept] += size_[gone];
  forward_.lists.join(kept, gone);
  backward_.lists.join(kept, gone);
  return kept;
}

/// Puts the merged group where the order stays topological; only groups that a search has scanned move.
void AcyclicMerge::place(uint32_t p, uint32_t c, uint32_t merged) {
  const auto move_into_line = [&](const GroupSearch::Entry& entry) {
    order_.remove(entry.group);
    line_.push_back(entry.group);
  };
  line_.clear();
  if (forward_.dry) {  // all that p feeds above c is known: it follows c's place
    order_.remove(p);
    if (merged != c) order_.replace(c, merged);
    for (const GroupSearch::Entry& each : forward_.expanded) move_into_line(each);
    order_.insert_after(merged, line_);
  } else if (backward_.dry) {  // all that feeds c below p is known: it precedes p's place
    order_.remove(c);
    if (merged != p) order_.replace(p, merged);
    std::for_each(backward_.expanded.rbegin(), backward_.expanded.rend(), move_into_line);
    order_.insert_after(order_.before(merged), line_);
  } else {  // the fronts passed each other: all lands behind the backward front
    const GroupSearch::Entry front = backward_.current;
    order_.remove(p);
    order_.remove(c);
    std::for_each(backward_.expanded.rbegin(), backward_.expanded.rend(), move_into_line);
    line_.push_back(merged);
    for (const GroupSearch::Entry& each : forward_.expanded) {
      if (each.label < front.label) move_into_line(each);
    }
    order_.insert_after(front.group, line_);
  }
}

}  // namespace fuseboard
