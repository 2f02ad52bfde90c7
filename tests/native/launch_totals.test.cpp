// Totals of a launch graph: sums of what is known, and how much is not.
// It must not know the text that a graph came from.
#include "launch/launch_totals.h"

#include "catch.h"

namespace {

using namespace fuseboard;

ComputeNode node_of(NodeKind kind, std::optional<uint64_t> bytes = std::nullopt) {
  ComputeNode node;
  node.kind = kind;
  node.bytes = bytes;
  return node;
}

ComputeNode launch(uint32_t grid, uint32_t block) {
  ComputeNode node;
  node.config = KernelConfig{{grid, grid, grid}, {block, 1, 1}, 0};
  return node;
}

}  // namespace

TEST_CASE("launches, copies and fills are summed apart; nodes that say nothing are counted") {
  ComputeGraph graph;
  graph.add_node(launch(2, 32));
  graph.add_node(node_of(NodeKind::kernel_launch));
  graph.add_node(node_of(NodeKind::memcpy, 100));
  graph.add_node(node_of(NodeKind::memcpy));
  graph.add_node(node_of(NodeKind::memcpy, 11));
  graph.add_node(node_of(NodeKind::memset, 7));
  graph.add_node(node_of(NodeKind::barrier));
  const LaunchTotals totals = launch_totals(graph);
  CHECK(totals.launches == 2);
  CHECK(totals.threads.sum == 8 * 32);
  CHECK(totals.threads.unknown == 1);
  CHECK(totals.copies == 3);
  CHECK(totals.bytes_copied.sum == 111);
  CHECK(totals.bytes_copied.unknown == 1);
  CHECK(totals.fills == 1);
  CHECK(totals.bytes_set.sum == 7);
  CHECK(totals.bytes_set.unknown == 0);
}

TEST_CASE("a sum past 64 bits is none") {
  ComputeGraph graph;
  graph.add_node(node_of(NodeKind::memset, UINT64_MAX));
  graph.add_node(node_of(NodeKind::memset, 1));
  graph.add_node(node_of(NodeKind::memset, 1));
  CHECK_FALSE(launch_totals(graph).bytes_set.sum.has_value());
}
