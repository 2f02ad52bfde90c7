// First how much there will be, from the innermost graphs outwards; then every node and edge, from outside
// in. It must not know the text that a dump was read from.
#include "formats/cuda_graph_expand.h"

#include <algorithm>
#include <string>
#include <utility>

#include "analysis/topological_order.h"
#include "base/in_quotes.h"

namespace fuseboard {
namespace {

using Node = CudaGraphDump::Node;
using Edge = CudaGraphDump::Edge;

constexpr uint32_t kNone = CudaGraphDump::kNone;
/// Far above each limit, and far enough below 2^32 that the product of two does not leave 64 bits.
constexpr uint64_t kTooMany = uint64_t{1} << 31;

uint64_t sum(uint64_t a, uint64_t b) { return std::min(kTooMany, a + b); }
uint64_t product(uint64_t a, uint64_t b) { return std::min(kTooMany, a * b); }

/// What one graph comes to with all that stands inside it, never above kTooMany.
struct Extent {
  uint64_t nodes = 0;
  uint64_t edges = 0;
  uint64_t bytes = 0;
  uint64_t sources = 0;
  uint64_t sinks = 0;
  uint32_t depth = 0;
  std::vector<uint32_t> source_nodes;  ///< of its own nodes
  std::vector<uint32_t> sink_nodes;
  std::vector<uint64_t> offset;  ///< of each of its own nodes, from the first node of an instance
};

class DumpExpander {
 public:
  explicit DumpExpander(const CudaGraphDump& dump) : dump_(dump), extents_(dump.graphs.size()) {}

  Result<ReadKernelGraph> run() {
    if (!measure()) return {std::nullopt, std::move(found_)};
    for (uint32_t graph = 0; graph < dump_.graphs.size(); ++graph) {
      if (!dump_.graphs[graph].is_named) add_root(graph);
    }
    Result<bool> added = out_.graph.add_edges(edges_);
    if (!added) return {std::nullopt, std::move(added.diagnostics)};
    return {std::move(out_), {}};
  }

 private:
  void error(Code code, const Node& at, std::string message, std::string hint) {
    found_.push_back(
        {Severity::error, code, std::move(message), {at.place.offset, at.place.length, ""}, std::move(hint)});
  }

  /// The graphs that a graph names, each once, as its predecessors.
  Dag nesting() const {
    Rows rows;
    std::vector<uint32_t> seen(dump_.graphs.size(), kNone);
    for (uint32_t graph = 0; graph < dump_.graphs.size(); ++graph) {
      const auto add = [&](uint32_t inner) {
        if (std::exchange(seen[inner], graph) != graph) rows.values.push_back(inner);
      };
      for (const Node& each : dump_.graphs[graph].nodes) {
        if (each.child != kNone) add(each.child);
        for (const uint32_t body : each.bodies) add(body);
      }
      rows.start.push_back(static_cast<uint32_t>(rows.values.size()));
    }
    return make_dag(std::move(rows));
  }

  bool measure() {
    const Dag inside = nesting();
    const std::vector<uint32_t> order = topological_order(inside);
    if (order.size() < dump_.graphs.size()) return fault_of_circle(find_cycle(inside));
    Extent all;
    for (const uint32_t graph : order) {
      if (!measure_graph(graph)) return false;
      if (dump_.graphs[graph].is_named || dump_.graphs[graph].nodes.empty()) continue;
      const Extent& extent = extents_[graph];
      all.nodes = sum(all.nodes, extent.nodes);
      all.edges = sum(all.edges, extent.edges);
      all.bytes = sum(all.bytes, extent.bytes);
      if (!fits(all, dump_.graphs[graph].nodes.back())) return false;
    }
    return true;
  }

  bool fault_of_circle(const std::vector<uint32_t>& cycle) {
    const uint32_t inner = cycle.back();
    const CudaGraphDump::Graph& outer = dump_.graphs[cycle.front()];
    const auto names_inner = [&](const Node& each) {
      return each.child == inner ||
             std::find(each.bodies.begin(), each.bodies.end(), inner) != each.bodies.end();
    };
    error(Code::cycle, *std::find_if(outer.nodes.begin(), outer.nodes.end(), names_inner),
          in_quotes(dump_.graphs[inner].name) + " stands inside itself", "a graph cannot hold itself");
    return false;
  }

  bool fits(const Extent& extent, const Node& at) {
    const auto over = [&](uint64_t value, uint64_t most, std::string_view what) {
      if (value <= most) return false;
      error(Code::unsupported, at,
            "with its child graphs in place the dump has more than " + std::to_string(most) + " " +
                std::string(what),
            "dump a smaller graph");
      return true;
    };
    return !over(extent.nodes, kMostDumpNodes, "nodes") && !over(extent.edges, kMostDumpEdges, "edges") &&
           !over(extent.bytes, kMostDumpBytes, "bytes of names and branches") &&
           !over(extent.depth, kMostDumpDepth, "child graphs inside each other");
  }

  uint64_t sources_of(const Node& node) const {
    return node.child == kNone ? 1 : std::max<uint64_t>(1, extents_[node.child].sources);
  }
  uint64_t sinks_of(const Node& node) const {
    return node.child == kNone ? 1 : std::max<uint64_t>(1, extents_[node.child].sinks);
  }
  /// An empty child is a barrier.
  bool is_plain(const Node& node) const { return node.child == kNone || extents_[node.child].nodes == 0; }

  void measure_node(const Node& node, Extent& into) const {
    const auto hold = [&](uint32_t graph) {
      const Extent& inner = extents_[graph];
      into.nodes = sum(into.nodes, inner.nodes);
      into.edges = sum(into.edges, inner.edges);
      into.bytes = sum(into.bytes, inner.bytes);
      into.depth = std::max(into.depth, inner.depth + 1);
    };
    if (node.child != kNone) hold(node.child);
    if (is_plain(node)) {
      into.nodes = sum(into.nodes, 1);
      into.bytes = sum(into.bytes, node.node.name.size() + node.node.function_name.size());
    }
    for (const uint32_t body : node.bodies) hold(body);
    into.bytes = sum(into.bytes, node.bodies.size() * sizeof(std::vector<uint32_t>));
  }

  bool measure_graph(uint32_t index) {
    const CudaGraphDump::Graph& graph = dump_.graphs[index];
    Extent& extent = extents_[index];
    const size_t size = graph.nodes.size();
    std::vector<uint8_t> is_fed(size, 0);
    std::vector<uint8_t> feeds(size, 0);
    for (const Edge& each : graph.edges) is_fed[each.to] = feeds[each.from] = 1;
    for (uint32_t at = 0; at < size; ++at) {
      const Node& node = graph.nodes[at];
      extent.offset.push_back(extent.nodes);
      measure_node(node, extent);
      if (!fits(extent, node)) return false;
      if (is_fed[at] == 0) {
        extent.source_nodes.push_back(at);
        extent.sources = sum(extent.sources, sources_of(node));
      }
      if (feeds[at] == 0) {
        extent.sink_nodes.push_back(at);
        extent.sinks = sum(extent.sinks, sinks_of(node));
      }
    }
    for (const Edge& each : graph.edges) {
      const Node& to = graph.nodes[each.to];
      extent.edges = sum(extent.edges, product(sinks_of(graph.nodes[each.from]), sources_of(to)));
      if (!fits(extent, to)) return false;
    }
    return true;
  }

  /// A graph whose nodes are being added.
  struct Instance {
    uint32_t graph;
    uint32_t next;    ///< of its own nodes
    uint32_t owner;   ///< the conditional in whose branch it stands, or kNone
    uint32_t branch;  ///< of that
  };

  void add_root(uint32_t root) {
    std::vector<Instance> open{{root, 0, kNone, 0}};
    while (!open.empty()) {
      Instance& instance = open.back();
      const CudaGraphDump::Graph& graph = dump_.graphs[instance.graph];
      if (instance.next == 0) add_edges(instance.graph, out_.graph.size());
      if (instance.next == graph.nodes.size()) {
        open.pop_back();
        continue;
      }
      const Node& node = graph.nodes[instance.next++];
      const Instance here = instance;
      if (!is_plain(node)) {
        open.push_back({node.child, 0, here.owner, here.branch});
        continue;
      }
      const uint32_t id = add_node(node, here);
      for (size_t body = node.bodies.size(); body-- > 0;)
        open.push_back({node.bodies[body], 0, id, static_cast<uint32_t>(body)});
    }
  }

  uint32_t add_node(const Node& node, const Instance& instance) {
    const uint32_t id = out_.graph.add_node(node.node);
    out_.graph.node(id).branches.resize(node.bodies.size());
    out_.places.push_back(node.place);
    if (instance.owner != kNone) out_.graph.node(instance.owner).branches[instance.branch].push_back(id);
    return id;
  }

  /// The edges of one instance's own nodes; those of graphs inside come with them.
  void add_edges(uint32_t index, uint32_t base) {
    const CudaGraphDump::Graph& graph = dump_.graphs[index];
    for (const Edge& each : graph.edges) {
      find_ends(index, each.from, base, &Extent::sink_nodes, froms_);
      find_ends(index, each.to, base, &Extent::source_nodes, tos_);
      for (const uint32_t from : froms_) {
        for (const uint32_t to : tos_) edges_.push_back({from, to});
      }
    }
  }

  /// The nodes of the result that a node's edges come from, or go to.
  void find_ends(uint32_t index, uint32_t node, uint32_t base, std::vector<uint32_t> Extent::*ends,
                 std::vector<uint32_t>& found) {
    found.clear();
    steps_.push_back({index, node, base});
    while (!steps_.empty()) {
      const Step step = steps_.back();
      steps_.pop_back();
      const Node& at = dump_.graphs[step.graph].nodes[step.node];
      const uint32_t first = step.base + static_cast<uint32_t>(extents_[step.graph].offset[step.node]);
      if (is_plain(at)) {
        found.push_back(first);
        continue;
      }
      const std::vector<uint32_t>& inner = extents_[at.child].*ends;
      for (size_t i = inner.size(); i-- > 0;) steps_.push_back({at.child, inner[i], first});
    }
  }

  /// A node of an instance that begins at `base`.
  struct Step {
    uint32_t graph;
    uint32_t node;
    uint32_t base;
  };

  const CudaGraphDump& dump_;
  std::vector<Step> steps_;
  std::vector<Extent> extents_;
  ReadKernelGraph out_;
  std::vector<ComputeGraph::Edge> edges_;
  std::vector<uint32_t> froms_;
  std::vector<uint32_t> tos_;
  std::vector<Diagnostic> found_;
};

}  // namespace

Result<ReadKernelGraph> expand_cuda_graph_dump(const CudaGraphDump& dump) { return DumpExpander(dump).run(); }

}  // namespace fuseboard
