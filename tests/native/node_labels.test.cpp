// Labels of nodes: their names, functions or kinds, no two alike; a fused node's pattern and ends.
// It must not know the text that a graph came from.
#include "report/node_labels.h"

#include "catch.h"
#include "launch/reduction_fusion.h"

namespace {

using namespace fuseboard;

ComputeNode launch(const char* function_name, const char* name = "") {
  ComputeNode node;
  node.function_name = function_name;
  node.name = name;
  node.config = KernelConfig{};
  node.fusible = true;
  return node;
}

}  // namespace

TEST_CASE("a name comes before a function, a function before a kind; those alike have their ids") {
  ComputeGraph graph;
  graph.add_node(launch("_Z3expf", "exp"));
  graph.add_node(launch("exp"));
  graph.add_node(launch("sum"));
  ComputeNode barrier;
  barrier.kind = NodeKind::barrier;
  graph.add_node(barrier);
  CHECK(node_labels(graph) == std::vector<std::string>{"exp #0", "exp #1", "sum", "barrier"});
}

TEST_CASE("no two labels are alike, even where a name looks like another with its id") {
  ComputeGraph graph;
  for (const char* name : {"a", "a", "a #1"}) graph.add_node(launch(name));
  CHECK(node_labels(graph) == std::vector<std::string>{"a #0", "a #1", "a #1 #2"});
}

TEST_CASE("a fused node is called by its pattern and ends, also where its root has the last id") {
  ComputeGraph graph;
  graph.add_node(launch("div"));
  graph.add_node(launch("sum"));
  graph.add_node(launch("other"));
  graph.add_node(launch("exp"));
  REQUIRE(graph.add_edges({{3, 1}, {3, 0}, {1, 0}}));
  const Result<ReductionFusionPlan> plan = analyse(graph, Entry::dominated);
  REQUIRE(plan);
  REQUIRE(plan.value->groups.size() == 1);
  CHECK(rewritten_labels(graph, launch_groups(*plan.value)) ==
        std::vector<std::string>{"other", "Softmax: exp to div"});
}
