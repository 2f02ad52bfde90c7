// Launch graphs as DOT: boxes, clusters, branches, escapes.
// It must not know layouts.
#include "report/compute_graph_dot.h"

#include "catch.h"

using namespace fuseboard;

namespace {

ComputeGraph sample() {
  ComputeGraph graph;
  ComputeNode copy;
  copy.kind = NodeKind::memcpy;
  copy.direction = CopyDirection::host_to_device;
  copy.bytes = 64;
  graph.add_node(copy);
  ComputeNode launch;
  launch.function_name = "relu";
  launch.fusible = true;
  launch.fusible_is_guess = true;
  launch.config = KernelConfig{{4, 2, 1}, {32, 1, 1}, 0};
  graph.add_node(launch);
  launch.function_name = "gemm";
  launch.fusible = launch.fusible_is_guess = false;
  launch.config.reset();
  graph.add_node(launch);
  REQUIRE(graph.add_edges({{0, 1}, {1, 2}}));
  return graph;
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("launch graph drawing: names, geometry, bytes; what does not fuse is filled, a guess marked") {
  CHECK(compute_graph_dot(sample()) ==
        "digraph fuseboard {\n"
        "  rankdir=TB;\n"
        "  node [shape=box, fontname=\"monospace\"];\n"
        "  n0 [label=\"0\\nmemcpy host_to_device 64 B\", style=filled, fillcolor=\"#e8e8e8\"];\n"
        "  n1 [label=\"1 relu\\n4x2x1 blocks of 32x1x1 = 256 threads\", xlabel=\"fusible? a guess\"];\n"
        "  n2 [label=\"2 gemm\\nunknown threads\", style=filled, fillcolor=\"#e8e8e8\"];\n"
        "  n0 -> n1;\n"
        "  n1 -> n2;\n"
        "}\n");
  CHECK(compute_graph_dot(ComputeGraph()) ==
        "digraph fuseboard {\n  rankdir=TB;\n  node [shape=box, fontname=\"monospace\"];\n}\n");
}

TEST_CASE("launch graph drawing: groups are clusters, edges that leave them dashed") {
  const std::vector<uint32_t> members = {1, 2};
  const std::vector<LaunchGroup> groups = {{members, "Soft\"max"}};
  const std::string text = compute_graph_dot(sample(), groups);
  CHECK(holds(text, "  subgraph cluster_0 {\n    label=\"Soft\\\"max: 2 launches as one\";\n    n1 [label="));
  CHECK(holds(text, "  n0 -> n1 [style=dashed];\n"));
  CHECK(holds(text, "  n1 -> n2;\n"));
}

TEST_CASE("launch graph drawing: every kind has a box, branches are dotted, nothing escapes its quotes") {
  ComputeGraph graph = sample();
  for (const NodeKind kind : {NodeKind::memset, NodeKind::event_record, NodeKind::event_wait,
                              NodeKind::host_callback, NodeKind::barrier, NodeKind::conditional}) {
    ComputeNode node;
    node.kind = kind;
    node.name = "a\"];\\\n\x7fz";
    if (kind == NodeKind::conditional) node.branches = {{0}, {1, 2}};
    graph.add_node(node);
  }
  const std::string text = compute_graph_dot(graph);
  CHECK(holds(text, "n3 [label=\"3 a\\\"];\\\\  z\\nmemset unknown bytes\""));
  for (const char* kind : {"event_record", "event_wait", "host_callback", "barrier", "conditional"})
    CHECK(holds(text, "  z\\n" + std::string(kind) + "\""));
  CHECK(holds(text, "  n8 -> n0 [style=dotted, label=\"branch 0\"];\n"));
  CHECK(holds(text, "  n8 -> n2 [style=dotted, label=\"branch 1\"];\n"));
  graph.node(0).direction = CopyDirection::unknown;
  CHECK(holds(compute_graph_dot(graph), "\"0\\nmemcpy 64 B\""));
  graph.node(1).config = KernelConfig{{UINT32_MAX, UINT32_MAX, 2}, {1, 1, 1}, 0};
  CHECK(holds(compute_graph_dot(graph), "= 2^64 or more threads"));
}
