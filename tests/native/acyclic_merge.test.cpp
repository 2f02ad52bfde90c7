// Every outcome of the fast merge against walking the whole contracted graph, and every witness as a real
// path. It must not know how the fast way works.
#include "analysis/acyclic_merge.h"

#include <tuple>

#include "../bench/families.h"
#include "analysis/topological_order.h"
#include "catch.h"
#include "contracted_graph.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;
using Outcome = AcyclicMerge::Outcome;
using Edges = std::vector<std::pair<uint32_t, uint32_t>>;

/// A tree witness in full; another one as it is kept.
std::vector<uint32_t> unfolded(const CycleWitness& witness, const AncestorForest& forest) {
  if (!witness.tree) return witness.steps;
  std::vector<uint32_t> path{witness.steps[3]};
  for (uint32_t v = witness.steps[2]; v != witness.steps[1]; v = forest.parent[v]) path.push_back(v);
  path.push_back(witness.steps[1]);
  path.push_back(witness.steps[0]);
  return {path.rbegin(), path.rend()};
}

/// Neighbours are an edge or share a group, the ends lie in the two groups, a third lies between, the total
/// is right.
void require_witness(const Dag& dag, const ContractedGraph& groups, const CycleWitness& witness,
                     const AncestorForest& forest, uint32_t producer, uint32_t consumer) {
  const std::vector<uint32_t> path = unfolded(witness, forest);
  REQUIRE(path.size() >= 3);
  REQUIRE(groups.label(path.front()) == groups.label(producer));
  REQUIRE(groups.label(path.back()) == groups.label(consumer));
  REQUIRE(witness.steps.size() <= CycleWitness::kSteps);
  REQUIRE(witness.total >= path.size());
  bool third = false;
  for (size_t i = 0; i < path.size(); ++i) {
    const uint32_t group = groups.label(path[i]);
    third |= group != groups.label(producer) && group != groups.label(consumer);
    if (i == 0) continue;
    const bool cut = i == 2 && path.size() < witness.total;  // those left out stand behind the second
    if (!cut) REQUIRE((has_edge(dag, path[i - 1], path[i]) || groups.label(path[i - 1]) == group));
  }
  REQUIRE(third);
  if (witness.tree || path.size() < CycleWitness::kSteps) REQUIRE(witness.total == path.size());
}

/// Merges edge by edge, both ways; returns how many were refused.
uint32_t require_agreement(const Dag& dag, const Edges& edges) {
  const std::vector<uint32_t> order = topological_order(dag);
  const AncestorForest forest = ancestor_forest(dag, order);
  AcyclicMerge fast(dag, order);
  ContractedGraph slow(dag);
  uint32_t refused = 0;
  for (const auto& [p, c] : edges) {
    INFO(p << " -> " << c);
    const bool together = slow.label(p) == slow.label(c);
    const bool cycle = !together && slow.has_path_through_third(p, c);
    const Outcome outcome = fast.merge(p, c);
    REQUIRE(outcome == (together ? Outcome::together : cycle ? Outcome::cycle : Outcome::merged));
    if (cycle) {
      require_witness(dag, slow, fast.witness(), forest, p, c);
      ++refused;
    } else if (!together) {
      slow.merge(p, c);
    }
  }
  std::vector<uint32_t> representative(dag.size(), UINT32_MAX);
  for (uint32_t v = 0; v < dag.size(); ++v) {
    uint32_t& first = representative[slow.label(v)];
    if (first == UINT32_MAX) first = fast.find(v);
    REQUIRE(fast.find(v) == first);
  }
  return refused;
}

/// The edges that a planner would try: both ends fusible, of which `share` percent of the nodes are.
Edges fusible_edges(std::mt19937& random, const Dag& dag, uint32_t share) {
  std::vector<bool> fusible(dag.size());
  for (uint32_t v = 0; v < dag.size(); ++v) fusible[v] = random() % 100 < share;
  Edges edges;
  for (const auto& [p, c] : edges_in_order(dag, topological_order(dag))) {
    if (fusible[p] && fusible[c]) edges.push_back({p, c});
  }
  return edges;
}

}  // namespace

TEST_CASE("a diamond merges whole, a barrier in one arm refuses the last edge") {
  // 0 -> 1 -> 3, 0 -> 2 -> 3
  const Dag dag = dag_from({{}, {0}, {0}, {1, 2}});
  const std::vector<uint32_t> order = topological_order(dag);
  AcyclicMerge merge(dag, order);
  CHECK(merge.take_tree_parent().empty());
  CHECK(merge.merge(0, 1) == Outcome::merged);
  CHECK(merge.merge(1, 3) == Outcome::cycle);  // 2 would stand before and behind
  const CycleWitness witness = merge.witness();
  CHECK(witness.total == 3);
  CHECK(merge.take_tree_parent() == std::vector<uint32_t>{kNoParent, 0, 0, 2});
  CHECK(merge.merge(0, 2) == Outcome::merged);
  CHECK(merge.merge(1, 3) == Outcome::merged);
  CHECK(merge.merge(2, 3) == Outcome::together);
}

TEST_CASE("random graphs in the planner's order: every outcome is brute force's") {
  std::mt19937 random(17);
  uint32_t refused = 0;
  for (int i = 0; i < 150; ++i) {
    const uint32_t n = 60 + random() % 100;
    const Dag dag = random_dag(random, n, 1 + random() % 4, 1 + random() % n);
    refused += require_agreement(dag, fusible_edges(random, dag, 60 + random() % 41));
  }
  CHECK(refused > 500);
}

TEST_CASE("random graphs, edges in any order and again: every outcome is brute force's") {
  std::mt19937 random(19);
  uint32_t refused = 0;
  for (int i = 0; i < 150; ++i) {
    const uint32_t n = 60 + random() % 100;
    const Dag dag = random_dag(random, n, 1 + random() % 3, i % 3 == 0 ? 8 : n);
    Edges edges = edges_in_order(dag, topological_order(dag));
    std::shuffle(edges.begin(), edges.end(), random);
    edges.resize(edges.size() * (40 + random() % 61) / 100);
    const size_t once = edges.size();
    for (size_t k = 0; k < once; ++k) edges.push_back(edges[random() % once]);
    refused += require_agreement(dag, edges);
  }
  CHECK(refused > 500);
}

TEST_CASE("large groups: long chains beside each other, crossed by edges, agree too") {
  std::mt19937 random(23);
  for (int i = 0; i < 40; ++i) {
    const uint32_t lanes = 3 + random() % 4;
    const uint32_t length = 30 + random() % 30;
    const auto id = [&](uint32_t lane, uint32_t at) { return at * lanes + lane; };
    std::vector<std::vector<uint32_t>> rows(size_t{lanes} * length);
    Edges along;
    Edges across;
    for (uint32_t at = 1; at < length; ++at) {
      for (uint32_t lane = 0; lane < lanes; ++lane) {
        rows[id(lane, at)].push_back(id(lane, at - 1));
        if (random() % 10 != 0) along.push_back({id(lane, at - 1), id(lane, at)});
        if (random() % 4 == 0) {
          const uint32_t other = (lane + 1 + random() % (lanes - 1)) % lanes;
          const uint32_t from = id(other, at - 1 - random() % std::min(at, 20U));
          rows[id(lane, at)].push_back(from);
          across.push_back({from, id(lane, at)});
        }
      }
    }
    if (i % 2 == 0) std::shuffle(along.begin(), along.end(), random);
    std::shuffle(across.begin(), across.end(), random);
    along.insert(along.end(), across.begin(), across.end());
    along.insert(along.end(), across.rbegin(), across.rend());
    (void)require_agreement(dag_from(rows), along);
  }
}

TEST_CASE("the bench's eleven families at small sizes agree") {
  for (const Family& family : families()) {
    INFO(family.name);
    const FusionGraph graph = family.make(family.name == "fan" ? 2100 : 400);
    const Dag dag = graph.dag();
    Edges edges;
    for (const auto& [p, c] : edges_in_order(dag, topological_order(dag))) {
      if (graph.op(p).is_fusible() && graph.op(c).is_fusible()) edges.push_back({p, c});
    }
    (void)require_agreement(dag, edges);
  }
}
