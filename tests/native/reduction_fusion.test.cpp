// The pass on launch graphs: patterns, the fused launch, the rewritten graph.
// It must not know texts.
#include "launch/reduction_fusion.h"

#include "catch.h"

using namespace fuseboard;

namespace {

ComputeNode launch(std::string name, std::vector<uint64_t> inputs, std::vector<uint64_t> outputs) {
  ComputeNode node;
  node.function_name = std::move(name);
  node.config = KernelConfig{{4, 1, 1}, {256, 1, 1}, 0};
  node.fusible = true;
  node.inputs = std::move(inputs);
  node.outputs = std::move(outputs);
  return node;
}

/// A copy in, max -> sub -> exp -> sum -> div, a copy out.
ComputeGraph softmax() {
  ComputeGraph graph;
  ComputeNode copy;
  copy.kind = NodeKind::memcpy;
  copy.outputs = {0};
  graph.add_node(copy);
  graph.add_node(launch("row_max", {0}, {1}));
  graph.add_node(launch("Sub", {0, 1}, {2}));
  graph.add_node(launch("EXP", {2}, {3}));
  graph.add_node(launch("row_sum", {3}, {4}));
  graph.add_node(launch("div", {3, 4}, {5}));
  copy.inputs = {5};
  copy.outputs = {};
  graph.add_node(copy);
  graph.infer_edges();
  return graph;
}

}  // namespace

TEST_CASE("patterns: words of function names, whatever their case; softmax before layernorm") {
  const auto of = [](std::vector<std::string> names) { return reduction_pattern(names); };
  CHECK(of({"MySoftMax_kernel"}) == ReductionPattern::Softmax);
  CHECK(of({"exp", "row_sum"}) == ReductionPattern::Softmax);
  CHECK(of({"expf", "normalize"}) == ReductionPattern::Softmax);
  CHECK(of({"exp", "add"}) == ReductionPattern::Generic);
  CHECK(of({"layerNorm_fwd"}) == ReductionPattern::LayerNorm);
  CHECK(of({"mean", "variance"}) == ReductionPattern::LayerNorm);
  CHECK(of({"avg_pool", "rms"}) == ReductionPattern::LayerNorm);
  CHECK(of({"mean", "add"}) == ReductionPattern::Generic);
  CHECK(of({"layernorm", "softmax"}) == ReductionPattern::Softmax);
  CHECK(of({}) == ReductionPattern::Generic);
}

TEST_CASE("reduction fusion: a softmax whose diamond is closed is one launch with its buffers") {
  const ComputeGraph graph = softmax();
  const Result<ReductionFusionPlan> plan = analyse(graph);
  REQUIRE(plan);
  REQUIRE(plan.value->groups.size() == 1);
  CHECK(plan.value->groups[0].members == std::vector<uint32_t>{2, 3, 4, 5});  // max: the copy feeds sub too
  const Result<ReductionFusionPlan> open = analyse(graph, Entry::operands);
  REQUIRE(open.value->groups.size() == 1);
  const ReductionFusionGroup& group = open.value->groups[0];
  CHECK(group.members == std::vector<uint32_t>{1, 2, 3, 4, 5});
  CHECK(group.pattern == ReductionPattern::Softmax);
  CHECK(plan.value->launches_saved == 3);
  CHECK(open.value->launches_saved == 4);

  const ComputeGraph rewritten = rewrite(graph, *open.value);
  REQUIRE(rewritten.size() == 3);
  const ComputeNode& fused = rewritten.node(1);
  CHECK(fused.function_name == "fused_Softmax_row_max_Sub_EXP_row_sum_div");
  CHECK(fused.tag == "Softmax: row_max, Sub, EXP, row_sum, div");
  CHECK(fused.inputs == std::vector<uint64_t>{0});
  CHECK(fused.outputs == std::vector<uint64_t>{5});
  CHECK(fused.cost_hint == 5);
  CHECK(fused.threads() == 1024);
  CHECK(rewritten_ids(graph, *open.value) == std::vector<uint32_t>{0, 1, 1, 1, 1, 1, 2});
  CHECK(graph.size() == 7);  // as it was
}

TEST_CASE("reduction fusion: copies are kept, and no launch is added") {
  const ComputeGraph graph = softmax();
  const ComputeGraph rewritten = rewrite(graph, *analyse(graph).value);
  const auto count = [](const ComputeGraph& of, NodeKind kind) {
    size_t found = 0;
    for (const ComputeNode& each : of.nodes()) found += each.kind == kind ? 1 : 0;
    return found;
  };
  CHECK(count(rewritten, NodeKind::memcpy) == count(graph, NodeKind::memcpy));
  CHECK(count(rewritten, NodeKind::kernel_launch) == 2);
}

TEST_CASE("reduction fusion: a launch of unknown or other threads stays outside") {
  ComputeGraph graph = softmax();
  graph.node(4).config.reset();
  CHECK(analyse(graph).value->groups.empty());
  graph.node(4).config = KernelConfig{{8, 1, 1}, {256, 1, 1}, 0};
  CHECK(analyse(graph).value->groups.empty());
  graph.node(4).config = KernelConfig{{2, 2, 1}, {16, 16, 1}, 0};  // as many
  CHECK(analyse(graph).value->groups.size() == 1);
}

TEST_CASE("reduction fusion: an empty graph is an error") {
  CHECK(analyse(ComputeGraph()).diagnostics[0].code == Code::empty_graph);
}

TEST_CASE("reduction fusion: a conditional's branch names the fused launch once") {
  ComputeGraph graph = softmax();
  ComputeNode choice;
  choice.kind = NodeKind::conditional;
  choice.branches = {{3, 6, 4, 2, 5}, {1}};
  graph.add_node(choice);
  const ComputeGraph rewritten = rewrite(graph, *analyse(graph).value);
  CHECK(rewritten.node(4).branches == std::vector<std::vector<uint32_t>>{{2, 3}, {1}});
}

TEST_CASE("reduction fusion: what runs in a branch never joins what runs outside it, or in another") {
  ComputeGraph graph = softmax();
  ComputeNode choice;
  choice.kind = NodeKind::conditional;
  choice.branches = {{4, 5, 6}, {1}};
  const uint32_t id = graph.add_node(choice);
  const Result<ReductionFusionPlan> plan = analyse(graph, Entry::operands);
  CHECK(plan.value->groups.empty());
  REQUIRE_FALSE(plan.value->decisions.empty());
  CHECK(plan.value->decisions[0].root == 1);
  CHECK(plan.value->decisions[0].reason == RegionReason::branches_differ);
  CHECK(plan.value->decisions[0].member == 2);
  graph.node(id).branches = {{2, 3}, {4, 5}};
  CHECK(analyse(graph).value->groups.empty());
  graph.node(id).branches = {{2, 3, 3}, {4, 5}, {2, 3, 4, 5}};  // 2 and 3 in two branches, so are 4 and 5
  CHECK(analyse(graph).value->groups.empty());
  graph.node(id).branches = {{5, 4, 3, 2}, {2, 3, 4, 5}};
  CHECK(analyse(graph).value->groups.size() == 1);
}
