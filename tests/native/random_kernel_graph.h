// Random kernel graphs: launches of a few geometries, copies, fills, barriers and a conditional, edges
// forward or shuffled, planted diamonds. It must not know passes.
#pragma once

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "launch/compute_graph.h"

namespace fuseboard_test {

inline fuseboard::ComputeGraph random_kernel_graph(uint32_t seed) {
  using namespace fuseboard;
  std::mt19937 random(seed);
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  const uint32_t n = 4 + below(24);
  std::vector<uint32_t> place(n);  // of the i-th in topological order
  std::iota(place.begin(), place.end(), 0U);
  if (below(3) == 0) std::shuffle(place.begin(), place.end(), random);
  const uint32_t odd = 5 * below(5);
  ComputeGraph graph;
  for (uint32_t id = 0; id < n; ++id) {
    ComputeNode node;
    if (below(100) < odd) {
      constexpr NodeKind kKinds[] = {NodeKind::memcpy,  NodeKind::memcpy,       NodeKind::memset,
                                     NodeKind::barrier, NodeKind::event_record, NodeKind::host_callback};
      node.kind = kKinds[below(6)];
      if (node.kind == NodeKind::memcpy || node.kind == NodeKind::memset) node.bytes = below(1000);
      if (node.kind == NodeKind::memcpy) node.direction = static_cast<CopyDirection>(below(5));
    } else {
      node.function_name = "k" + std::to_string(id);
      node.fusible = below(100) >= odd;
      node.config = KernelConfig{{below(100) < odd ? 8U : 4U, 1, 1}, {256, 1, 1}, below(3) * 128};
    }
    node.outputs = {id};
    graph.add_node(std::move(node));
  }
  std::vector<ComputeGraph::Edge> edges;
  for (uint32_t i = 1; i < n; ++i) {
    if (i + 3 < n && below(6) == 0) {  // a diamond
      edges.insert(edges.end(), {{i - 1, i}, {i, i + 1}, {i, i + 2}, {i + 1, i + 3}, {i + 2, i + 3}});
      i += 3;
      continue;
    }
    for (uint32_t k = below(5) == 0 ? 2 : 1; k > 0; --k) edges.push_back({i - 1 - below(std::min(i, 3U)), i});
  }
  for (ComputeGraph::Edge& each : edges) each = {place[each.from], place[each.to]};
  (void)graph.add_edges(edges);
  const Dag dag = graph.dag();
  for (uint32_t id = 0; id < n; ++id) {
    for (const uint32_t from : dag.predecessors[id]) graph.node(id).inputs.push_back(from);
  }
  if (below(4) == 0) {
    ComputeNode choice;
    choice.kind = NodeKind::conditional;
    choice.branches.resize(2);
    for (uint32_t id = 0; id < n; ++id) {
      if (below(3) == 0) choice.branches[below(2)].push_back(id);
    }
    graph.add_node(std::move(choice));
  }
  return graph;
}

}  // namespace fuseboard_test
