// Why no region begins at a root: every reason holds on random graphs, and names what a reader would.
// It must not know what a node is.
#include <set>

#include "analysis/path_around.h"
#include "analysis/regions.h"
#include "analysis/topological_order.h"
#include "catch.h"
#include "region_cases.h"

using namespace fuseboard;
using namespace fuseboard_test;

namespace {

bool has_edge(const Dag& dag, uint32_t from, uint32_t to) {
  const auto& row = dag.successors[from];
  return std::find(row.begin(), row.end(), to) != row.end();
}

/// What the reasons are held against, of one root.
struct Below {
  Below(const RegionCase& its_case, uint32_t its_root)
      : each(its_case), root(its_root), seen(reached(each.dag.successors, {root}, each.dag.size())) {}

  bool fits(uint32_t v) const {
    return each.fusible[v] != 0 && each.compatibility[v] == each.compatibility[root];
  }
  /// All that is on a path from the root to the sink.
  std::vector<uint32_t> cone(uint32_t sink) const {
    const std::vector<uint8_t> above = reached(each.dag.predecessors, {sink}, each.dag.size());
    std::vector<uint32_t> out;
    for (uint32_t v = 0; v < each.dag.size(); ++v) {
      if (seen[v] != 0 && above[v] != 0) out.push_back(v);
    }
    return out;
  }
  bool closed(uint32_t sink) const {
    const std::vector<uint32_t> inside = cone(sink);
    for (const uint32_t v : inside) {
      for (const uint32_t w : each.dag.successors[v]) {
        if (v != sink && std::find(inside.begin(), inside.end(), w) == inside.end()) return false;
      }
    }
    return true;
  }

  const RegionCase& each;
  uint32_t root;
  std::vector<uint8_t> seen;
};

void hold_unfit(const Below& below, const Refusal& refusal) {
  REQUIRE_FALSE(below.fits(refusal.to));
  REQUIRE(below.fits(refusal.from));
  REQUIRE(refusal.sink != kNoMember);
  REQUIRE(below.closed(refusal.sink));
  const std::vector<uint32_t> inside = below.cone(refusal.sink);
  REQUIRE(std::find(inside.begin(), inside.end(), refusal.to) != inside.end());
}

/// No node below could be the sink of a region in which the edge stands.
void hold_leak(const Below& below, const Refusal& refusal) {
  REQUIRE(below.fits(refusal.from));
  for (uint32_t sink = 0; sink < below.each.dag.size(); ++sink) {
    if (sink == refusal.from || below.seen[sink] == 0 || !below.closed(sink)) continue;
    const std::vector<uint32_t> inside = below.cone(sink);
    const bool holds_edge = std::find(inside.begin(), inside.end(), refusal.from) != inside.end();
    const bool is_fit = std::all_of(inside.begin(), inside.end(), [&](uint32_t v) { return below.fits(v); });
    REQUIRE_FALSE((holds_edge && is_fit));
  }
}

void hold_entry(const Below& below, const Refusal& refusal) {
  const Dag& dag = below.each.dag;
  const std::vector<uint32_t> path = path_around(dag, refusal.root, refusal.sink, 1000);
  REQUIRE(path.size() >= 1);
  REQUIRE(dag.predecessors[path.front()].empty());
  for (size_t i = 0; i < path.size(); ++i) {
    REQUIRE(path[i] != refusal.root);
    REQUIRE((below.seen[path[i]] != 0) == (i + 1 == path.size()));
    if (i > 0) REQUIRE(has_edge(dag, path[i - 1], path[i]));
  }
  const std::vector<uint32_t> inside = below.cone(refusal.sink);
  REQUIRE(std::find(inside.begin(), inside.end(), path.back()) != inside.end());
}

void hold(const Below& below, const Refusal& refusal, const std::set<uint32_t>& claimed) {
  const Dag& dag = below.each.dag;
  REQUIRE(below.seen[refusal.from] != 0);
  if (refusal.to != kNoMember) REQUIRE(below.seen[refusal.to] != 0);
  switch (refusal.reason) {
    case RefusalReason::unfit:
      REQUIRE(has_edge(dag, refusal.from, refusal.to));
      return hold_unfit(below, refusal);
    case RefusalReason::leaks:
      REQUIRE(has_edge(dag, refusal.from, refusal.to));
      return hold_leak(below, refusal);
    case RefusalReason::not_dominated:
      return hold_entry(below, refusal);
    case RefusalReason::claimed:
      REQUIRE(claimed.count(refusal.to) == 1);
      return;
    case RefusalReason::no_fan_out:
      REQUIRE(refusal.to == kNoMember);
      uint32_t at = refusal.root;
      for (; dag.successors[at].size() == 1; at = dag.successors[at][0]) REQUIRE(below.fits(at));
      REQUIRE(at == refusal.from);
      REQUIRE(dag.successors[at].empty());
      return;
  }
}

struct Small {
  std::vector<std::vector<uint32_t>> predecessors;
  std::set<uint32_t> unfusible = {};
  Entry entry = Entry::dominated;
};

/// The refusal of node 0.
Refusal first_refusal(const Small& small) {
  const Dag dag = dag_of(small.predecessors);
  std::vector<uint8_t> fusible(dag.size(), 1);
  for (const uint32_t id : small.unfusible) fusible[id] = 0;
  const Regions found =
      find_regions(dag, topological_order(dag), fusible, std::vector<uint64_t>(dag.size(), 1), small.entry);
  for (const Refusal& each : found.refusals) {
    if (each.root == 0) return each;
  }
  FAIL("node 0 is not refused");
  return {};
}

}  // namespace

TEST_CASE("refusals: on random graphs every fusible node outside has one, and it is true") {
  std::mt19937 random(7);
  std::array<size_t, 5> reasons{};
  for (int i = 0; i < 600; ++i) {
    const RegionCase each = random_region_case(random, 3 + random() % 30);
    const std::vector<uint32_t> order = topological_order(each.dag);
    for (const Entry entry : {Entry::dominated, Entry::operands}) {
      INFO("case " << i << (entry == Entry::dominated ? ", dominated" : ", operands"));
      const Regions found = find_regions(each.dag, order, each.fusible, each.compatibility, entry);
      std::set<uint32_t> claimed;
      for (const Region& region : found.regions) claimed.insert(region.members.begin(), region.members.end());
      size_t next = 0;
      for (const uint32_t v : order) {
        if (each.fusible[v] == 0 || claimed.count(v) == 1) continue;
        REQUIRE(next < found.refusals.size());
        const Refusal& refusal = found.refusals[next++];
        REQUIRE(refusal.root == v);
        INFO("root " << v << " reason " << static_cast<int>(refusal.reason));
        ++reasons[static_cast<size_t>(refusal.reason)];
        hold(Below(each, v), refusal, claimed);
      }
      REQUIRE(next == found.refusals.size());
    }
  }
  for (const size_t each : reasons) CHECK(each > 20);
}

TEST_CASE("refusals: an arm of the diamond that is not fusible, and the end where the arms meet") {
  const Refusal arm = first_refusal({{{}, {0}, {0}, {1, 2}}, {2}});
  CHECK(arm.reason == RefusalReason::unfit);
  CHECK(arm.from == 0);
  CHECK(arm.to == 2);
  CHECK(arm.sink == 3);
  const Refusal end = first_refusal({{{}, {0}, {0}, {1, 2}}, {3}});
  CHECK(end.reason == RefusalReason::unfit);
  CHECK(end.to == 3);
  CHECK(end.fans_out);
}

TEST_CASE("refusals: a value that is read outside leaks, by the edge that leaves and not by the sink's own") {
  // 0 -> 1 -> {2, 3, a copy 5}, 2 -> 3, 3 -> a copy 4, both copies -> 6
  const Refusal direct = first_refusal({{{}, {0}, {1}, {1, 2}, {3}, {1}, {4, 5}}, {4, 5, 6}});
  CHECK(direct.reason == RefusalReason::leaks);
  CHECK(direct.from == 1);
  CHECK(direct.to == 5);
  // the same, but another launch stands before the copy
  const Refusal far = first_refusal({{{}, {0}, {1}, {1, 2}, {3}, {7}, {4, 5}, {1}}, {4, 5, 6}});
  CHECK(far.reason == RefusalReason::leaks);
  CHECK(far.from == 7);
  CHECK(far.to == 5);
  // two results: nothing is in the way but that they never meet
  const Refusal two = first_refusal({{{}, {0}, {0, 1}, {0}}});
  CHECK(two.reason == RefusalReason::leaks);
  CHECK(two.from == 0);
  CHECK(two.to == 3);  // 2 is behind more of the others
}

TEST_CASE("refusals: who enters beside the root is told by a path, which is cut where it is long") {
  // 0 -> {1, 2} -> 3, and 4 -> 5 -> 2
  const Small entered{{{}, {0}, {0, 5}, {1, 2}, {}, {4}}};
  const Refusal refusal = first_refusal(entered);
  CHECK(refusal.reason == RefusalReason::not_dominated);
  CHECK(refusal.sink == 3);
  const Dag dag = dag_of(entered.predecessors);
  CHECK(path_around(dag, 0, 3, 64) == std::vector<uint32_t>{4, 5, 2});
  CHECK(path_around(dag, 0, 3, 2) == std::vector<uint32_t>{5, 2});
  CHECK(path_around(dag, 0, 1, 64).empty());
  CHECK(path_around(dag, 0, 0, 64).empty());
}

TEST_CASE("refusals: a chain has no fan-out, and every node of it says so") {
  const Dag dag = dag_of({{}, {0}, {1}, {2}});
  const Regions found = find_regions(dag, topological_order(dag), std::vector<uint8_t>(4, 1),
                                     std::vector<uint64_t>(4, 1), Entry::dominated);
  REQUIRE(found.refusals.size() == 4);
  for (uint32_t v = 0; v < 4; ++v) {
    CHECK(found.refusals[v].root == v);
    CHECK(found.refusals[v].reason == RefusalReason::no_fan_out);
    CHECK(found.refusals[v].from == 3);
  }
}
