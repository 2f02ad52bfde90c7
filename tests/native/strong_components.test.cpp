// Strong components against reachability, node by node.
// It must not know what a node is.
#include "analysis/strong_components.h"

#include <random>

#include "catch.h"
#include "region_cases.h"

using namespace fuseboard;
using namespace fuseboard_test;

TEST_CASE("strong components: two nodes share one exactly where each reaches the other") {
  std::mt19937 random(5);
  for (int i = 0; i < 200; ++i) {
    const uint32_t n = 1 + random() % 12;
    std::vector<std::vector<uint32_t>> predecessors(n);
    for (uint32_t v = 0; v < n; ++v) {
      for (uint32_t p = 0; p < n; ++p) {
        if (random() % n == 0) predecessors[v].push_back(p);
      }
    }
    const Dag graph = dag_of(predecessors);
    const std::vector<uint32_t> component = strong_components(graph);
    for (uint32_t a = 0; a < n; ++a) {
      for (uint32_t b = 0; b < n; ++b) {
        const bool both =
            reached(graph.successors, {a}, n)[b] != 0 && reached(graph.successors, {b}, n)[a] != 0;
        REQUIRE((component[a] == component[b]) == both);
      }
    }
  }
}

TEST_CASE("strong components: a circle of a million nodes is one, without recursion") {
  constexpr uint32_t kNodes = 1'000'000;
  std::vector<std::vector<uint32_t>> predecessors(kNodes);
  for (uint32_t v = 0; v < kNodes; ++v) predecessors[v] = {(v + kNodes - 1) % kNodes};
  const std::vector<uint32_t> component = strong_components(dag_of(predecessors));
  CHECK(std::count(component.begin(), component.end(), component[0]) == kNodes);
}
