// A graph of what a GPU stream is given: kernel launches, copies, fills, events, and their order (spec 2).
// It must not know op graphs, PTX, nor the text that it came from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/dag.h"
#include "base/diagnostic.h"
#include "base/result.h"
#include "launch/kernel_config.h"

namespace fuseboard {

enum class NodeKind : uint8_t {
  kernel_launch,
  memcpy,
  memset,
  event_record,
  event_wait,
  host_callback,
  barrier,
  conditional,
};

/// "kernel_launch"; and back, nothing for another word.
std::string_view node_kind_text(NodeKind kind);
std::optional<NodeKind> node_kind_from_text(std::string_view text);

enum class CopyDirection : uint8_t {
  unknown,
  host_to_device,
  device_to_host,
  device_to_device,
  host_to_host
};

/// "host_to_device" ...; "" for unknown.
std::string_view copy_direction_text(CopyDirection direction);
std::optional<CopyDirection> copy_direction_from_text(std::string_view text);

/// One node. The id is its index in the graph. Fields that its kind does not have keep their defaults.
struct ComputeNode {
  NodeKind kind = NodeKind::kernel_launch;
  std::string name;  ///< for people; may be empty

  // kernel_launch
  std::string function_name;
  std::optional<KernelConfig> config;  ///< nothing: unknown, as its thread total is
  bool fusible = false;
  bool fusible_is_guess = false;  ///< told by the function's name (launch/fusible_guess.h), not by the text

  // memcpy, memset
  CopyDirection direction = CopyDirection::unknown;
  std::optional<uint64_t> bytes;  ///< nothing: unknown

  // conditional, and no other kind
  std::vector<std::vector<uint32_t>> branches;  ///< nodes of each; they run where the branch is taken

  std::vector<uint64_t> inputs;   ///< buffers read, as numbered by who made the graph
  std::vector<uint64_t> outputs;  ///< buffers written
  uint64_t cost_hint = 1;
  std::string tag;  ///< of a fused node: its pattern and members

  /// Total threads of a launch; nothing where it has no config or they leave 64 bits.
  std::optional<uint64_t> threads() const { return config ? total_threads(*config) : std::nullopt; }
  /// A kernel launch that may join others (spec 2, region condition 1).
  bool is_fusible() const { return kind == NodeKind::kernel_launch && fusible; }
};

/// What a buffer is called, and its size where known.
struct ComputeBuffer {
  uint64_t id = 0;
  std::string name;
  std::optional<uint64_t> bytes;
};

class ComputeGraph {
 public:
  uint32_t add_node(ComputeNode node);
  void add_buffer(ComputeBuffer buffer) { buffers_.push_back(std::move(buffer)); }

  /// `to` runs after `from`. Refused, and the graph is as before, where an end is no node (unknown-node) or
  /// the edge would close a cycle (cycle; the message has the path). A repeat changes nothing. O(nodes +
  /// edges) in the worst case, O(in-degree of `to`) where from < to and no edge has gone backwards so far.
  Result<bool> add_edge(uint32_t from, uint32_t to);

  struct Edge {
    uint32_t from = 0;
    uint32_t to = 0;
  };
  /// All of them, or none: faults as of add_edge, found by one pass. Then `closing`, where it is given, is
  /// the index of the edge that names no node, or that closes the cycle: the last listed of its edges.
  /// O(edges), and O(nodes + all edges) where some edge goes backwards.
  Result<bool> add_edges(const std::vector<Edge>& edges, size_t* closing = nullptr);

  /// Edges from every buffer's last writer to its readers and its next writer, and from its readers to its
  /// next writer, in the order of ids. An edge that contradicts those given, or others inferred, is left out,
  /// and a warning (cycle) names it and its buffer, at most 100 of them.
  /// O(nodes + accesses + edges), times log nodes where some edge given goes backwards.
  std::vector<Diagnostic> infer_edges();

  /// What single nodes have wrong, in their order: threads that leave 64 bits (overflow), a branch that names
  /// no node (unknown-node). O(nodes + branch entries).
  std::vector<Diagnostic> validate() const;

  uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }
  const ComputeNode& node(uint32_t id) const { return nodes_[id]; }
  ComputeNode& node(uint32_t id) { return nodes_[id]; }
  const std::vector<ComputeNode>& nodes() const { return nodes_; }
  const std::vector<ComputeBuffer>& buffers() const { return buffers_; }

  /// Distinct edges; predecessors of each node in the order they were added. O(n + m).
  Dag dag() const;
  std::vector<uint32_t> sources() const;  ///< without predecessors, ascending
  std::vector<uint32_t> sinks() const;    ///< without successors, ascending

  /// The path of the greatest sum of cost_hint (of equal ones that through the smaller ids), and the sum.
  struct Path {
    std::vector<uint32_t> nodes;
    uint64_t cost = 0;
  };
  Path critical_path() const;

 private:
  void add_all(const std::vector<Edge>& edges);
  std::vector<ComputeNode> nodes_;
  std::vector<ComputeBuffer> buffers_;
  std::vector<std::vector<uint32_t>> predecessors_;
  bool only_forward_ = true;
};

}  // namespace fuseboard
