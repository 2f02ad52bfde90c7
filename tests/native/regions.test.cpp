// The region finder against spec 2's five conditions, tried sink by sink.
// It must not know what a node is.
#include "analysis/regions.h"

#include <optional>
#include <random>

#include "analysis/topological_order.h"
#include "catch.h"
#include "region_cases.h"

using namespace fuseboard;
using namespace fuseboard_test;

namespace {

/// The five conditions, asked of every sink.
std::optional<Region> largest(const RegionCase& each, const std::vector<uint32_t>& order, uint32_t root,
                              const std::vector<uint8_t>& claimed, Entry entry) {
  const uint32_t n = each.dag.size();
  std::vector<uint32_t> sources;
  for (uint32_t v = 0; v < n; ++v) {
    if (each.dag.predecessors[v].empty()) sources.push_back(v);
  }
  const std::vector<uint8_t> below = reached(each.dag.successors, {root}, n);
  const std::vector<uint8_t> around = reached(each.dag.successors, sources, root);
  std::optional<Region> best;
  for (uint32_t sink = 0; sink < n; ++sink) {
    if (sink == root || below[sink] == 0) continue;
    const std::vector<uint8_t> above = reached(each.dag.predecessors, {sink}, n);
    const auto inside = [&](uint32_t v) { return below[v] != 0 && above[v] != 0; };
    Region region{root, sink, {}};
    bool holds = true;
    bool fans_out = false;
    for (const uint32_t v : order) {
      if (!inside(v)) continue;
      region.members.push_back(v);
      holds = holds && each.fusible[v] != 0 && claimed[v] == 0 &&
              each.compatibility[v] == each.compatibility[root];
      if (entry == Entry::dominated && v != root) holds = holds && around[v] == 0;
      size_t kept = 0;
      for (const uint32_t w : each.dag.successors[v]) kept += inside(w) ? 1 : 0;
      if (v != sink) holds = holds && kept == each.dag.successors[v].size();
      fans_out = fans_out || kept >= 2;
    }
    if (!holds || !fans_out) continue;
    if (!best || region.members.size() > best->members.size()) best = std::move(region);
  }
  return best;
}

}  // namespace

TEST_CASE("regions: random graphs of up to 200 nodes agree with the definition, both entries") {
  std::mt19937 random(20261130);
  size_t regions = 0;
  for (int i = 0; i < 600; ++i) {
    const uint32_t n = i % 20 == 0 ? 200 : 3 + random() % 30;
    const RegionCase each = random_region_case(random, n);
    const std::vector<uint32_t> order = topological_order(each.dag);
    for (const Entry entry : {Entry::dominated, Entry::operands}) {
      INFO("case " << i << (entry == Entry::dominated ? ", dominated" : ", operands"));
      const std::vector<Region> found =
          find_regions(each.dag, order, each.fusible, each.compatibility, entry).regions;
      std::vector<uint8_t> claimed(n, 0);
      size_t next = 0;
      for (const uint32_t root : order) {
        if (claimed[root] != 0 || each.fusible[root] == 0) continue;
        const std::optional<Region> wanted = largest(each, order, root, claimed, entry);
        if (!wanted) continue;
        REQUIRE(next < found.size());
        REQUIRE(found[next].root == root);
        REQUIRE(found[next].sink == wanted->sink);
        REQUIRE(found[next].members == wanted->members);
        for (const uint32_t v : wanted->members) claimed[v] = 1;
        ++next;
      }
      REQUIRE(next == found.size());
      regions += next;
    }
  }
  CHECK(regions > 500);
}

TEST_CASE("regions: when the largest cone leaks, a smaller closed one stands") {
  // 0 -> 1 -> 2, 0 -> 2, then 2 -> 3 and 2 -> 4, which never meet again
  const Dag dag = dag_of({{}, {0}, {1, 0}, {2}, {2}});
  const std::vector<Region> found = find_regions(dag, topological_order(dag), std::vector<uint8_t>(5, 1),
                                                 std::vector<uint64_t>(5, 1), Entry::dominated)
                                        .regions;
  REQUIRE(found.size() == 1);
  CHECK(found[0].members == std::vector<uint32_t>{0, 1, 2});
}

TEST_CASE("regions: a chain of a million nodes has none, a million nodes of diamonds one") {
  constexpr uint32_t kNodes = 1'000'000;
  std::vector<std::vector<uint32_t>> chain(kNodes);
  std::vector<std::vector<uint32_t>> diamonds(kNodes);
  for (uint32_t v = 1; v < kNodes; ++v) {
    chain[v] = {v - 1};
    diamonds[v] = v % 3 == 0 ? std::vector<uint32_t>{v - 1, v - 2} : std::vector<uint32_t>{v - v % 3};
  }
  for (const bool is_chain : {true, false}) {
    const Dag dag = dag_of(is_chain ? chain : diamonds);
    const std::vector<Region> found =
        find_regions(dag, topological_order(dag), std::vector<uint8_t>(kNodes, 1),
                     std::vector<uint64_t>(kNodes, 1), Entry::dominated)
            .regions;
    CHECK(found.size() == (is_chain ? 0 : 1));
    if (!is_chain) CHECK(found[0].members.size() == kNodes);
  }
}
