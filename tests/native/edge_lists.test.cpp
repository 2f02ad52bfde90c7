// Lists of edges that join, and lose what became internal.
// It must not know what a group is for.
#include "analysis/edge_lists.h"

#include "catch.h"
#include "contracted_graph.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

std::vector<uint32_t> nodes(const EdgeLists& lists, uint32_t group) {
  std::vector<uint32_t> out;
  for (uint32_t edge = lists.first(group); edge != EdgeLists::kNone; edge = lists.next(edge)) {
    out.push_back(lists.node_at(edge));
  }
  return out;
}

using Ids = std::vector<uint32_t>;

}  // namespace

TEST_CASE("each group begins with its own row, and every edge knows its row") {
  const Dag dag = dag_from({{}, {0}, {}, {1, 0, 2}, {}});
  const EdgeLists lists(dag.predecessors);
  CHECK(nodes(lists, 0).empty());
  CHECK(nodes(lists, 1) == Ids{0});
  CHECK(nodes(lists, 3) == Ids{1, 0, 2});
  CHECK(lists.owner(0) == 1);
  for (const uint32_t edge : {1U, 2U, 3U}) CHECK(lists.owner(edge) == 3);
}

TEST_CASE("a joined list is one row behind the other, empty ones included") {
  const Dag dag = dag_from({{}, {0}, {}, {1, 0, 2}, {3}});
  EdgeLists lists(dag.predecessors);
  lists.join(1, 3);
  CHECK(nodes(lists, 1) == Ids{0, 1, 0, 2});
  lists.join(1, 2);
  CHECK(nodes(lists, 1) == Ids{0, 1, 0, 2});
  lists.join(2, 4);
  CHECK(nodes(lists, 2) == Ids{3});
  lists.join(2, 1);
  CHECK(nodes(lists, 2) == Ids{3, 0, 1, 0, 2});
}

TEST_CASE("dropping the first, a middle and the last entry keeps the rest, and the list still joins") {
  const Dag dag = dag_from({{}, {}, {}, {0, 1, 2}, {1}});
  EdgeLists lists(dag.predecessors);  // edges 0 1 2 in row 3, edge 3 in row 4
  SECTION("first") {
    lists.drop(3, EdgeLists::kNone, 0);
    CHECK(nodes(lists, 3) == Ids{1, 2});
    lists.join(3, 4);
    CHECK(nodes(lists, 3) == Ids{1, 2, 1});
  }
  SECTION("middle") {
    lists.drop(3, 0, 1);
    lists.join(3, 4);
    CHECK(nodes(lists, 3) == Ids{0, 2, 1});
  }
  SECTION("last") {
    lists.drop(3, 1, 2);
    lists.join(3, 4);
    CHECK(nodes(lists, 3) == Ids{0, 1, 1});
  }
  SECTION("all") {
    lists.drop(3, EdgeLists::kNone, 0);
    lists.drop(3, EdgeLists::kNone, 1);
    lists.drop(3, EdgeLists::kNone, 2);
    CHECK(nodes(lists, 3).empty());
    lists.join(3, 4);
    CHECK(nodes(lists, 3) == Ids{1});
  }
}
