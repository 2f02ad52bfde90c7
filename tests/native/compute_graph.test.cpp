// Launch graphs: edges that are refused, edges inferred from buffers, sources, sinks, the critical path.
// It must not know texts.
#include "launch/compute_graph.h"

#include <algorithm>
#include <limits>
#include <random>

#include "analysis/topological_order.h"
#include "catch.h"
#include "region_cases.h"

using namespace fuseboard;
using namespace fuseboard_test;

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

TEST_CASE("compute graph: the edge that closes a cycle is named, and the path leads back to it") {
  ComputeGraph graph = nodes(5);
  REQUIRE(graph.add_edge(4, 0));
  size_t closing = 99;
  const Result<bool> refused = graph.add_edges({{0, 1}, {1, 2}, {3, 1}, {2, 4}, {0, 1}, {2, 3}}, &closing);
  REQUIRE_FALSE(refused);
  CHECK(row(graph, 1).empty());  // as before
  CHECK(row(graph, 0) == std::vector<uint32_t>{4});
  const bool by_four =
      closing == 3 && refused.diagnostics[0].message.find("4 -> 0 -> 1 -> 2 -> 4") != std::string::npos;
  const bool by_three =
      closing == 5 && refused.diagnostics[0].message.find("3 -> 1 -> 2 -> 3") != std::string::npos;
  CHECK((by_four || by_three));
  CHECK_FALSE(graph.add_edges({{1, 2}, {7, 2}}, &closing));
  CHECK(closing == 1);
  CHECK_FALSE(graph.add_edges({{1, 2}, {2, 3}, {3, 3}}, &closing));
  CHECK(closing == 2);
  CHECK(graph.add_edges({{0, 1}, {1, 2}, {3, 1}, {0, 1}}));
  CHECK(row(graph, 1) == std::vector<uint32_t>{0, 3});
}

TEST_CASE("compute graph: what single nodes have wrong is told by validate") {
  ComputeGraph graph = nodes(2);
  CHECK(graph.validate().empty());
  graph.node(0).config = KernelConfig{{UINT32_MAX, UINT32_MAX, 2}, {1, 1, 1}, 0};
  graph.node(1).kind = NodeKind::conditional;
  graph.node(1).branches = {{0}, {2}};
  const std::vector<Diagnostic> found = graph.validate();
  REQUIRE(found.size() == 2);
  CHECK(found[0].code == Code::overflow);
  CHECK(found[0].place.path == "/nodes/0");
  CHECK(found[1].code == Code::unknown_node);
  CHECK(found[1].place.path == "/nodes/1");
}

TEST_CASE(
    "compute graph: an inferred edge that contradicts a given one is left out, and told with its buffer") {
  ComputeGraph graph;
  graph.add_node(node({}, {7}));
  graph.add_node(node({7}, {8}));
  graph.add_node(node({8}, {}));
  REQUIRE(graph.add_edge(1, 0));  // against the order of ids: 1 -> 0
  const std::vector<Diagnostic> told = graph.infer_edges();
  REQUIRE(told.size() == 1);
  CHECK(told[0].severity == Severity::warning);
  CHECK(told[0].code == Code::cycle);
  CHECK(told[0].message.find("buffer 7") != std::string::npos);
  CHECK(row(graph, 0) == std::vector<uint32_t>{1});
  CHECK(row(graph, 1).empty());
  CHECK(row(graph, 2) == std::vector<uint32_t>{1});
}

TEST_CASE("compute graph: a given edge that goes backwards costs no inferred edge that agrees with it") {
  ComputeGraph graph;
  graph.add_node(node({}, {7}));  // 0 runs after 3
  graph.add_node(node({7}, {}));  // and 1 after 0
  graph.add_node(node({}, {}));
  graph.add_node(node({}, {}));
  REQUIRE(graph.add_edge(3, 0));
  CHECK(graph.infer_edges().empty());
  CHECK(row(graph, 1) == std::vector<uint32_t>{0});
}

TEST_CASE("compute graph: inferring never closes a cycle, and drops only edges that lie on one") {
  std::mt19937 random(3);
  size_t dropped = 0;
  for (int i = 0; i < 500; ++i) {
    INFO("case " << i);
    const uint32_t n = 2 + random() % 12;
    ComputeGraph graph;
    for (uint32_t id = 0; id < n; ++id) {
      const uint64_t read = random() % 4, written = random() % 4;
      graph.add_node(node({read}, {written}));
    }
    for (uint32_t k = random() % 4; k > 0; --k) (void)graph.add_edge(random() % n, random() % n);
    ComputeGraph without_given;
    for (const ComputeNode& each : graph.nodes()) without_given.add_node(each);
    without_given.infer_edges();
    const Dag all = without_given.dag();
    const size_t wanted = all.predecessors.values.size();
    const size_t given = graph.dag().predecessors.values.size();
    const size_t told = graph.infer_edges().size();
    dropped += told;
    const Dag dag = graph.dag();
    REQUIRE(find_cycle(dag).empty());
    REQUIRE(dag.predecessors.values.size() <= wanted + given);
    if (given == 0) REQUIRE(told == 0);
    std::vector<std::vector<uint32_t>> together(n);  // all that was given or inferred alone
    for (uint32_t to = 0; to < n; ++to) {
      together[to].assign(all.predecessors[to].begin(), all.predecessors[to].end());
      together[to].insert(together[to].end(), dag.predecessors[to].begin(), dag.predecessors[to].end());
    }
    const Dag both = dag_of(together);
    for (uint32_t to = 0; to < n; ++to) {
      const std::vector<uint8_t> behind = reached(both.successors, {to}, n);
      for (const uint32_t from : all.predecessors[to]) {
        const auto have = dag.predecessors[to];
        if (std::find(have.begin(), have.end(), from) != have.end()) continue;
        REQUIRE(told > 0);
        REQUIRE(behind[from] != 0);
      }
    }
  }
  CHECK(dropped > 50);
}

TEST_CASE("compute graph: a million nodes with one edge backwards infer theirs at once") {
  constexpr uint32_t kNodes = 1'000'000;
  ComputeGraph graph;
  for (uint32_t id = 0; id < kNodes; ++id) graph.add_node(node({id}, {id + 1}));
  REQUIRE(graph.add_edge(kNodes - 1, 0));
  CHECK(graph.infer_edges().size() >= 1);
  CHECK(graph.critical_path().cost > 1);
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
