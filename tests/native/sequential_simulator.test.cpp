// Launch graphs run node after node: counts, branches, faults; lowered plans executed; what fusion keeps.
// It must not know how kernels are written.
#include "verify/sequential_simulator.h"

#include <limits>

#include "catch.h"
#include "graph/storage.h"
#include "graph_builder.h"
#include "launch/chain_fusion.h"
#include "launch/lower.h"
#include "plan/fusion_planner.h"
#include "random_kernel_graph.h"
#include "typed_random_graph.h"
#include "verify/launch_programs.h"

using namespace fuseboard;
using namespace fuseboard_test;

namespace {

Simulation simulated(const ComputeGraph& graph, SimulatorOptions options = {}) {
  SequentialSimulator simulator(graph, std::move(options));
  while (!simulator.advance(100000)) {
  }
  return simulator.result();
}

ComputeNode moving(NodeKind kind, std::optional<uint64_t> bytes, std::vector<uint64_t> inputs,
                   std::vector<uint64_t> outputs) {
  ComputeNode node;
  node.kind = kind;
  node.bytes = bytes;
  node.inputs = std::move(inputs);
  node.outputs = std::move(outputs);
  return node;
}

ComputeNode launch(std::vector<uint64_t> inputs, std::vector<uint64_t> outputs) {
  ComputeNode node = moving(NodeKind::kernel_launch, {}, std::move(inputs), std::move(outputs));
  node.function_name = "k";
  node.config = KernelConfig{{1, 1, 1}, {32, 1, 1}, 0};
  return node;
}

std::vector<uint32_t> order_of(const Simulation& simulation) {
  std::vector<uint32_t> out;
  for (const SimulatedNode& each : simulation.nodes) out.push_back(each.node);
  return out;
}

/// out[i] = in[i] + 1 for 32 words.
constexpr const char* kAddOne = R"(.version 8.1
.target sm_90
.address_size 64
.visible .entry add_one(.param .u64 in, .param .u64 out)
{
  .reg .b64 %rd<4>;
  .reg .b32 %r<3>;
  ld.param.u64 %rd0, [in];
  ld.param.u64 %rd1, [out];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %rd2, %r0, 4;
  add.s64 %rd0, %rd0, %rd2;
  add.s64 %rd1, %rd1, %rd2;
  ld.global.u32 %r1, [%rd0];
  add.u32 %r1, %r1, 1;
  st.global.u32 [%rd1], %r1;
  ret;
}
)";

LaunchProgram add_one(uint32_t node, uint64_t from, uint64_t to) {
  return {node, kAddOne, "add_one", {{from}, {to}}};
}

/// The buffers that a graph's copies bring out, after a run of the plan.
struct Outcome {
  Simulation simulation;
  std::vector<std::pair<uint64_t, std::vector<uint8_t>>> results;
};

Outcome executed(const FusionGraph& graph, const FusionPlan& plan) {
  const std::vector<Kernel> kernels = lower(graph, plan, {Math::precise});
  const LaunchedPlan launched = to_compute_graph(graph, plan, kernels, {true});
  const TensorValues values(graph, 11);
  EmitOptions emit_options;
  emit_options.math = Math::precise;
  SimulatorOptions options;
  options.programs = launch_programs(graph, kernels, launched, emit_options, 3);
  options.fill = buffer_fill(graph, values);
  SequentialSimulator simulator(launched.graph, std::move(options));
  while (!simulator.advance(100000)) {
  }
  Outcome out{simulator.result(), {}};
  for (const ComputeNode& node : launched.graph.nodes()) {
    if (node.direction == CopyDirection::device_to_host)
      out.results.emplace_back(node.inputs[0], simulator.read(node.inputs[0]));
  }
  return out;
}

}  // namespace

TEST_CASE("simulator: launches, bytes copied and set are counted in the order of the edges") {
  ComputeGraph graph;
  graph.add_node(moving(NodeKind::memcpy, 100, {}, {1}));
  graph.add_node(launch({1, 2}, {3}));
  graph.add_node(moving(NodeKind::memset, 40, {}, {2}));
  graph.add_node(moving(NodeKind::memcpy, {}, {3}, {}));
  graph.add_node(moving(NodeKind::barrier, {}, {}, {}));
  REQUIRE(graph.add_edges({{0, 1}, {2, 1}, {1, 3}, {3, 4}}));
  const Simulation simulation = simulated(graph);
  CHECK(simulation.is_sound());
  CHECK(order_of(simulation) == std::vector<uint32_t>{0, 2, 1, 3, 4});
  CHECK(simulation.kernels_launched == 1);
  CHECK(simulation.bytes_copied == 100);
  CHECK(simulation.bytes_set == 40);
  CHECK(simulation.unknown_sizes == 1);
  CHECK_FALSE(simulation.nodes[0].is_executed);
  CHECK(simulated(ComputeGraph()).is_sound());
}

TEST_CASE("simulator: only the branch taken runs, and nothing below a conditional that is not reached") {
  ComputeGraph graph;
  for (int i = 0; i < 6; ++i) graph.add_node(launch({}, {}));
  ComputeNode inner;
  inner.kind = NodeKind::conditional;
  inner.branches = {{4}, {5}};
  graph.add_node(inner);  // 6
  ComputeNode outer;
  outer.kind = NodeKind::conditional;
  outer.branches = {{0, 1}, {1, 2, 6}};
  graph.add_node(outer);  // 7
  CHECK(order_of(simulated(graph)) == std::vector<uint32_t>{0, 1, 3, 7});
  SimulatorOptions options;
  options.taken = {0, 0, 0, 0, 0, 0, 1, 1};
  CHECK(order_of(simulated(graph, options)) == std::vector<uint32_t>{1, 2, 3, 5, 6, 7});
  options.taken = {0, 0, 0, 0, 0, 0, 0, 9};
  CHECK(simulated(graph, options).kernels_launched == 1);
}

TEST_CASE("simulator: totals that leave 64 bits are an error, of threads and of bytes") {
  ComputeGraph graph;
  ComputeNode huge = launch({}, {});
  huge.config = KernelConfig{{UINT32_MAX, UINT32_MAX, 2}, {1, 1, 1}, 0};
  graph.add_node(huge);
  const Simulation threads = simulated(graph);
  REQUIRE(threads.diagnostics.size() == 1);
  CHECK(threads.diagnostics[0].code == Code::overflow);
  CHECK_FALSE(threads.is_finished);
  ComputeGraph copies;
  for (int i = 0; i < 2; ++i) copies.add_node(moving(NodeKind::memcpy, uint64_t{1} << 63, {}, {}));
  CHECK(simulated(copies).diagnostics[0].code == Code::overflow);
}

TEST_CASE("simulator: with PTX at hand launches are executed, on what copies, fills and launches left") {
  ComputeGraph graph;
  graph.add_node(moving(NodeKind::memset, 128, {}, {1}));
  graph.add_node(launch({1}, {2}));
  graph.add_node(moving(NodeKind::memcpy, 128, {2}, {3}));
  graph.add_node(launch({3}, {4}));
  for (const uint64_t id : {1, 2, 3, 4}) graph.add_buffer({id, "", 128});
  graph.infer_edges();
  SimulatorOptions options;
  options.programs = {add_one(1, 1, 2), add_one(3, 3, 4)};
  SequentialSimulator simulator(graph, options);
  size_t turns = 0;
  while (!simulator.advance(5)) ++turns;
  CHECK(turns > 2);
  CHECK(simulator.result().is_sound());
  CHECK(simulator.result().nodes[1].is_executed);
  CHECK(simulator.holds_values(4));
  CHECK(simulator.read(4)[0] == 2);
  CHECK(simulator.read(4)[124] == 2);
  CHECK(simulator.read(9).empty());
}

TEST_CASE("simulator: a launch that runs before its data is there faults, as does a copy") {
  ComputeGraph graph;
  graph.add_node(launch({}, {2}));  // reads buffer 1, and does not say so
  graph.add_node(moving(NodeKind::memset, 128, {}, {1}));
  for (const uint64_t id : {1, 2}) graph.add_buffer({id, "", 128});
  SimulatorOptions options;
  options.programs = {add_one(0, 1, 2)};
  const Simulation early = simulated(graph, options);
  CHECK(early.fault.find("k (0), line ") == 0);
  CHECK(early.fault.find("nothing was written") != std::string::npos);
  CHECK_FALSE(early.is_sound());

  options.programs = {add_one(0, 1, 7)};
  CHECK(simulated(graph, options).diagnostics[0].code == Code::bad_option);
  options.programs[0].entry = "other";
  CHECK(simulated(graph, options).diagnostics[0].code == Code::bad_option);
  options.programs[0].ptx = "no module";
  CHECK(has_errors(simulated(graph, options).diagnostics));

  ComputeGraph copy;
  copy.add_node(moving(NodeKind::memset, 64, {}, {1}));
  copy.add_node(moving(NodeKind::memcpy, 128, {1}, {}));
  copy.add_node(launch({}, {1}));
  copy.add_buffer({1, "", 128});
  REQUIRE(copy.add_edges({{0, 1}, {1, 2}}));
  options.programs = {add_one(2, 1, 1)};
  CHECK(simulated(copy, options).fault.find("never written") != std::string::npos);
}

TEST_CASE("simulator: buffers too large together are counted, not executed; endless launches end") {
  ComputeGraph graph;
  graph.add_node(launch({1}, {2}));
  graph.add_buffer({1, "", uint64_t{1} << 40});
  graph.add_buffer({2, "", 128});
  SimulatorOptions options;
  options.programs = {add_one(0, 1, 2)};
  const Simulation large = simulated(graph, options);
  CHECK(large.is_sound());
  CHECK(large.kernels_launched == 1);
  CHECK_FALSE(large.note.empty());
  ComputeGraph small;
  small.add_node(launch({1}, {2}));
  for (const uint64_t id : {1, 2}) small.add_buffer({id, "", 128});
  options.most_steps = 3;
  CHECK(simulated(small, options).fault.find("more than 3 warp instructions") != std::string::npos);
}

TEST_CASE("simulator: fused graphs, by regions and chains, keep bytes copied and set and add no launch") {
  uint64_t saved = 0;
  for (uint32_t seed = 0; seed < 600; ++seed) {
    INFO("seed " << seed);
    const ComputeGraph graph = random_kernel_graph(seed);
    SimulatorOptions options;
    options.taken.assign(graph.size(), seed % 2);
    const Simulation before = simulated(graph, options);
    REQUIRE(before.is_sound());
    for (const Entry entry : {Entry::dominated, Entry::operands}) {
      const ReductionFusionPlan regions = *analyse(graph, entry).value;
      const ChainFusionPlan chains = fuse_chains(graph, regions);
      for (const ComputeGraph& fused : {rewrite(graph, regions), rewrite(graph, regions, chains)}) {
        const Simulation after = simulated(fused, options);
        REQUIRE(after.is_sound());
        REQUIRE(after.bytes_copied == before.bytes_copied);
        REQUIRE(after.bytes_set == before.bytes_set);
        REQUIRE(after.unknown_sizes == before.unknown_sizes);
        REQUIRE(after.kernels_launched <= before.kernels_launched);
        saved += before.kernels_launched - after.kernels_launched;
      }
    }
  }
  CHECK(saved > 1000);
}

TEST_CASE("simulator: a plan executed whole gives what its ops one kernel each give, with fewer launches") {
  size_t compared = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    const FusionGraph graph = TypedGraphMaker(seed, Math::precise, 64).make();
    if (has_errors(graph.validate())) continue;
    const Outcome fused = executed(graph, FusionPlanner().plan(graph));
    const Outcome alone = executed(graph, FusionPlanner::plan_unfused(graph));
    INFO(fused.simulation.fault << alone.simulation.fault);
    REQUIRE(fused.simulation.is_sound());
    REQUIRE(alone.simulation.is_sound());
    REQUIRE(fused.simulation.kernels_launched <= alone.simulation.kernels_launched);
    REQUIRE(fused.results.size() == alone.results.size());
    bool has_narrow = false;  // rounded in memory when unfused, kept as f32 when fused
    for (const FusionOp& op : graph.ops())
      has_narrow = has_narrow || op.dtype == DType::f16 || op.dtype == DType::bf16;
    if (has_narrow) continue;
    REQUIRE(fused.results == alone.results);
    compared += fused.results.size();
  }
  CHECK(compared > 10);
}
