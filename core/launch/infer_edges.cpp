// Who waits for whom by the buffers that nodes read and write, as far as the edges given allow it.
// It must not know op graphs, PTX, nor the text that a graph came from.
#include <functional>
#include <queue>
#include <unordered_map>

#include "analysis/strong_components.h"
#include "launch/compute_graph.h"

namespace fuseboard {
namespace {

constexpr size_t kMostTold = 100;

struct Inferred {
  std::vector<ComputeGraph::Edge> edges;
  std::vector<uint64_t> buffers;  ///< of each edge
};

Inferred edges_by_buffers(const ComputeGraph& graph) {
  struct Access {
    std::optional<uint32_t> writer;
    std::vector<uint32_t> readers;
  };
  std::unordered_map<uint64_t, Access> last;
  Inferred out;
  const auto order = [&](uint32_t from, uint32_t to, uint64_t buffer) {
    if (from == to) return;
    out.edges.push_back({from, to});
    out.buffers.push_back(buffer);
  };
  for (uint32_t id = 0; id < graph.size(); ++id) {
    for (const uint64_t buffer : graph.node(id).inputs) {
      Access& access = last[buffer];
      if (access.writer) order(*access.writer, id, buffer);
      access.readers.push_back(id);
    }
    for (const uint64_t buffer : graph.node(id).outputs) {
      Access& access = last[buffer];
      if (access.writer) order(*access.writer, id, buffer);
      for (const uint32_t reader : access.readers) order(reader, id, buffer);
      access = {id, {}};
    }
  }
  return out;
}

/// Positions in the topological order that is nearest to the ids: of the nodes that are ready the least.
std::vector<uint32_t> positions_near_ids(const Dag& dag) {
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
  std::vector<uint32_t> waiting(dag.size());
  for (uint32_t v = 0; v < dag.size(); ++v) {
    waiting[v] = static_cast<uint32_t>(dag.predecessors[v].size());
    if (waiting[v] == 0) ready.push(v);
  }
  std::vector<uint32_t> position(dag.size(), 0);
  for (uint32_t at = 0; !ready.empty(); ++at) {
    const uint32_t v = ready.top();
    ready.pop();
    position[v] = at;
    for (const uint32_t w : dag.successors[v]) {
      if (--waiting[w] == 0) ready.push(w);
    }
  }
  return position;
}

Dag with_edges(const ComputeGraph& graph, const std::vector<ComputeGraph::Edge>& edges) {
  const Dag before = graph.dag();
  std::vector<std::vector<uint32_t>> added(graph.size());
  for (const ComputeGraph::Edge& each : edges) added[each.to].push_back(each.from);
  Rows rows;
  for (uint32_t v = 0; v < graph.size(); ++v) {
    rows.values.insert(rows.values.end(), before.predecessors[v].begin(), before.predecessors[v].end());
    rows.values.insert(rows.values.end(), added[v].begin(), added[v].end());
    rows.start.push_back(static_cast<uint32_t>(rows.values.size()));
  }
  return make_dag(std::move(rows));
}

Diagnostic left_out(const ComputeGraph::Edge& edge, uint64_t buffer) {
  Diagnostic out;
  out.severity = Severity::warning;
  out.code = Code::cycle;
  out.message = "by buffer " + std::to_string(buffer) + " node " + std::to_string(edge.to) +
                " waits for node " + std::to_string(edge.from) +
                ", but other edges have it run first: this edge is left out";
  out.hint = "number the nodes in the order in which they run";
  return out;
}

}  // namespace

/// Edges that go forward in an order of those given close no cycle with them. Of the others those stay that
/// lie on no cycle of all together: what is dropped leaves none.
std::vector<Diagnostic> ComputeGraph::infer_edges() {
  const Inferred inferred = edges_by_buffers(*this);
  if (only_forward_) {
    add_all(inferred.edges);  // they go forward, as all that are there: no cycle
    return {};
  }
  const std::vector<uint32_t> position = positions_near_ids(dag());
  const std::vector<uint32_t> component = strong_components(with_edges(*this, inferred.edges));
  std::vector<Edge> kept;
  std::vector<Diagnostic> told;
  for (size_t i = 0; i < inferred.edges.size(); ++i) {
    const Edge& each = inferred.edges[i];
    if (position[each.from] < position[each.to] || component[each.from] != component[each.to]) {
      kept.push_back(each);
    } else if (told.size() < kMostTold) {
      told.push_back(left_out(each, inferred.buffers[i]));
    }
  }
  add_all(kept);
  return told;
}

}  // namespace fuseboard
