// Names to indices: which node an edge means, and which graph stands where.
// It must not know launch graphs: child graphs still stand where they are named.
#include "formats/cuda_graph_parser.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "analysis/topological_order.h"
#include "base/in_quotes.h"
#include "formats/cuda_graph_label.h"
#include "formats/dot_graph.h"

namespace fuseboard {
namespace {

using Span = ReadKernelGraph::Span;

constexpr size_t kFaultsKept = 1000;
constexpr uint32_t kNone = CudaGraphDump::kNone;

Span span_of(const DotToken& token) { return {token.offset, token.length}; }

class DumpResolver {
 public:
  explicit DumpResolver(const DotGraph& dot) : dot_(dot) {}

  Result<CudaGraphDump> run() {
    name_graphs();
    for (const DotGraph::Node& each : dot_.nodes) read_node(each);
    if (dot_.nodes.empty()) {
      error(Code::empty_graph, span_of(dot_.clusters[0].name), "the dump has no node",
            "dump a graph that was captured");
    } else if (!has_known_) {
      found_.clear();  // that each label by itself is unknown says less
      error(Code::unknown_format, span_of(dot_.nodes[0].label),
            "this digraph is no dump of a CUDA graph: none of its labels says what a node does",
            "paste what cudaGraphDebugDotPrint or torch.cuda.CUDAGraph.debug_dump wrote");
      return give_up();
    }
    for (const Reference& each : references_) resolve(each);
    for (const DotGraph::Edge& each : dot_.edges) read_edge(each);
    for (CudaGraphDump::Graph& each : out_.graphs) find_circle(each);
    if (has_errors(found_)) return give_up();
    return {std::move(out_), std::move(found_)};
  }

 private:
  struct NodeId {
    uint32_t graph;
    uint32_t node;
  };
  struct Reference {
    NodeId from;
    std::string name;
    bool is_body;
    Span place;
  };

  Result<CudaGraphDump> give_up() { return {std::nullopt, std::move(found_)}; }

  void fault(Severity severity, Code code, Span at, std::string message, std::string hint) {
    if (found_.size() >= kFaultsKept && severity != Severity::error) return;
    if (found_.size() >= 2 * kFaultsKept) return;
    found_.push_back({severity, code, std::move(message), {at.offset, at.length, ""}, std::move(hint)});
  }
  void error(Code code, Span at, std::string message, std::string hint) {
    fault(Severity::error, code, at, std::move(message), std::move(hint));
  }

  /// A cluster is called by its label; one without, as the driver calls it by its number.
  void name_graphs() {
    for (const DotGraph::Cluster& each : dot_.clusters) {
      const auto index = static_cast<uint32_t>(out_.graphs.size());
      const bool has_label = each.label.kind != DotToken::Kind::end;
      out_.graphs.push_back({has_label ? std::string(each.label.text) : name_by_number(each.name), {}, {}});
      if (index == 0) continue;  // the digraph itself stands for no graph
      const bool is_new = by_name_.emplace(out_.graphs.back().name, index).second;
      if (is_new) continue;
      error(Code::duplicate_name, span_of(has_label ? each.label : each.name),
            "two graphs are called " + in_quotes(out_.graphs.back().name), "give each a label of its own");
    }
  }

  static std::string name_by_number(const DotToken& cluster) {
    constexpr std::string_view kPrefix = "cluster_";
    const bool has_number = cluster.text.starts_with(kPrefix);
    return has_number ? "graph_" + std::string(cluster.text.substr(kPrefix.size()))
                      : std::string(cluster.text);
  }

  void read_node(const DotGraph::Node& each) {
    CudaGraphDump::Graph& graph = out_.graphs[each.cluster];
    const NodeId id{each.cluster, static_cast<uint32_t>(graph.nodes.size())};
    if (!ids_.emplace(each.name.text, id).second) {
      return error(Code::duplicate_name, span_of(each.name),
                   "two nodes are called " + in_quotes(each.name.text), "give each a name of its own");
    }
    CudaGraphLabel label = read_cuda_graph_label(each.label.text, each.shape.text);
    const uint32_t inside =
        each.label.offset + static_cast<uint32_t>(each.label.kind == DotToken::Kind::word ? 0 : 1);
    if (label.fault) {
      has_known_ = true;
      const Span at{inside + label.fault->offset, label.fault->length};
      error(label.fault->code, at, label.fault->message + " (" + in_quotes(each.name.text) + ")",
            label.fault->hint);
    }
    add_references(id, each, label);
    graph.nodes.push_back(
        {std::move(label.node), {each.name.offset, each.end - each.name.offset}, kNone, {}});
  }

  void add_references(NodeId id, const DotGraph::Node& each, const CudaGraphLabel& label) {
    const Span at = span_of(each.label);
    for (const std::string& body : label.bodies) references_.push_back({id, body, true, at});
    if (label.node.kind == NodeKind::conditional && label.bodies.empty()) {
      fault(Severity::warning, Code::bad_attribute, at, "the conditional names no graph that it runs",
            "dump the graph with all debug flags (cudaGraphDebugDotFlagsVerbose)");
    }
    const bool is_child =
        !label.is_known && (by_name_.contains(label.payload) || is_cuda_graph_name(label.payload));
    if (is_child) references_.push_back({id, label.payload, false, at});
    has_known_ = has_known_ || label.is_known || is_child;
    if (label.is_known || is_child) return;
    fault(Severity::warning, Code::unknown_kind, at,
          in_quotes(label.payload) + " is no kind of node known here: it is read as a barrier",
          "a barrier orders what is around it and joins no kernel");
  }

  void resolve(const Reference& reference) {
    const auto found = by_name_.find(reference.name);
    CudaGraphDump::Node& node = out_.graphs[reference.from.graph].nodes[reference.from.node];
    if (found == by_name_.end()) {
      return error(Code::unknown_node, reference.place,
                   "the node stands for " + in_quotes(reference.name) + ", which the dump does not have",
                   "paste the whole dump");
    }
    out_.graphs[found->second].is_named = true;
    if (reference.is_body)
      node.bodies.push_back(found->second);
    else
      node.child = found->second;
  }

  const NodeId* node_named(const DotToken& name) {
    const auto found = ids_.find(name.text);
    if (found != ids_.end()) return &found->second;
    error(Code::unknown_node, span_of(name), in_quotes(name.text) + " is no node that the dump describes",
          "an edge joins two nodes that have a label");
    return nullptr;
  }

  void read_edge(const DotGraph::Edge& each) {
    const NodeId* from = node_named(each.from);
    const NodeId* to = node_named(each.to);
    if (from == nullptr || to == nullptr) return;
    const Span at{each.from.offset, each.to.offset + each.to.length - each.from.offset};
    if (from->graph != to->graph) {
      const bool is_inside = out_.graphs[from->graph].is_named || out_.graphs[to->graph].is_named;
      return fault(is_inside ? Severity::warning : Severity::error, Code::unsupported, at,
                   std::string("the edge joins nodes of two graphs") +
                       (is_inside ? ": where one stands in the other orders them, and it is left out" : ""),
                   "an edge joins two nodes of one graph");
    }
    if (from->node == to->node) {
      return error(Code::self_reference, at, in_quotes(each.from.text) + " waits for itself",
                   "drop the edge");
    }
    out_.graphs[from->graph].edges.push_back({from->node, to->node, at});
  }

  /// Children in children cannot close a circle that no graph closes by itself: each is looked at once.
  void find_circle(const CudaGraphDump::Graph& graph) {
    const bool is_forward = std::all_of(graph.edges.begin(), graph.edges.end(),
                                        [](const CudaGraphDump::Edge& each) { return each.from < each.to; });
    if (is_forward) return;
    const auto size = static_cast<uint32_t>(graph.nodes.size());
    std::vector<std::vector<uint32_t>> lists(size);
    for (const CudaGraphDump::Edge& each : graph.edges) lists[each.to].push_back(each.from);
    Rows rows;
    std::vector<uint32_t> seen(size, kNone);
    for (uint32_t v = 0; v < size; ++v) {
      for (const uint32_t p : lists[v]) {
        if (std::exchange(seen[p], v) != v) rows.values.push_back(p);
      }
      rows.start.push_back(static_cast<uint32_t>(rows.values.size()));
    }
    const std::vector<uint32_t> cycle = find_cycle(make_dag(std::move(rows)));
    if (cycle.empty()) return;
    const auto closing =
        std::find_if(graph.edges.begin(), graph.edges.end(), [&](const CudaGraphDump::Edge& each) {
          return each.from == cycle.back() && each.to == cycle.front();
        });
    error(Code::cycle, closing->place,
          std::to_string(cycle.size()) + " nodes of " + in_quotes(graph.name) +
              " wait for each other in a circle, which this edge closes",
          "drop one edge of the circle");
  }

  const DotGraph& dot_;
  CudaGraphDump out_;
  std::unordered_map<std::string, uint32_t> by_name_;
  std::unordered_map<std::string_view, NodeId> ids_;
  std::vector<Reference> references_;
  bool has_known_ = false;
  std::vector<Diagnostic> found_;
};

}  // namespace

Result<CudaGraphDump> parse_cuda_graph_dump(std::string_view text) {
  const Result<DotGraph> dot = parse_dot(text);
  if (!dot) return {std::nullopt, dot.diagnostics};
  return DumpResolver(*dot.value).run();
}

}  // namespace fuseboard
