// A plan as a launch graph: geometry, buffers, copies, edges; fused and unfused.
// It must not know PTX.
#include "launch/to_compute_graph.h"

#include <algorithm>
#include <set>

#include "catch.h"
#include "graph_builder.h"
#include "launch/lower.h"
#include "launch/memory_use.h"
#include "plan/fusion_planner.h"
#include "typed_random_graph.h"

using namespace fuseboard;
using namespace fuseboard_test;

namespace {

struct Launched {
  FusionPlan plan;
  std::vector<Kernel> kernels;
  LaunchedPlan launched;
};

Launched launched(const FusionGraph& graph, bool fused, bool copies) {
  REQUIRE_FALSE(has_errors(graph.validate()));
  Launched out;
  out.plan = fused ? FusionPlanner().plan(graph) : FusionPlanner::plan_unfused(graph);
  out.kernels = lower(graph, out.plan);
  out.launched = to_compute_graph(graph, out.plan, out.kernels, {copies});
  return out;
}

uint64_t buffer_bytes(const ComputeGraph& graph, const std::vector<uint64_t>& buffers) {
  uint64_t sum = 0;
  for (const uint64_t buffer : buffers) {
    for (const ComputeBuffer& each : graph.buffers()) sum += each.id == buffer ? each.bytes.value_or(0) : 0;
  }
  return sum;
}

using Ids = std::vector<uint64_t>;

/// x -> relu a -> b = a + w -> c = b * x, listed output a
FusionGraph chain() {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {1024, 4});
  const uint32_t w = b.add("w", OpKind::input, {}, {4});
  const uint32_t a = b.add("a", OpKind::relu, {x}, {1024, 4});
  const uint32_t sum = b.add("b", OpKind::add, {a, w}, {1024, 4});
  b.add("c", OpKind::mul, {sum, x}, {1024, 4});
  return std::move(b.graph);
}

}  // namespace

TEST_CASE("lowered plan: one launch with its geometry, the buffers behind its parameters, copies around it") {
  const FusionGraph graph = chain();
  const Launched fused = launched(graph, true, true);
  const ComputeGraph& nodes = fused.launched.graph;
  REQUIRE(nodes.size() == 4);
  CHECK(nodes.node(0).kind == NodeKind::memcpy);
  CHECK(nodes.node(0).direction == CopyDirection::host_to_device);
  CHECK(nodes.node(0).name == "x");
  CHECK(nodes.node(0).bytes == 16384);
  CHECK(nodes.node(1).bytes == 16);
  const ComputeNode& kernel = nodes.node(2);
  CHECK(kernel.kind == NodeKind::kernel_launch);
  CHECK(kernel.function_name == "fused_a_b_c_2");
  REQUIRE(kernel.config);
  CHECK(kernel.config->grid == fused.kernels[2].config.grid);
  CHECK(kernel.config->block == fused.kernels[2].config.block);
  CHECK(kernel.fusible);
  CHECK(kernel.inputs == Ids{0, 1});
  CHECK(kernel.outputs == Ids{4});
  CHECK(kernel.cost_hint == 2 * 16384 + 16);
  CHECK(nodes.node(3).direction == CopyDirection::device_to_host);
  CHECK(nodes.node(3).inputs == Ids{4});
  CHECK(fused.launched.kernel_of == std::vector<uint32_t>{kNoOp, kNoOp, 2, kNoOp});
  CHECK(nodes.sources() == std::vector<uint32_t>{0, 1});
  CHECK(nodes.sinks() == std::vector<uint32_t>{3});
  REQUIRE(nodes.buffers().size() == 3);
  CHECK(nodes.buffers()[2].name == "c");

  const Launched alone = launched(graph, false, false);
  REQUIRE(alone.launched.graph.size() == 3);
  CHECK(alone.launched.graph.node(2).inputs == Ids{0, 3});
  CHECK(alone.launched.graph.critical_path().nodes == std::vector<uint32_t>{0, 1, 2});
}

TEST_CASE(
    "lowered plan: a library call has no known geometry and joins none; results are parts of their call") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {8, 8});
  const uint32_t call = b.add("call", OpKind::call, {x}, {8, 8});
  const uint32_t part = b.add("part", OpKind::result, {call}, {8});
  const uint32_t nested = b.add("nested", OpKind::result, {part}, {4});
  b.add("y", OpKind::relu, {nested}, {4});
  const Launched fused = launched(b.graph, true, true);
  const ComputeGraph& nodes = fused.launched.graph;
  REQUIRE(nodes.size() == 4);
  CHECK_FALSE(nodes.node(1).config);
  CHECK_FALSE(nodes.node(1).fusible);
  CHECK(nodes.node(1).function_name == "call");
  CHECK(nodes.node(1).outputs == Ids{call, part, nested});
  CHECK(nodes.node(2).inputs == Ids{nested});
  CHECK(nodes.dag().predecessors[2].size() == 1);
}

TEST_CASE("lowered plan: a source of a computing kind reads data of its own, not what it writes") {
  GraphBuilder b;
  const uint32_t r = b.add("r", OpKind::relu, {}, {64});
  const Launched fused = launched(b.graph, true, true);
  const ComputeGraph& nodes = fused.launched.graph;
  REQUIRE(nodes.size() == 3);
  CHECK(nodes.node(0).name == "r.data");
  CHECK(nodes.node(1).inputs == Ids{resident_buffer(b.graph, r)});
  CHECK(nodes.node(1).outputs == Ids{r});
}

TEST_CASE(
    "lowered plan: on random graphs every buffer is resident or written earlier, bytes are the plan's") {
  size_t launches = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    const FusionGraph graph = TypedGraphMaker(seed, Math::fast).make();
    if (has_errors(graph.validate())) continue;
    for (const bool fused : {true, false}) {
      const Launched run = launched(graph, fused, true);
      const ComputeGraph& nodes = run.launched.graph;
      REQUIRE(run.launched.kernel_of.size() == nodes.size());
      std::set<uint64_t> there;
      for (uint32_t id = 0; id < nodes.size(); ++id) {
        const ComputeNode& node = nodes.node(id);
        for (const uint64_t buffer : node.inputs) REQUIRE(there.count(buffer) == 1);
        for (const uint64_t buffer : node.outputs) REQUIRE(there.insert(buffer).second);
        if (run.launched.kernel_of[id] == kNoOp) continue;
        const FusionGroup& group = run.plan.groups[run.launched.kernel_of[id]];
        REQUIRE(buffer_bytes(nodes, node.outputs) == group.bytes_written);
        ++launches;
      }
      const std::vector<uint32_t> order = stream_order(nodes);
      REQUIRE(order.size() == nodes.size());
      REQUIRE(std::is_sorted(order.begin(), order.end()));
    }
  }
  CHECK(launches > 1000);
}
