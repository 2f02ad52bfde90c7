// Chains of launches: what joins, where a chain stops and why, regions first, and the graph rewritten.
// It must not know texts.
#include "launch/chain_fusion.h"

#include <algorithm>
#include <set>
#include <utility>

#include "catch.h"
#include "random_kernel_graph.h"
#include "report/chain_decision_text.h"

using namespace fuseboard;
using namespace fuseboard_test;

namespace {

ComputeGraph launches(uint32_t count) {
  ComputeGraph graph;
  for (uint32_t i = 0; i < count; ++i) {
    ComputeNode node;
    node.function_name = "k" + std::to_string(i);
    node.config = KernelConfig{{4, 1, 1}, {256, 1, 1}, 0};
    node.fusible = true;
    graph.add_node(node);
  }
  return graph;
}

std::vector<std::vector<uint32_t>> chains(const ComputeGraph& graph) {
  std::vector<std::vector<uint32_t>> out;
  for (const ChainFusionGroup& each : fuse_chains(graph, *analyse(graph).value).groups)
    out.push_back(each.members);
  return out;
}

ChainDecision decision_of(const ComputeGraph& graph, uint32_t first) {
  for (const ChainDecision& each : fuse_chains(graph, *analyse(graph).value).decisions) {
    if (each.first == first) return each;
  }
  FAIL("no decision about " << first);
  return {};
}

using Chains = std::vector<std::vector<uint32_t>>;

}  // namespace

TEST_CASE("chains: each member is the sole consumer of the one before; a consumer may have further inputs") {
  ComputeGraph graph = launches(5);
  REQUIRE(graph.add_edges({{0, 1}, {1, 2}, {3, 2}, {2, 4}}));
  CHECK(chains(graph) == Chains{{0, 1, 2, 4}});
  CHECK(decision_of(graph, 0).reason == ChainReason::no_reader);
  CHECK(decision_of(graph, 0).last == 4);
  CHECK(decision_of(graph, 0).next == kNoNode);
  CHECK(decision_of(graph, 3).reason == ChainReason::next_belongs_elsewhere);
  CHECK(decision_of(graph, 3).next == 2);
  const ComputeGraph rewritten = rewrite(graph, {}, fuse_chains(graph, {}));
  REQUIRE(rewritten.size() == 2);
  CHECK(rewritten.node(0).function_name == "fused_Chain_k0_k1_k2_k4");
  CHECK(rewritten.node(0).tag == "Chain: k0, k1, k2, k4");
  CHECK(rewritten.dag().predecessors[0].size() == 1);
}

TEST_CASE("chains: where one stops it says why") {
  ComputeGraph graph = launches(4);
  REQUIRE(graph.add_edges({{0, 1}, {1, 2}, {1, 3}}));
  CHECK(chains(graph) == Chains{{0, 1}});
  CHECK(decision_of(graph, 0).reason == ChainReason::several_readers);
  graph.node(1).fusible = false;
  CHECK(decision_of(graph, 0).reason == ChainReason::next_not_fusible);
  CHECK(decision_of(graph, 0).next == 1);
  graph.node(1).fusible = true;
  graph.node(1).config->grid[0] = 5;
  CHECK(decision_of(graph, 0).reason == ChainReason::totals_differ);
  graph.node(1).config.reset();
  CHECK(decision_of(graph, 0).reason == ChainReason::total_unknown);
  CHECK(decision_of(graph, 1).reason == ChainReason::several_readers);
  graph.node(1).config = graph.node(0).config;
  ComputeNode choice;
  choice.kind = NodeKind::conditional;
  choice.branches = {{1, 2, 3}};
  graph.add_node(choice);
  CHECK(decision_of(graph, 0).reason == ChainReason::branches_differ);
}

TEST_CASE("chains: each reason is told in a sentence") {
  ComputeGraph graph = launches(3);
  REQUIRE(graph.add_edges({{0, 1}, {1, 2}}));
  const auto text = [&](uint32_t first) { return chain_decision_text(graph, decision_of(graph, first)); };
  CHECK(text(0) == R"(the chain from "k0" (0) ends at "k2" (2): nothing waits for it)");
  graph.node(1).config->grid[0] = 8;
  CHECK(text(0) == R"(no chain goes on behind "k0" (0): "k1" (1) has 2048 threads, "k0" (0) 1024 threads)");
  graph.node(1).config.reset();
  CHECK(text(0) == R"(no chain goes on behind "k0" (0): how many threads "k1" (1) has is unknown)");
  CHECK(text(1) == R"(no chain goes on behind "k1" (1): how many threads "k1" (1) has is unknown)");
  graph.node(1).fusible = false;
  CHECK(text(0) == R"(no chain goes on behind "k0" (0): "k1" (1) is not fusible)");
  REQUIRE(graph.add_edge(0, 2));
  CHECK(text(0) == R"(no chain goes on behind "k0" (0): "k1" (1) is not the only one that waits for it)");
}

TEST_CASE("chains: regions first, chains over the rest") {
  // 0 -> 1 -> {2, 3} -> 4 -> 5 -> 6: the diamond and what leads to it is a region of 0, 5 -> 6 is inside too
  ComputeGraph graph = launches(8);
  REQUIRE(graph.add_edges({{0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 4}, {4, 5}, {5, 6}, {6, 7}}));
  graph.node(5).config->grid[0] = graph.node(6).config->grid[0] = graph.node(7).config->grid[0] = 9;
  const ReductionFusionPlan regions = *analyse(graph).value;
  REQUIRE(regions.groups.size() == 1);
  CHECK(regions.groups[0].members == std::vector<uint32_t>{0, 1, 2, 3, 4});
  const ChainFusionPlan plan = fuse_chains(graph, regions);
  REQUIRE(plan.groups.size() == 1);
  CHECK(plan.groups[0].members == std::vector<uint32_t>{5, 6, 7});
  CHECK(plan.launches_saved == 2);
  const ComputeGraph rewritten = rewrite(graph, regions, plan);
  REQUIRE(rewritten.size() == 2);
  CHECK(rewritten.node(0).tag == "Generic: k0, k1, k2, k3, k4");
  CHECK(rewritten.node(1).tag == "Chain: k5, k6, k7");
  CHECK(rewritten.critical_path().cost == 8);
}

TEST_CASE("chains: on random graphs they are linear, maximal, and contract with the regions to no cycle") {
  size_t found = 0;
  for (uint32_t seed = 0; seed < 500; ++seed) {
    INFO("seed " << seed);
    const ComputeGraph graph = random_kernel_graph(seed);
    const ReductionFusionPlan regions =
        *analyse(graph, seed % 2 == 0 ? Entry::dominated : Entry::operands).value;
    const ChainFusionPlan plan = fuse_chains(graph, regions);
    const Dag dag = graph.dag();
    std::vector<int> uses(graph.size(), 0);
    for (const ReductionFusionGroup& each : regions.groups) {
      for (const uint32_t id : each.members) ++uses[id];
    }
    for (const ChainFusionGroup& each : plan.groups) {
      REQUIRE(each.members.size() > 1);
      for (size_t i = 0; i < each.members.size(); ++i) {
        ++uses[each.members[i]];
        REQUIRE(graph.node(each.members[i]).is_fusible());
        REQUIRE(graph.node(each.members[i]).threads() == graph.node(each.members[0]).threads());
        if (i + 1 == each.members.size()) break;
        REQUIRE(dag.successors[each.members[i]].size() == 1);
        REQUIRE(dag.successors[each.members[i]][0] == each.members[i + 1]);
      }
      found += 1;
    }
    REQUIRE(*std::max_element(uses.begin(), uses.end()) <= 1);
    const ComputeGraph rewritten = rewrite(graph, regions, plan);
    REQUIRE(rewritten.size() + regions.launches_saved + plan.launches_saved == graph.size());
    std::set<std::pair<uint32_t, uint32_t>> edges;  // none was lost to a cycle
    const std::vector<LaunchGroup> groups = [&] {
      std::vector<LaunchGroup> all = launch_groups(regions);
      for (const ChainFusionGroup& each : plan.groups) all.push_back({each.members, "Chain"});
      return all;
    }();
    const std::vector<uint32_t> ids = collapsed_ids(graph, groups);
    for (uint32_t to = 0; to < graph.size(); ++to) {
      for (const uint32_t from : dag.predecessors[to]) {
        if (ids[from] != ids[to]) edges.insert({ids[from], ids[to]});
      }
    }
    REQUIRE(rewritten.dag().predecessors.values.size() == edges.size());
  }
  CHECK(found > 100);
}
