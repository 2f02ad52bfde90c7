// Witnesses of long paths and of paths remembered from before: what is kept, and that the total is right.
// It must not know how paths are found, only which sizes make which way the likely one.
#include "analysis/acyclic_merge.h"
#include "analysis/topological_order.h"
#include "catch.h"
#include "contracted_graph.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;
using Outcome = AcyclicMerge::Outcome;

/// A graph written down node by node.
struct Sketch {
  std::vector<std::vector<uint32_t>> rows;

  uint32_t add(std::vector<uint32_t> inputs = {}) {
    rows.push_back(std::move(inputs));
    return static_cast<uint32_t>(rows.size() - 1);
  }
  /// A chain of `length` below `from`; all its ids.
  std::vector<uint32_t> chain(uint32_t from, uint32_t length) {
    std::vector<uint32_t> ids;
    for (; length > 0; --length) ids.push_back(from = add({from}));
    return ids;
  }
  std::vector<uint32_t> sources(uint32_t count) {
    std::vector<uint32_t> ids;
    for (; count > 0; --count) ids.push_back(add());
    return ids;
  }
};

void merge_all(AcyclicMerge& merge, const std::vector<uint32_t>& chain) {
  for (size_t i = 1; i < chain.size(); ++i) REQUIRE(merge.merge(chain[i - 1], chain[i]) == Outcome::merged);
}

/// Neighbours are an edge or share a group, but for the gap behind the second step.
void require_path(const Dag& dag, AcyclicMerge& merge, uint32_t producer, uint32_t consumer) {
  const CycleWitness& witness = merge.witness();
  REQUIRE_FALSE(witness.tree);
  REQUIRE(merge.find(witness.steps.front()) == merge.find(producer));
  REQUIRE(merge.find(witness.steps.back()) == merge.find(consumer));
  for (size_t i = 1; i < witness.steps.size(); ++i) {
    if (i == 2 && witness.total > witness.steps.size()) continue;
    const uint32_t a = witness.steps[i - 1];
    const uint32_t b = witness.steps[i];
    REQUIRE((has_edge(dag, a, b) || merge.find(a) == merge.find(b)));
  }
}

}  // namespace

TEST_CASE("a path along a chain is told by its ends, with the ops on it counted") {
  Sketch sketch;
  const uint32_t p = sketch.add();
  const std::vector<uint32_t> between = sketch.chain(p, 100);
  const uint32_t c = sketch.add({p, between.back()});
  const Dag dag = dag_from(sketch.rows);
  const std::vector<uint32_t> order = topological_order(dag);
  AcyclicMerge merge(dag, order);
  REQUIRE(merge.merge(p, c) == Outcome::cycle);
  CHECK(merge.witness().tree);
  CHECK(merge.witness().total == 102);
  CHECK(merge.witness().steps == std::vector<uint32_t>{p, between.front(), between.back(), c});
}

TEST_CASE("a path that only searching finds is kept to 64 steps, those left out behind the second") {
  Sketch sketch;
  const std::vector<uint32_t> many = sketch.sources(8);
  const uint32_t p = sketch.add();
  for (int i = 0; i < 8; ++i) sketch.add({p});
  const std::vector<uint32_t> between = sketch.chain(p, 100);
  std::vector<uint32_t> inputs{p};
  inputs.insert(inputs.end(), many.begin(), many.end());
  inputs.push_back(between.back());
  const uint32_t c = sketch.add(inputs);
  const Dag dag = dag_from(sketch.rows);
  const std::vector<uint32_t> order = topological_order(dag);
  AcyclicMerge merge(dag, order);
  REQUIRE(merge.merge(p, c) == Outcome::cycle);
  const CycleWitness& witness = merge.witness();
  CHECK(witness.total == 102);
  REQUIRE(witness.steps.size() == CycleWitness::kSteps);
  CHECK(witness.steps[0] == p);
  CHECK(witness.steps[1] == between[0]);
  CHECK(witness.steps[2] == between[39]);  // 62 steps stand behind the two
  CHECK(witness.steps.back() == c);
  require_path(dag, merge, p, c);
}

TEST_CASE("a path remembered up to a large group serves another consumer, with the right total") {
  // P (20 nodes) -> X (20 nodes) -> 90 barriers -> C (20 nodes); later P -> d beside X -> d.
  Sketch sketch;
  const std::vector<uint32_t> many = sketch.sources(8);
  std::vector<uint32_t> p_group{sketch.add()};
  for (const uint32_t v : sketch.chain(p_group[0], 19)) p_group.push_back(v);
  const uint32_t p = p_group.back();
  for (int i = 0; i < 8; ++i) sketch.add({p});
  std::vector<uint32_t> x_group{sketch.add({p})};
  for (const uint32_t v : sketch.chain(x_group[0], 19)) x_group.push_back(v);
  const std::vector<uint32_t> between = sketch.chain(x_group[0], 90);
  std::vector<uint32_t> inputs{p};
  inputs.insert(inputs.end(), many.begin(), many.end());
  inputs.push_back(between.back());
  std::vector<uint32_t> c_group{sketch.add(inputs)};
  for (const uint32_t v : sketch.chain(c_group[0], 19)) c_group.push_back(v);
  const uint32_t d = sketch.add({p, x_group.back()});
  const Dag dag = dag_from(sketch.rows);
  const std::vector<uint32_t> order = topological_order(dag);
  AcyclicMerge merge(dag, order);
  merge_all(merge, p_group);
  merge_all(merge, x_group);
  merge_all(merge, c_group);

  REQUIRE(merge.merge(p, c_group[0]) == Outcome::cycle);
  CHECK(merge.witness().total == 93);  // p, x, 90 barriers, c
  require_path(dag, merge, p, c_group[0]);
  REQUIRE(merge.merge(p, c_group[0]) == Outcome::cycle);  // from memory
  CHECK(merge.witness().total == 93);
  require_path(dag, merge, p, c_group[0]);

  REQUIRE(merge.merge(p, d) == Outcome::cycle);
  CHECK(merge.witness().total == 4);  // p, x, the end of X, d
  require_path(dag, merge, p, d);
}
