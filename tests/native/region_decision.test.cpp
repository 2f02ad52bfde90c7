// Why no region begins at a launch, or at an op: reasons by what is in the way, and their sentences.
// It must not know how regions are found.
#include "launch/region_decision.h"

#include "catch.h"
#include "graph_builder.h"
#include "launch/reduction_fusion.h"
#include "plan/fusion_planner.h"
#include "plan/regions.h"
#include "playground.h"
#include "reduction_random_graph.h"
#include "report/region_decision_text.h"

using namespace fuseboard;
using namespace fuseboard_test;

namespace {

ComputeNode launch(std::string name) {
  ComputeNode node;
  node.function_name = std::move(name);
  node.config = KernelConfig{{4, 1, 1}, {256, 1, 1}, 0};
  node.fusible = true;
  return node;
}

ComputeNode copy(std::string name) {
  ComputeNode node;
  node.kind = NodeKind::memcpy;
  node.name = std::move(name);
  return node;
}

/// 0 copy in -> 1 max -> {2 sub, 3 abs} -> 4 div -> 5 copy out
ComputeGraph diamond() {
  ComputeGraph graph;
  graph.add_node(copy("in"));
  for (const char* name : {"max", "sub", "abs", "div"}) graph.add_node(launch(name));
  graph.add_node(copy("out"));
  REQUIRE(graph.add_edges({{0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 4}, {4, 5}}));
  return graph;
}

RegionDecision decision_of(const ComputeGraph& graph, uint32_t root, Entry entry = Entry::dominated) {
  const Result<ReductionFusionPlan> plan = analyse(graph, entry);
  for (const RegionDecision& each : plan.value->decisions) {
    if (each.root == root) return each;
  }
  FAIL("no decision about " << root);
  return {};
}

std::string text_of(const ComputeGraph& graph, const RegionDecision& decision) {
  return region_decision_text(graph, decision, region_decision_path(graph.dag(), decision));
}

std::vector<Attribute> fold(const char* reducer) {
  return {{"reducer", std::string(reducer)}, {"axes", std::vector<int64_t>{1}}, {"keepdims", true}};
}

/// x -> max 1 -> sub 2 -> exp 3 -> sum 4 -> div 5
GraphBuilder op_softmax() {
  GraphBuilder b;
  b.add("x", OpKind::input, {}, {8, 16});
  b.add("max", OpKind::reduce, {0}, {8, 1}, DType::f32, fold("max"));
  b.add("sub", OpKind::sub, {0, 1}, {8, 16});
  b.add("exp", OpKind::exp, {2}, {8, 16});
  b.add("sum", OpKind::reduce, {3}, {8, 1}, DType::f32, fold("sum"));
  b.add("div", OpKind::div, {3, 4}, {8, 16});
  return b;
}

RegionDecision op_decision(const FusionGraph& graph, uint32_t root) {
  for (const RegionDecision& each : region_decisions(graph, true)) {
    if (each.root == root) return each;
  }
  FAIL("no decision about " << root);
  return {};
}

}  // namespace

TEST_CASE(
    "region decisions: of ops the policy tells the region that it took, and a value listed that leaks") {
  GraphBuilder b = op_softmax();
  const std::vector<RegionDecision> all = region_decisions(b.graph, true);
  REQUIRE(all.size() == 1);
  CHECK(all[0].verdict == Verdict::fused);
  CHECK(all[0].root == 1);
  CHECK(all[0].sink == 5);
  b.graph.add_output(3);
  const RegionDecision leak = op_decision(b.graph, 1);
  CHECK(leak.verdict == Verdict::refused);
  CHECK(leak.reason == RegionReason::edge_leaks);
  CHECK(leak.from == 3);
  CHECK(leak.to == kNoNode);
  CHECK(op_decision(b.graph, 5).reason == RegionReason::no_fan_out);
}

TEST_CASE(
    "region decisions: of ops a move in the way, a value of other rows, a region that reduces nothing") {
  GraphBuilder b = op_softmax();
  b.add("call", OpKind::call, {3}, {8, 16});
  b.add("y", OpKind::add, {5, 6}, {8, 16});
  const RegionDecision move = op_decision(b.graph, 1);
  CHECK(move.reason == RegionReason::member_not_fusible);
  CHECK(move.member == 6);
  CHECK(move.sink == 7);
  const RegionDecision plain = op_decision(b.graph, 5);
  CHECK(plain.reason == RegionReason::no_fan_out);

  GraphBuilder none;
  none.add("x", OpKind::input, {}, {8, 16});
  none.add("a", OpKind::relu, {0}, {8, 16});
  CHECK(region_decisions(none.graph, true).empty());
}

TEST_CASE("region decisions: plan JSON tells them of the policy regions alone, with null for no node") {
  const std::string text = R"({"ops": [{"name": "x", "kind": "input", "output_shape": [8, 16]},
    {"name": "max", "kind": "reduce", "inputs": ["x"], "axes": [1], "reducer": "max", "keepdims": true},
    {"name": "sub", "kind": "sub", "inputs": ["x", "max"]}], "outputs": ["max"]})";
  PlaygroundOptions options;
  CHECK(Playground::open(text, options).plan_json().find("region_decisions") == std::string::npos);
  options.policy = "regions";
  const std::string told = R"("region_decisions":[
{"root":1,"sink":null,"verdict":"refused","reason":"edge-leaks","member":null,"from":1,"to":)";
  CHECK(Playground::open(text, options).plan_json().find(told) != std::string::npos);
}

TEST_CASE("region decisions: every op of a row domain outside the regions has one, on random graphs") {
  size_t refused = 0;
  for (uint32_t seed = 1; seed <= 2000; ++seed) {
    INFO("seed " << seed);
    const FusionGraph graph = ReductionGraphMaker(seed).make();
    const FusionPlan plan = FusionPlanner().with_policy(Policy::regions).plan(graph);
    std::vector<uint8_t> seen(graph.size(), 0);
    for (const RegionDecision& each : region_decisions(graph, true)) {
      REQUIRE(each.root < graph.size());
      REQUIRE(seen[each.root]++ == 0);
      if (each.verdict == Verdict::fused) {
        REQUIRE(plan.group_of[each.root] == plan.group_of[each.sink]);
        continue;
      }
      ++refused;
      REQUIRE(each.reason != RegionReason::fused);
      for (const uint32_t id : {each.sink, each.member, each.from, each.to})
        REQUIRE((id == kNoNode || id < graph.size()));
    }
  }
  CHECK(refused > 1000);
}

TEST_CASE("region decisions: a region that is fused has one, of its root; members have none") {
  const ComputeGraph graph = diamond();
  const Result<ReductionFusionPlan> plan = analyse(graph);
  REQUIRE(plan.value->decisions.size() == 1);
  const RegionDecision& decision = plan.value->decisions[0];
  CHECK(decision.verdict == Verdict::fused);
  CHECK(decision.root == 1);
  CHECK(decision.sink == 4);
  CHECK(text_of(graph, decision) == R"("max" (1) to "div" (4) are one kernel)");
}

TEST_CASE("region decisions: the member that is not fusible") {
  ComputeGraph graph = diamond();
  graph.node(3).fusible = false;
  const RegionDecision decision = decision_of(graph, 1);
  CHECK(decision.verdict == Verdict::refused);
  CHECK(decision.reason == RegionReason::member_not_fusible);
  CHECK(decision.member == 3);
  CHECK(decision.sink == 4);
  CHECK(text_of(graph, decision) ==
        R"(no region begins at "max" (1): "abs" (3), on the way to "div" (4), is not fusible)");
}

TEST_CASE("region decisions: the totals that differ, and one that is unknown") {
  ComputeGraph graph = diamond();
  graph.node(4).config = KernelConfig{{8, 1, 1}, {256, 1, 1}, 0};
  const RegionDecision decision = decision_of(graph, 1);
  CHECK(decision.reason == RegionReason::totals_differ);
  CHECK(decision.member == 4);
  CHECK(text_of(graph, decision) ==
        R"(no region begins at "max" (1): "div" (4) has 2048 threads, "max" (1) 1024 threads)");
  graph.node(4).config.reset();
  CHECK(decision_of(graph, 1).reason == RegionReason::total_unknown);
  CHECK(decision_of(graph, 1).member == 4);
  const RegionDecision itself = decision_of(graph, 4);
  CHECK(itself.reason == RegionReason::total_unknown);
  CHECK(text_of(graph, itself) ==
        R"(no region begins at "div" (4): how many threads "div" (4) has is unknown)");
}

TEST_CASE("region decisions: the edge that leaks, both its ends") {
  ComputeGraph graph = diamond();
  graph.add_node(copy("logits"));
  REQUIRE(graph.add_edge(2, 6));
  const RegionDecision decision = decision_of(graph, 1);
  CHECK(decision.reason == RegionReason::edge_leaks);
  CHECK(decision.from == 2);
  CHECK(decision.to == 6);
  CHECK(text_of(graph, decision) == R"(no region begins at "max" (1): "sub" (2) is read by "logits" (6), )"
                                    "where nothing joins it with its other readers");
}

TEST_CASE("region decisions: who is not dominated, and by which path; as an operand it may enter") {
  ComputeGraph graph = diamond();
  REQUIRE(graph.add_edge(0, 3));
  const RegionDecision decision = decision_of(graph, 1);
  CHECK(decision.reason == RegionReason::not_dominated);
  CHECK(decision.member == 4);
  CHECK(region_decision_path(graph.dag(), decision) == std::vector<uint32_t>{0, 3});
  CHECK(text_of(graph, decision) == R"(no region begins at "max" (1): "div" (4), where its branches meet, )"
                                    R"(is reached without it, by "in" (0) -> "abs" (3))");
  CHECK(decision_of(graph, 1, Entry::operands).verdict == Verdict::fused);
}

TEST_CASE("region decisions: no fan-out in a chain that ends, and in one that ends at a copy") {
  ComputeGraph graph;
  for (const char* name : {"relu", "add"}) graph.add_node(launch(name));
  graph.add_node(copy("out"));
  REQUIRE(graph.add_edge(0, 1));
  CHECK(decision_of(graph, 0).reason == RegionReason::no_fan_out);
  CHECK(decision_of(graph, 0).from == 1);
  CHECK(decision_of(graph, 0).to == kNoNode);
  CHECK(text_of(graph, decision_of(graph, 0)) ==
        R"(no region begins at "relu" (0): from it to "add" (1) no launch has two readers)");
  REQUIRE(graph.add_edge(1, 2));
  CHECK(decision_of(graph, 0).reason == RegionReason::no_fan_out);
  CHECK(decision_of(graph, 1).to == 2);
  graph.node(2).kind = NodeKind::kernel_launch;  // a launch could have joined, were it fusible
  CHECK(decision_of(graph, 0).reason == RegionReason::member_not_fusible);
  CHECK(decision_of(graph, 0).member == 2);
}

TEST_CASE("region decisions: what an earlier region took") {
  // 0 -> {1, 2} -> 3; 4 -> 3 and 4 -> 5 -> 3: values of 4 enter as operands only
  ComputeGraph graph;
  for (const char* name : {"max", "sub", "abs", "div", "scale", "shift"}) graph.add_node(launch(name));
  REQUIRE(graph.add_edges({{0, 1}, {0, 2}, {1, 3}, {2, 3}, {4, 3}, {4, 5}, {5, 3}}));
  const RegionDecision decision = decision_of(graph, 4, Entry::operands);
  CHECK(decision.reason == RegionReason::already_claimed);
  CHECK(decision.member == 3);
  CHECK(text_of(graph, decision) == R"(no region begins at "scale" (4): its branches meet in "div" (3), )"
                                    "which belongs to another region");
}
