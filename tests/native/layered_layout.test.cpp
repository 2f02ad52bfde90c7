// What a drawing promises: downward edges, nothing overlapping, boxes around exactly their members, lines
// that touch no stranger, and stability. It must not know how a layout is found.
#include "layout/layered_layout.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "catch.h"
#include "layout_checks.h"

using namespace layout_checks;

TEST_CASE("a layout of nothing is empty") {
  const Layout l = layered_layout({});
  CHECK(l.x.empty());
  CHECK(l.edge_start == std::vector<uint32_t>{0});
  CHECK(l.width == 0);
  CHECK(l.height == 0);
}

TEST_CASE("isolated nodes stand side by side without overlapping") {
  Graph g;
  for (int i = 0; i < 500; ++i) g.add(static_cast<float>(20 + i % 90), {});
  const Layout l = g.draw();
  check_all(g, l);
  CHECK(l.width < 6000);  // wrapped
}

TEST_CASE("a group of one draws a box where asked and none otherwise") {
  Graph g;
  const uint32_t a = g.add(60, {}), b = g.add(60, {a});
  g.box({b});
  g.title = {0, 300};
  const Layout l = g.draw();
  check_all(g, l);
  CHECK(l.group_width[g.group[a]] == 0);
  CHECK(l.group_width[g.group[b]] >= 300);
}

TEST_CASE("an unboxed group of several lets its members stand alone") {
  Graph g;
  const uint32_t a = g.add(60, {}), b = g.add(60, {a});
  g.box({a, b});
  g.boxed[g.group[a]] = 0;
  const Layout l = g.draw();
  check_shape(g, l);
  check_edges(g, l);
  CHECK(l.group_width == std::vector<float>{0, 0});
}

TEST_CASE("a node of no group stands alone") {
  Graph g;
  const uint32_t a = g.add(60, {}), b = g.add(60, {a}), c = g.add(60, {b});
  g.box({b, c});
  g.group[a] = UINT32_MAX;
  const Layout l = g.draw();
  check_shape(g, l);
  check_edges(g, l);
  CHECK(l.y[a] + g.height[a] < l.group_y[g.group[b]]);
}

TEST_CASE("a chain is one straight vertical") {
  Graph g;
  for (uint32_t i = 0; i < 10; ++i)
    g.add(40 + static_cast<float>(i * 7 % 50), i == 0 ? std::vector<uint32_t>{} : std::vector{i - 1});
  g.box({2, 3, 4});
  g.box({6, 7});
  const Layout l = g.draw();
  check_all(g, l);
  for (uint32_t v = 1; v < 10; ++v)
    CHECK(l.x[v] + g.width[v] / 2 == Approx(l.x[0] + g.width[0] / 2).margin(0.01));
  CHECK(l.edge_points.size() == 9 * 4);  // two points a line
}

TEST_CASE("a late operand stands just above its reader") {
  Graph g;
  const uint32_t weight = g.add(40, {}), turned = g.add(40, {weight});
  uint32_t x = g.add(40, {});
  for (int i = 0; i < 8; ++i) x = g.add(40, {x});
  const uint32_t last = g.add(40, {x, turned});
  const Layout l = g.draw();
  check_all(g, l);
  CHECK(l.y[turned] == l.y[x]);
  CHECK(l.y[weight] > l.y[last] - 220);
}

TEST_CASE("random graphs under random acyclic partitions keep every promise") {
  for (uint32_t seed = 1; seed <= 150; ++seed) {
    const Graph g = random_graph(seed, 1 + seed % 60, 2 + seed % 17, 1 + seed % 9);
    CAPTURE(seed);
    const Layout l = g.draw();
    check_all(g, l);
    check_lines_avoid_strangers(g, l);
  }
}

TEST_CASE("larger random graphs keep nodes and boxes apart") {
  for (uint32_t seed = 1; seed <= 6; ++seed) {
    const Graph g = random_graph(seed, 3000, seed % 2 == 0 ? 8 : 3000, 12);
    CAPTURE(seed);
    check_all(g, g.draw());
  }
}

TEST_CASE("two layouts of one graph are equal, and edge order does not matter") {
  Graph g = random_graph(7, 200, 20, 6);
  const Layout a = g.draw();
  const Layout b = g.draw();
  CHECK(a.x == b.x);
  CHECK(a.y == b.y);
  CHECK(a.edge_points == b.edge_points);
  std::reverse(g.from.begin(), g.from.end());
  std::reverse(g.to.begin(), g.to.end());
  const Layout c = g.draw();
  CHECK(a.x == c.x);
  CHECK(a.y == c.y);
}

TEST_CASE("group numbers do not matter") {
  Graph g = transformer(2);
  const Layout before = g.draw();
  const uint32_t last = static_cast<uint32_t>(g.boxed.size()) - 1;
  for (uint32_t& k : g.group) k = last - k;
  std::reverse(g.boxed.begin(), g.boxed.end());
  const Layout after = g.draw();
  CHECK(before.x == after.x);
  CHECK(before.y == after.y);
}

TEST_CASE("changing a width keeps every layer's order") {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    Graph g = random_graph(seed, 120, 12, 5);
    const Layout before = g.draw();
    g.width[seed % g.size()] += 55;
    const Moves moves = compare(g, before, g.draw(), g.size());
    CHECK(moves.pairs > 20);
    CHECK(moves.turned == 0);
  }
}

TEST_CASE("adding an op at the end keeps the order of the rest") {
  const uint32_t old = transformer(2).size();
  for (uint32_t reads = 0; reads < old; ++reads) {
    Graph g = transformer(2);
    const Layout before = g.draw();
    g.add(70, {reads});
    const Moves moves = compare(g, before, g.draw(), old);
    CAPTURE(reads, moves.pairs, moves.turned);
    CHECK(moves.turned <= 1);  // of about twenty
    if (reads + 1 == old || reads == 0) CHECK(moves.turned == 0);
  }
}

TEST_CASE("adding an op at the end of a random graph moves little") {
  Moves all;
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    Graph g = random_graph(seed, 80, 10, 4);
    const uint32_t old = g.size();
    const Layout before = g.draw();
    g.add(60, {seed % old});
    const Moves moves = compare(g, before, g.draw(), old);
    all.pairs += moves.pairs;
    all.turned += moves.turned;
  }
  CAPTURE(all.pairs, all.turned);
  CHECK(all.turned * 10 <= all.pairs);
}

TEST_CASE("1,000 readers of one value are wrapped into rows, unless they meet again") {
  Graph g;
  const uint32_t root = g.add(60, {});
  std::vector<uint32_t> leaves;
  leaves.reserve(1000);
  for (int i = 0; i < 1000; ++i) leaves.push_back(g.add(60, {root}));
  const Layout open = g.draw();
  check_all(g, open);
  CHECK(open.width < 6000);
  g.add(60, leaves);
  const Layout closed = g.draw();
  check_all(g, closed);
  CHECK(closed.y[leaves[0]] == closed.y[leaves[999]]);
}

TEST_CASE("a graph whose groups form a cycle is drawn without boxes") {
  Graph g;
  const uint32_t a = g.add(60, {}), b = g.add(60, {a}), c = g.add(60, {b});
  g.box({a, c});
  const Layout l = g.draw();
  check_shape(g, l);
  check_edges(g, l);
  CHECK(l.group_width[g.group[a]] == 0);
}
