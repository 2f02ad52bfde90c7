// The order in which kernels may be launched.
// It must not know what they compute.
#include "launch/launch_order.h"

#include "catch.h"
#include "launch/lower.h"
#include "plan/fusion_planner.h"

using namespace fuseboard;

TEST_CASE("a kernel is launched behind the library call that it reads, though its group comes first") {
  FusionGraph graph;
  graph.add_op(OpKind::input, {}, {4, 4}, 4);
  graph.add_op(OpKind::relu, {0}, {4, 4}, 4);
  graph.add_op(OpKind::matmul, {0, 0}, {4, 4}, 4);
  graph.add_op(OpKind::add, {1, 2}, {4, 4}, 4);
  const FusionPlan plan = FusionPlanner().plan(graph);
  const std::vector<Kernel> kernels = lower(graph, plan);
  REQUIRE(plan.group_of[1] == plan.group_of[3]);
  CHECK(launch_order(graph.dag(), plan, kernels) ==
        std::vector<uint32_t>{plan.group_of[2], plan.group_of[1]});
}
