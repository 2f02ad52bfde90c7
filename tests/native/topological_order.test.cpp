// Kahn's order exactly, and one cycle where there is no order.
// It must not know what a node is.
#include "analysis/topological_order.h"

#include <deque>
#include <set>

#include "catch.h"
#include "contracted_graph.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;
using Ids = std::vector<uint32_t>;

/// The oracle's loop: a FIFO queue, ready nodes by id.
Ids by_queue(const Dag& dag) {
  std::vector<size_t> waiting(dag.size());
  std::deque<uint32_t> queue;
  for (uint32_t v = 0; v < dag.size(); ++v) {
    waiting[v] = dag.predecessors[v].size();
    if (waiting[v] == 0) queue.push_back(v);
  }
  Ids order;
  for (; !queue.empty(); queue.pop_front()) {
    order.push_back(queue.front());
    for (uint32_t w = 0; w < dag.size(); ++w) {
      if (has_edge(dag, queue.front(), w) && --waiting[w] == 0) queue.push_back(w);
    }
  }
  return order;
}

}  // namespace

TEST_CASE("ready nodes come by id, what they free comes first in, first out") {
  CHECK(topological_order(dag_from({})).empty());
  CHECK(topological_order(dag_from({{}, {}, {}})) == Ids{0, 1, 2});
  CHECK(topological_order(dag_from({{2}, {0}, {}})) == Ids{2, 0, 1});
  // 3 is freed by 0 and 1 by 2, but 0 is served before 2: not the smallest ready id.
  CHECK(topological_order(dag_from({{}, {2}, {}, {0}})) == Ids{0, 2, 3, 1});
}

TEST_CASE("the order of random graphs is the queue's, and an order") {
  std::mt19937 random(5);
  for (int i = 0; i < 100; ++i) {
    const Dag dag = random_dag(random, 1 + random() % 60, 1 + random() % 4, 1 + random() % 60);
    const Ids order = topological_order(dag);
    REQUIRE(order == by_queue(dag));
    REQUIRE(find_cycle(dag).empty());
  }
}

TEST_CASE("a graph with a cycle has a shorter order, and the cycle is told from its smallest id") {
  const Dag loop = dag_from({{}, {0, 4}, {1}, {2}, {3}, {4}});
  CHECK(topological_order(loop) == Ids{0});
  CHECK(find_cycle(loop) == Ids{1, 2, 3, 4});
  CHECK(find_cycle(dag_from({{1}, {0}})) == Ids{0, 1});
  CHECK(find_cycle(dag_from({{2}, {0}, {1}})) == Ids{0, 1, 2});
}

TEST_CASE("what hangs below a cycle is not told as part of it") {
  // 0 reads 5, which sits on the cycle 3 -> 5 -> 4 -> 3.
  const Dag loop = dag_from({{5}, {0}, {1}, {4}, {5}, {3}});
  CHECK(find_cycle(loop) == Ids{3, 5, 4});
}

TEST_CASE("in random graphs with a back edge the cycle found is one") {
  std::mt19937 random(9);
  uint32_t found = 0;
  for (int i = 0; i < 200; ++i) {
    std::vector<Ids> rows(30);
    for (uint32_t v = 0; v < rows.size(); ++v) {
      for (uint32_t p :
           std::set<uint32_t>{static_cast<uint32_t>(random() % 30), static_cast<uint32_t>(random() % 30)}) {
        if (p < v || (p != v && random() % 8 == 0)) rows[v].push_back(p);
      }
    }
    const Dag dag = dag_from(rows);
    const Ids cycle = find_cycle(dag);
    REQUIRE(cycle.empty() == (topological_order(dag).size() == dag.size()));
    if (cycle.empty()) continue;
    ++found;
    REQUIRE(std::set<uint32_t>(cycle.begin(), cycle.end()).size() == cycle.size());
    REQUIRE(*std::min_element(cycle.begin(), cycle.end()) == cycle[0]);
    for (size_t k = 0; k < cycle.size(); ++k) REQUIRE(has_edge(dag, cycle[k], cycle[(k + 1) % cycle.size()]));
  }
  CHECK(found > 50);
}

TEST_CASE("a chain of a million nodes needs no stack") {
  Rows rows;
  for (uint32_t v = 0; v < 1'000'000; ++v) {
    if (v > 0) rows.values.push_back(v - 1);
    rows.start.push_back(static_cast<uint32_t>(rows.values.size()));
  }
  CHECK(topological_order(make_dag(rows)).back() == 999'999);
}
