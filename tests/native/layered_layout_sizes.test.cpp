// Layouts of 50,000 and of 1,000,000 ops: the promises hold, and time and output grow with the graph.
// It must not know how a layout is found.
#include <chrono>
#include <cstdint>
#include <vector>

#include "catch.h"
#include "layout/layered_layout.h"
#include "layout_checks.h"

using namespace layout_checks;

TEST_CASE("families of 50,000 ops are laid out in time that grows with the graph") {
  constexpr uint32_t kOps = 50000;
  const auto inputs_of = [](int family, uint32_t i) -> std::vector<uint32_t> {
    if (i == 0) return {};
    switch (family) {
      case 0:
        return {i - 1};  // a chain
      case 1:
        return {i % 1001 == 0 ? i - 1 : i - i % 1001};  // fan-outs of 1,000
      case 2:
        return i % 1001 == 1000 ? std::vector<uint32_t>() : std::vector<uint32_t>{i / 2};  // a tree
      case 3:
        return i < 32 ? std::vector<uint32_t>()
                      : std::vector<uint32_t>{i / 32 * 32 - 32 + i % 32, i / 32 * 32 - 32 + (i + 5) % 32,
                                              i / 32 * 32 - 32 + (i + 20) % 32};  // a dense net
      case 4:
        return i <= kOps / 2 ? std::vector<uint32_t>{i - 1}
                             : std::vector<uint32_t>{i - 1, kOps - 1 - i};  // long edges
      case 5:
        return {i - 1, 0};  // one value read all the way down
      case 6: {             // 49,998 readers of one value meet again
        std::vector<uint32_t> all{0};
        for (uint32_t j = 1; i + 1 == kOps && j < i; ++j) all.push_back(j);
        return all;
      }
      default:
        return {};  // isolated
    }
  };
  for (int family = 0; family <= 7; ++family) {
    for (const uint32_t group_size : {1U, 4U, kOps}) {
      Graph g;
      for (uint32_t i = 0; i < kOps; ++i) g.add(80, inputs_of(family, i));
      for (uint32_t i = 0; i < kOps; ++i) g.group[i] = i / group_size;
      g.boxed.assign(kOps, group_size > 1);
      CAPTURE(family, group_size);
      const auto start = std::chrono::steady_clock::now();
      const Layout l = g.draw();
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
      CHECK(took.count() < 20);  // a quadratic step would take minutes
      check_shape(g, l);
      check_edges(g, l);
      CHECK(l.edge_points.size() < 100 * (g.from.size() + kOps));
    }
  }
}

TEST_CASE("a million ops do not overflow anything") {
  Graph g;
  g.width.assign(1000000, 80);
  g.height.assign(1000000, 30);
  g.group.assign(1000000, 0);
  g.boxed = {1};
  for (uint32_t i = 1; i < 1000000; ++i) {
    g.from.push_back(i - 1);
    g.to.push_back(i);
  }
  const Layout l = g.draw();
  check_shape(g, l);
  CHECK(l.height > 1e6F);
}
