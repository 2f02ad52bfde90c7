// Lifetimes of buffers in the order of launch, and the peak.
// It must not know op graphs, but for one that is lowered.
#include "launch/memory_use.h"

#include <limits>
#include <random>

#include "catch.h"
#include "graph_builder.h"
#include "launch/lower.h"
#include "launch/to_compute_graph.h"
#include "plan/fusion_planner.h"
#include "random_kernel_graph.h"

using namespace fuseboard;
using namespace fuseboard_test;

namespace {

ComputeNode touching(std::vector<uint64_t> inputs, std::vector<uint64_t> outputs) {
  ComputeNode node;
  node.inputs = std::move(inputs);
  node.outputs = std::move(outputs);
  return node;
}

/// The live bytes at each position, added up one by one.
uint64_t peak_by_hand(const MemoryUse& use, size_t positions) {
  uint64_t most = 0;
  for (uint32_t at = 0; at < positions; ++at) {
    uint64_t live = 0;
    for (const BufferLifetime& each : use.lifetimes) {
      const bool begun = each.is_resident || each.first <= at;
      if (begun && (each.is_result || at <= each.last)) live += each.bytes.value_or(0);
    }
    most = std::max(most, live);
  }
  return most;
}

uint64_t peak_of(const FusionGraph& graph, const FusionPlan& plan, bool copies) {
  const LaunchedPlan launched = to_compute_graph(graph, plan, lower(graph, plan), {copies});
  return memory_use(launched.graph, stream_order(launched.graph)).peak_bytes;
}

}  // namespace

TEST_CASE("memory use: first and last use, what is there before and what stays") {
  ComputeGraph graph;
  graph.add_node(touching({}, {1}));
  graph.add_node(touching({9}, {2}));
  graph.add_node(touching({1, 2}, {3}));
  graph.add_node(touching({3}, {4}));
  for (const uint64_t id : {1, 2, 3, 4}) graph.add_buffer({id, "", 100 * id});
  graph.infer_edges();
  const MemoryUse use = memory_use(graph, stream_order(graph));
  REQUIRE(use.lifetimes.size() == 5);
  const BufferLifetime& unknown = use.lifetimes[2];
  CHECK(unknown.buffer == 9);
  CHECK(unknown.is_resident);
  CHECK_FALSE(unknown.bytes);
  CHECK(use.unknown_sizes == 1);
  CHECK(use.lifetimes[0].buffer == 1);
  CHECK(use.lifetimes[0].first == 0);
  CHECK(use.lifetimes[0].last == 2);
  CHECK_FALSE(use.lifetimes[0].is_result);
  CHECK(use.lifetimes[4].buffer == 4);
  CHECK(use.lifetimes[4].is_result);
  CHECK(use.peak_bytes == 700);  // 3 and 4
  CHECK(use.peak_at == 3);
}

TEST_CASE("memory use: sizes whose sum leaves 64 bits saturate the peak") {
  ComputeGraph graph;
  graph.add_node(touching({1, 2}, {}));
  graph.add_buffer({1, "", std::numeric_limits<uint64_t>::max()});
  graph.add_buffer({2, "", std::numeric_limits<uint64_t>::max()});
  CHECK(memory_use(graph, stream_order(graph)).peak_bytes == std::numeric_limits<uint64_t>::max());
  CHECK(memory_use(ComputeGraph(), {}).peak_bytes == 0);
}

TEST_CASE("memory use: random kernel graphs agree with a sum at every position, in an order of their edges") {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    ComputeGraph graph = random_kernel_graph(seed);
    for (uint32_t id = 0; id < graph.size(); ++id) graph.add_buffer({id, "", 1 + seed * id % 97});
    const std::vector<uint32_t> order = stream_order(graph);
    std::vector<uint32_t> position(graph.size());
    for (uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
    const Dag dag = graph.dag();
    for (uint32_t id = 0; id < graph.size(); ++id) {
      for (const uint32_t p : dag.predecessors[id]) REQUIRE(position[p] < position[id]);
    }
    const MemoryUse use = memory_use(graph, order);
    REQUIRE(use.peak_bytes == peak_by_hand(use, order.size()));
  }
}

TEST_CASE("memory use: a fused chain keeps no intermediate, unfused two of them are live at once") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {1000});
  uint32_t last = x;
  for (const char* name : {"a", "b", "c", "d"}) last = b.add(name, OpKind::relu, {last}, {1000});
  for (const bool copies : {false, true}) {
    CHECK(peak_of(b.graph, FusionPlanner().plan(b.graph), copies) == 8000);
    CHECK(peak_of(b.graph, FusionPlanner::plan_unfused(b.graph), copies) == 8000);  // x is free after a
  }
  b.add("e", OpKind::add, {last, x}, {1000});
  CHECK(peak_of(b.graph, FusionPlanner().plan(b.graph), false) == 8000);
  CHECK(peak_of(b.graph, FusionPlanner::plan_unfused(b.graph), false) == 12000);
}
