// Launch graphs: edges that are refused, edges inferred from buffers, sources, sinks, the critical path.
// It must not know texts.
#include "launch/compute_graph.h"

#include <limits>

#include "catch.h"

using namespace fuseboard;

namespace {

ComputeNode node(std::vector<uint64_t> inputs = {}, std::vector<uint64_t> outputs = {}, uint64_t cost = 1) {
  ComputeNode out;
  out.inputs = std::move(inputs);
  out.outputs = std::move(outputs);
  out.cost_hint = cost;
  return out;
}

ComputeGraph nodes(uint32_t count) {
  ComputeGraph graph;
  for (uint32_t i = 0; i < count; ++i) graph.add_node(node());
  return graph;
}

std::vector<uint32_t> row(const ComputeGraph& graph, uint32_t id) {
  const Dag dag = graph.dag();
  return {dag.predecessors[id].begin(), dag.predecessors[id].end()};
}

}  // namespace

TEST_CASE("compute graph: an edge that would close a cycle is refused with its path, and nothing changes") {
  ComputeGraph graph = nodes(4);
  CHECK(graph.add_edge(2, 1));
  CHECK(graph.add_edge(1, 3));
  CHECK(graph.add_edge(2, 1));  // a repeat
  const Result<bool> refused = graph.add_edge(3, 2);
  REQUIRE_FALSE(refused);
  REQUIRE(refused.diagnostics.size() == 1);
  CHECK(refused.diagnostics[0].code == Code::cycle);
  CHECK(refused.diagnostics[0].message.find("2 -> 1 -> 3 -> 2") != std::string::npos);
  CHECK(row(graph, 2).empty());
  CHECK(row(graph, 1) == std::vector<uint32_t>{2});
  CHECK(graph.add_edge(0, 0).diagnostics[0].code == Code::cycle);
  CHECK(graph.add_edge(0, 4).diagnostics[0].code == Code::unknown_node);
  CHECK(graph.add_edge(9, 0).diagnostics[0].code == Code::unknown_node);
}

TEST_CASE("compute graph: of many edges all are added, or none") {
  ComputeGraph graph = nodes(4);
  REQUIRE(graph.add_edge(0, 1));
  CHECK(graph.add_edges({{1, 2}, {3, 2}, {2, 0}}).diagnostics[0].code == Code::cycle);
  CHECK(row(graph, 2).empty());
  CHECK(graph.add_edges({{1, 2}, {3, 2}, {1, 2}}));
  CHECK(row(graph, 2) == std::vector<uint32_t>{1, 3});
  CHECK(graph.sources() == std::vector<uint32_t>{0, 3});
  CHECK(graph.sinks() == std::vector<uint32_t>{2});
}

TEST_CASE("compute graph: buffers tell who waits for whom: after a write to read, after reads to write") {
  ComputeGraph graph;
  graph.add_node(node({}, {7}));   // 0 writes
  graph.add_node(node({7}, {8}));  // 1 reads
  graph.add_node(node({7}, {9}));  // 2 reads
  graph.add_node(node({}, {7}));   // 3 writes again: behind the writer and both readers
  graph.add_node(node({7, 8}, {}));
  graph.infer_edges();
  CHECK(row(graph, 0).empty());
  CHECK(row(graph, 1) == std::vector<uint32_t>{0});
  CHECK(row(graph, 2) == std::vector<uint32_t>{0});
  CHECK(row(graph, 3) == std::vector<uint32_t>{0, 1, 2});
  CHECK(row(graph, 4) == std::vector<uint32_t>{3, 1});
}

TEST_CASE("compute graph: the critical path is the dearest one, and its cost saturates") {
  ComputeGraph graph;
  for (const uint64_t cost : {1, 5, 2, 3}) graph.add_node(node({}, {}, cost));
  REQUIRE(graph.add_edges({{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
  CHECK(graph.critical_path().nodes == std::vector<uint32_t>{0, 1, 3});
  CHECK(graph.critical_path().cost == 9);
  graph.node(2).cost_hint = std::numeric_limits<uint64_t>::max() - 2;
  CHECK(graph.critical_path().nodes == std::vector<uint32_t>{0, 2, 3});
  CHECK(graph.critical_path().cost == std::numeric_limits<uint64_t>::max());
  CHECK(ComputeGraph().critical_path().nodes.empty());
}

TEST_CASE("compute graph: a launch's threads are the product of six, nothing where it leaves 64 bits") {
  ComputeNode launch;
  CHECK_FALSE(launch.threads());
  launch.config = KernelConfig{{4, 2, 1}, {16, 16, 1}, 0};
  CHECK(launch.threads() == 2048);
  launch.config = KernelConfig{{0xffffffff, 0xffffffff, 2}, {1, 1, 1}, 0};
  CHECK_FALSE(launch.threads());
  launch.config = KernelConfig{{0xffffffff, 0xffffffff, 2}, {1, 0, 1}, 0};
  CHECK(launch.threads() == 0);
}

TEST_CASE("compute graph: a million nodes in a chain take their edges in any order") {
  constexpr uint32_t kNodes = 1'000'000;
  ComputeGraph graph = nodes(kNodes);
  std::vector<ComputeGraph::Edge> edges;
  for (uint32_t i = kNodes - 1; i > 0; --i) edges.push_back({i, i - 1});
  REQUIRE(graph.add_edges(edges));
  CHECK(graph.critical_path().cost == kNodes);
  CHECK(graph.add_edges({{0, kNodes - 1}}).diagnostics[0].code == Code::cycle);
}
