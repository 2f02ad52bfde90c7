// The spanning forest: each node below its latest predecessor, ancestors told by two comparisons.
// It must not know groups.
#include "analysis/ancestor_forest.h"

#include <map>

#include "analysis/topological_order.h"
#include "catch.h"
#include "contracted_graph.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

}  // namespace

TEST_CASE("a node hangs below the latest of its predecessors") {
  // Order: 0 1 2 3; 3 reads 2 and 0: 2 is later.
  const Dag dag = dag_from({{}, {0}, {1, 0}, {0, 2}});
  const AncestorForest forest = ancestor_forest(dag, topological_order(dag));
  CHECK(forest.parent == std::vector<uint32_t>{kNoParent, 0, 1, 2});
  CHECK(forest.depth == std::vector<uint32_t>{0, 1, 2, 3});
  CHECK(forest.is_ancestor_or_self(0, 3));
  CHECK(forest.is_ancestor_or_self(2, 2));
  CHECK_FALSE(forest.is_ancestor_or_self(3, 0));
}

TEST_CASE("an empty graph has an empty forest") {
  const Dag dag = dag_from({});
  CHECK(ancestor_forest(dag, topological_order(dag)).parent.empty());
}

TEST_CASE("in random graphs two comparisons say what walking up says") {
  std::mt19937 random(11);
  for (int i = 0; i < 60; ++i) {
    const Dag dag = random_dag(random, 1 + random() % 60, 3, 1 + random() % 60);
    const std::vector<uint32_t> order = topological_order(dag);
    const AncestorForest forest = ancestor_forest(dag, order);
    std::map<uint32_t, size_t> position;
    for (size_t k = 0; k < order.size(); ++k) position[order[k]] = k;
    for (uint32_t v = 0; v < dag.size(); ++v) {
      uint32_t latest = kNoParent;
      for (const uint32_t p : dag.predecessors[v]) {
        if (latest == kNoParent || position[p] > position[latest]) latest = p;
      }
      REQUIRE(forest.parent[v] == latest);
      std::vector<bool> above(dag.size(), false);
      uint32_t steps = 0;
      for (uint32_t at = v; at != kNoParent; at = forest.parent[at], ++steps) above[at] = true;
      REQUIRE(forest.depth[v] == steps - 1);
      for (uint32_t a = 0; a < dag.size(); ++a) REQUIRE(forest.is_ancestor_or_self(a, v) == above[a]);
    }
  }
}
