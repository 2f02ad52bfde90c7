// Keeping a launch graph acyclic, and asking it who waits for whom.
// It must not know op graphs, PTX, nor the text that it came from.
#include "launch/compute_graph.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "analysis/topological_order.h"
#include "base/checked.h"

namespace fuseboard {
namespace {

constexpr std::array<std::string_view, 8> kKinds = {"kernel_launch", "memcpy",     "memset",
                                                    "event_record",  "event_wait", "host_callback",
                                                    "barrier",       "conditional"};
constexpr std::array<std::string_view, 5> kDirections = {"", "host_to_device", "device_to_host",
                                                         "device_to_device", "host_to_host"};

Diagnostic fault(Code code, std::string message, std::string hint) {
  return {Severity::error, code, std::move(message), {}, std::move(hint)};
}

/// "3 -> 5 -> 3", of at most 64 nodes.
std::string path_text(const std::vector<uint32_t>& path) {
  constexpr size_t kMost = 64;
  std::string text;
  for (size_t i = 0; i < std::min(path.size(), kMost); ++i) text += std::to_string(path[i]) + " -> ";
  if (path.size() > kMost) text += "... (" + std::to_string(path.size()) + " nodes) -> ";
  return text + std::to_string(path.front());
}

Diagnostic cycle_fault(const std::vector<uint32_t>& path) {
  return fault(Code::cycle, "the nodes wait for each other in a circle: " + path_text(path),
               "drop one of these edges");
}

/// The edge of the cycle that stands last in the list, each counted where it stands first.
size_t last_listed(const std::vector<ComputeGraph::Edge>& edges, const std::vector<uint32_t>& cycle) {
  std::unordered_map<uint32_t, uint32_t> next;  // on the cycle; its edges that are in the list leave here
  for (size_t i = 0; i < cycle.size(); ++i) next[cycle[i]] = cycle[(i + 1) % cycle.size()];
  size_t last = 0;
  for (size_t i = 0; i < edges.size(); ++i) {
    const auto found = next.find(edges[i].from);
    if (found == next.end() || found->second != edges[i].to) continue;
    last = i;
    next.erase(found);
  }
  return last;
}

/// The same cycle from another of its nodes on: the edge that closes it leads back there.
std::vector<uint32_t> begun_at(std::vector<uint32_t> cycle, uint32_t first) {
  std::rotate(cycle.begin(), std::find(cycle.begin(), cycle.end(), first), cycle.end());
  return cycle;
}

Diagnostic unknown_node(uint32_t id, uint32_t size) {
  return fault(Code::unknown_node,
               std::to_string(id) + " is no node: the graph has " + std::to_string(size) + " nodes",
               "name a node by its index, from 0");
}

}  // namespace

std::string_view node_kind_text(NodeKind kind) { return kKinds[static_cast<size_t>(kind)]; }

std::optional<NodeKind> node_kind_from_text(std::string_view text) {
  const auto* const found = std::find(kKinds.begin(), kKinds.end(), text);
  if (found == kKinds.end()) return std::nullopt;
  return static_cast<NodeKind>(found - kKinds.begin());
}

std::string_view copy_direction_text(CopyDirection direction) {
  return kDirections[static_cast<size_t>(direction)];
}

std::optional<CopyDirection> copy_direction_from_text(std::string_view text) {
  const auto* const found = std::find(kDirections.begin() + 1, kDirections.end(), text);
  if (found == kDirections.end()) return std::nullopt;
  return static_cast<CopyDirection>(found - kDirections.begin());
}

uint32_t ComputeGraph::add_node(ComputeNode node) {
  nodes_.push_back(std::move(node));
  predecessors_.emplace_back();
  return size() - 1;
}

Result<bool> ComputeGraph::add_edge(uint32_t from, uint32_t to) {
  if (from >= size() || to >= size()) return {std::nullopt, {unknown_node(std::max(from, to), size())}};
  if (from == to) return {std::nullopt, {cycle_fault({from})}};
  std::vector<uint32_t>& row = predecessors_[to];
  if (std::find(row.begin(), row.end(), from) != row.end()) return {true, {}};
  if (from < to && only_forward_) {
    row.push_back(from);
    return {true, {}};
  }
  // Back from `from`: who reaches it; `next` leads forward again, for the path.
  std::unordered_map<uint32_t, uint32_t> next{{from, from}};
  std::vector<uint32_t> stack{from};
  while (!stack.empty() && !next.contains(to)) {
    const uint32_t v = stack.back();
    stack.pop_back();
    for (const uint32_t p : predecessors_[v]) {
      if (next.emplace(p, v).second) stack.push_back(p);
    }
  }
  if (next.contains(to)) {
    std::vector<uint32_t> path{to};
    while (path.back() != from) path.push_back(next[path.back()]);
    return {std::nullopt, {cycle_fault(path)}};
  }
  only_forward_ = only_forward_ && from < to;
  row.push_back(from);
  return {true, {}};
}

/// Behind what is there; repeats are dropped, so that old edges stay first in their rows.
void ComputeGraph::add_all(const std::vector<Edge>& edges) {
  std::vector<uint8_t> is_touched(size(), 0);
  for (const Edge& each : edges) {
    predecessors_[each.to].push_back(each.from);
    is_touched[each.to] = 1;
  }
  std::vector<uint32_t> seen(size(), UINT32_MAX);
  for (uint32_t v = 0; v < size(); ++v) {
    if (is_touched[v] == 0) continue;
    std::erase_if(predecessors_[v], [&](uint32_t p) { return std::exchange(seen[p], v) == v; });
  }
}

Result<bool> ComputeGraph::add_edges(const std::vector<Edge>& edges, size_t* closing) {
  const auto refuse = [closing](size_t at, Diagnostic why) -> Result<bool> {
    if (closing != nullptr) *closing = at;
    return {std::nullopt, {std::move(why)}};
  };
  bool forward = only_forward_;
  for (size_t i = 0; i < edges.size(); ++i) {
    const Edge& each = edges[i];
    if (each.from >= size() || each.to >= size())
      return refuse(i, unknown_node(std::max(each.from, each.to), size()));
    forward = forward && each.from < each.to;
  }
  for (size_t i = 0; i < edges.size(); ++i) {
    if (edges[i].from == edges[i].to) return refuse(i, cycle_fault({edges[i].from}));
  }
  std::vector<std::pair<uint32_t, size_t>> before;  // how many edges each row had
  if (!forward) {
    for (const Edge& each : edges) before.emplace_back(each.to, predecessors_[each.to].size());
  }
  add_all(edges);
  if (!forward) {
    if (std::vector<uint32_t> cycle = find_cycle(dag()); !cycle.empty()) {
      for (const auto& [row, count] : before) predecessors_[row].resize(count);
      const size_t last = last_listed(edges, cycle);
      return refuse(last, cycle_fault(begun_at(std::move(cycle), edges[last].to)));
    }
  }
  only_forward_ = forward;
  return {true, {}};
}

std::vector<Diagnostic> ComputeGraph::validate() const {
  std::vector<Diagnostic> found;
  for (uint32_t id = 0; id < size(); ++id) {
    const ComputeNode& node = nodes_[id];
    const auto add = [&](Diagnostic why) {
      why.place.path = "/nodes/" + std::to_string(id);
      found.push_back(std::move(why));
    };
    if (node.config && !node.threads())
      add(fault(Code::overflow, "the threads of node " + std::to_string(id) + " leave 64 bits",
                "make grid or block smaller"));
    for (const std::vector<uint32_t>& branch : node.branches) {
      for (const uint32_t each : branch) {
        if (each >= size()) add(unknown_node(each, size()));
      }
    }
  }
  return found;
}

Dag ComputeGraph::dag() const {
  Rows rows;
  for (const std::vector<uint32_t>& each : predecessors_) {
    rows.values.insert(rows.values.end(), each.begin(), each.end());
    rows.start.push_back(static_cast<uint32_t>(rows.values.size()));
  }
  return make_dag(std::move(rows));
}

std::vector<uint32_t> ComputeGraph::sources() const {
  std::vector<uint32_t> found;
  for (uint32_t v = 0; v < size(); ++v) {
    if (predecessors_[v].empty()) found.push_back(v);
  }
  return found;
}

std::vector<uint32_t> ComputeGraph::sinks() const {
  std::vector<uint8_t> feeds(size(), 0);
  for (const std::vector<uint32_t>& row : predecessors_) {
    for (const uint32_t p : row) feeds[p] = 1;
  }
  std::vector<uint32_t> found;
  for (uint32_t v = 0; v < size(); ++v) {
    if (feeds[v] == 0) found.push_back(v);
  }
  return found;
}

ComputeGraph::Path ComputeGraph::critical_path() const {
  const Dag graph = dag();
  std::vector<uint64_t> cost(size(), 0);
  std::vector<uint32_t> from(size(), UINT32_MAX);
  std::optional<uint32_t> last;
  for (const uint32_t v : topological_order(graph)) {
    for (const uint32_t p : graph.predecessors[v]) {
      const bool is_better =
          from[v] == UINT32_MAX || cost[p] > cost[from[v]] || (cost[p] == cost[from[v]] && p < from[v]);
      if (is_better) from[v] = p;
    }
    const uint64_t before = from[v] == UINT32_MAX ? 0 : cost[from[v]];
    cost[v] = checked_add(before, nodes_[v].cost_hint).value_or(UINT64_MAX);
    if (!last || cost[v] > cost[*last] || (cost[v] == cost[*last] && v < *last)) last = v;
  }
  Path path;
  if (!last) return path;
  path.cost = cost[*last];
  for (uint32_t v = *last; v != UINT32_MAX; v = from[v]) path.nodes.push_back(v);
  std::reverse(path.nodes.begin(), path.nodes.end());
  return path;
}

}  // namespace fuseboard
