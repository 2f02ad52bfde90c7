// Guesses turned round: every launch of the function, and never what the text says itself.
// It must not know how a guess is made.
#include "launch/turn_guesses.h"

#include "catch.h"

namespace {

using namespace fuseboard;

void add(ComputeGraph& graph, const char* function_name, bool fusible, bool is_guess) {
  ComputeNode node;
  node.function_name = function_name;
  node.fusible = fusible;
  node.fusible_is_guess = is_guess;
  graph.add_node(std::move(node));
}

}  // namespace

TEST_CASE("all launches of a named function are turned, either way") {
  ComputeGraph graph;
  add(graph, "exp", true, true);
  add(graph, "exp", true, true);
  add(graph, "gemm", false, true);
  add(graph, "sum", true, true);
  turn_guesses(graph, {"exp", "gemm", "nobody"});
  CHECK_FALSE(graph.node(0).fusible);
  CHECK_FALSE(graph.node(1).fusible);
  CHECK(graph.node(2).fusible);
  CHECK(graph.node(3).fusible);
  CHECK(graph.node(0).fusible_is_guess);
}

TEST_CASE("a flag that the text gives stays") {
  ComputeGraph graph;
  add(graph, "exp", true, false);
  turn_guesses(graph, {"exp"});
  CHECK(graph.node(0).fusible);
}
