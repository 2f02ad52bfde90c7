// Rows of varying length, and their transpose.
// It must not know what a node is.
#include "analysis/dag.h"

#include "catch.h"
#include "contracted_graph.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

std::vector<uint32_t> row(const Rows& rows, uint32_t at) { return {rows[at].begin(), rows[at].end()}; }

}  // namespace

TEST_CASE("an empty graph has no rows") {
  CHECK(Rows().size() == 0);
  CHECK(make_dag(Rows()).size() == 0);
  CHECK(transposed(Rows()).size() == 0);
}

TEST_CASE("predecessors stay as listed, successors come by ascending id") {
  const Dag dag = dag_from({{3, 1}, {}, {0, 3, 1}, {1}});
  CHECK(dag.size() == 4);
  CHECK(row(dag.predecessors, 0) == std::vector<uint32_t>{3, 1});
  CHECK(row(dag.predecessors, 2) == std::vector<uint32_t>{0, 3, 1});
  CHECK(row(dag.successors, 0) == std::vector<uint32_t>{2});
  CHECK(row(dag.successors, 1) == std::vector<uint32_t>{0, 2, 3});
  CHECK(row(dag.successors, 2).empty());
  CHECK(row(dag.successors, 3) == std::vector<uint32_t>{0, 2});
}

TEST_CASE("the transpose of the transpose lists the same edges, ascending") {
  std::mt19937 random(3);
  for (int i = 0; i < 50; ++i) {
    const Dag dag = random_dag(random, 40, 3, 40);
    const Rows twice = transposed(transposed(dag.predecessors));
    REQUIRE(twice.size() == dag.size());
    for (uint32_t v = 0; v < dag.size(); ++v) {
      std::vector<uint32_t> sorted = row(dag.predecessors, v);
      std::sort(sorted.begin(), sorted.end());
      REQUIRE(row(twice, v) == sorted);
    }
  }
}
