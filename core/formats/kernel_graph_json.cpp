// Walking the tape of a kernel graph: nodes first, then what names nodes.
// It must not know other formats or passes.
#include "formats/kernel_graph_json.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "base/in_quotes.h"

namespace fuseboard {
namespace {

using Type = JsonTape::Type;

constexpr size_t kFaultsKept = 1000;
constexpr uint64_t kMostU32 = std::numeric_limits<uint32_t>::max();
constexpr std::string_view kForm =
    R"(write {"nodes": [{"kind": "kernel_launch", ...}, ...], "edges": [[0, 1]]})";

constexpr std::array<std::string_view, 3> kGraphFields = {"nodes", "edges", "name"};
constexpr std::array<std::string_view, 13> kNodeFields = {
    "kind",  "name",   "function_name", "grid",      "block",     "shared_mem_bytes", "fusible",
    "bytes", "inputs", "outputs",       "cost_hint", "direction", "branches"};

bool is_blank(char byte) { return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n'; }

class KernelGraphReader {
 public:
  KernelGraphReader(const JsonTape& tape, uint32_t node) : tape_(tape), node_(node) {}

  Result<ReadKernelGraph> run() {
    if (!tape_.is(node_, Type::object)) {
      error(Code::syntax, node_, "", "a kernel graph is an object", std::string(kForm));
      return give_up();
    }
    const std::optional<uint32_t> nodes = list("nodes");
    const std::optional<uint32_t> edges = list("edges");
    if (!nodes || !edges) return give_up();
    note_unknown(node_, "", kGraphFields, "a kernel graph");
    for (uint32_t at = *nodes + 1; at < tape_[*nodes].end; at = tape_[at].end) read_node(at);
    if (out_.graph.size() == 0) {
      error(Code::empty_graph, *nodes, "/nodes", "the graph has no node",
            "give it at least one kernel_launch");
    }
    read_branches();
    read_edges(*edges);
    if (has_errors(found_)) return give_up();
    size_t closing = 0;
    Result<bool> added = out_.graph.add_edges(edges_, &closing);
    for (Diagnostic& each : added.diagnostics) {
      each.place = tape_.place(edge_nodes_[closing], "/edges/" + std::to_string(closing));
      found_.push_back(std::move(each));
    }
    if (!added) return give_up();
    return {std::move(out_), std::move(found_)};
  }

 private:
  Result<ReadKernelGraph> give_up() { return {std::nullopt, std::move(found_)}; }

  void fault(Severity severity, Code code, uint32_t node, std::string path, std::string message,
             std::string hint) {
    if (found_.size() >= kFaultsKept && severity == Severity::warning) return;
    if (found_.size() >= 2 * kFaultsKept) return;
    found_.push_back(
        {severity, code, std::move(message), tape_.place(node, std::move(path)), std::move(hint)});
  }

  void error(Code code, uint32_t node, std::string path, std::string message, std::string hint) {
    fault(Severity::error, code, node, std::move(path), std::move(message), std::move(hint));
  }

  std::optional<uint32_t> list(std::string_view key) {
    const std::optional<uint32_t> found = tape_.find(node_, key);
    if (found && tape_.is(*found, Type::array)) return found;
    error(Code::syntax, found.value_or(node_), "/" + std::string(key),
          "a kernel graph has a list \"" + std::string(key) + "\"", std::string(kForm));
    return std::nullopt;
  }

  void note_unknown(uint32_t object, const std::string& path, std::span<const std::string_view> known,
                    std::string_view what) {
    for (uint32_t at = object + 1; at < tape_[object].end; at = tape_[at + 1].end) {
      const std::string key = tape_.string(at);
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      fault(Severity::warning, Code::bad_attribute, at, path,
            std::string(what) + " has no field " + in_quotes(key) + ": it is ignored", "");
    }
  }

  std::string path_of(std::string_view key) const {
    return "/nodes/" + std::to_string(out_.graph.size()) + (key.empty() ? "" : "/" + std::string(key));
  }

  void bad_field(uint32_t value, std::string_view key, std::string_view wanted) {
    error(Code::bad_attribute, value, path_of(key), "\"" + std::string(key) + "\" is " + std::string(wanted),
          "");
  }

  void read_node(uint32_t at) {
    ComputeNode node;
    branch_nodes_.push_back(kNone);
    if (tape_.is(at, Type::object)) {
      read_kind(at, node);
      read_fields(at, node);
    } else {
      error(Code::syntax, at, path_of(""), "a node is an object", R"(write {"kind": "kernel_launch", ...})");
    }
    out_.places.push_back({tape_[at].offset, tape_[at].length});
    out_.graph.add_node(std::move(node));
  }

  void read_kind(uint32_t object, ComputeNode& node) {
    const std::optional<uint32_t> value = tape_.find(object, "kind");
    if (!value || !tape_.is(*value, Type::string)) {
      error(Code::syntax, value.value_or(object), path_of("kind"), "a node has a \"kind\", which is a word",
            "write \"kind\": \"kernel_launch\"");
      return;
    }
    const std::string word = tape_.string(*value);
    if (const std::optional<NodeKind> kind = node_kind_from_text(word)) {
      node.kind = *kind;
      return;
    }
    error(
        Code::unknown_kind, *value, path_of("kind"), in_quotes(word) + " is no kind of node",
        "use kernel_launch, memcpy, memset, event_record, event_wait, host_callback, barrier or conditional");
  }

  void read_fields(uint32_t object, ComputeNode& node) {
    note_unknown(object, path_of(""), kNodeFields, "a node");
    read_text(object, "name", node.name);
    read_text(object, "function_name", node.function_name);
    read_config(object, node);
    if (const auto value = tape_.find(object, "fusible")) {
      const std::optional<bool> fusible = tape_.as_bool(*value);
      if (!fusible) bad_field(*value, "fusible", "true or false");
      node.fusible = fusible.value_or(false);
    }
    node.bytes = read_count(object, "bytes", std::numeric_limits<uint64_t>::max());
    node.cost_hint = read_count(object, "cost_hint", std::numeric_limits<uint64_t>::max()).value_or(1);
    read_buffers(object, "inputs", node.inputs);
    read_buffers(object, "outputs", node.outputs);
    if (const auto value = tape_.find(object, "direction")) {
      const auto direction =
          copy_direction_from_text(tape_.is(*value, Type::string) ? tape_.string(*value) : "");
      if (!direction) {
        bad_field(*value, "direction", "host_to_device, device_to_host, device_to_device or host_to_host");
      }
      node.direction = direction.value_or(CopyDirection::unknown);
    }
    if (const auto value = tape_.find(object, "branches")) {
      if (node.kind == NodeKind::conditional) {
        branch_nodes_.back() = *value;
      } else {
        fault(Severity::warning, Code::bad_attribute, *value, path_of("branches"),
              "only a conditional has branches: they are ignored", "");
      }
    }
  }

  void read_text(uint32_t object, std::string_view key, std::string& out) {
    const std::optional<uint32_t> value = tape_.find(object, key);
    if (!value) return;
    if (!tape_.is(*value, Type::string)) return bad_field(*value, key, "a text");
    out = tape_.string(*value);
  }

  std::optional<uint64_t> read_count(uint32_t object, std::string_view key, uint64_t most) {
    const std::optional<uint32_t> value = tape_.find(object, key);
    if (!value) return std::nullopt;
    const std::optional<uint64_t> count = tape_.as_u64(*value);
    if (count && *count <= most) return count;
    bad_field(*value, key, "a whole number from 0 to " + std::to_string(most));
    return std::nullopt;
  }

  void read_buffers(uint32_t object, std::string_view key, std::vector<uint64_t>& out) {
    const std::optional<uint32_t> value = tape_.find(object, key);
    if (!value) return;
    if (!tape_.is(*value, Type::array)) return bad_field(*value, key, "a list of buffers' numbers");
    for (uint32_t at = *value + 1; at < tape_[*value].end; at = tape_[at].end) {
      const std::optional<uint64_t> buffer = tape_.as_u64(at);
      if (!buffer) return bad_field(at, key, "a list of buffers' numbers");
      out.push_back(*buffer);
    }
  }

  /// Geometry: both of grid and block, or neither.
  void read_config(uint32_t object, ComputeNode& node) {
    const std::optional<uint32_t> grid = tape_.find(object, "grid");
    const std::optional<uint32_t> block = tape_.find(object, "block");
    const uint64_t shared = read_count(object, "shared_mem_bytes", kMostU32).value_or(0);
    if (!grid && !block) return;
    if (!grid || !block) {
      return bad_field(grid ? *grid : *block, grid ? "grid" : "block",
                       "given together with the other of the two");
    }
    KernelConfig config;
    config.shared_mem_bytes = static_cast<uint32_t>(shared);
    if (!read_sizes(*grid, "grid", config.grid) || !read_sizes(*block, "block", config.block)) return;
    node.config = config;
    if (node.threads()) return;
    error(Code::overflow, *grid, path_of("grid"), "the launch's threads leave 64 bits",
          "make grid or block smaller");
  }

  bool read_sizes(uint32_t value, std::string_view key, std::array<uint32_t, 3>& out) {
    size_t count = 0;
    bool fits = tape_.is(value, Type::array);
    for (uint32_t at = value + 1; fits && at < tape_[value].end; at = tape_[at].end, ++count) {
      const std::optional<uint64_t> size = tape_.as_u64(at);
      fits = size && *size <= kMostU32 && count < out.size();
      if (fits) out[count] = static_cast<uint32_t>(*size);
    }
    if (fits && count == out.size()) return true;
    bad_field(value, key, "three whole numbers below 2^32");
    return false;
  }

  std::optional<uint32_t> node_named(uint32_t at, const std::string& path) {
    const std::optional<int64_t> id = tape_.as_i64(at);
    if (id && *id >= 0 && *id < out_.graph.size()) return static_cast<uint32_t>(*id);
    if (id || tape_.as_u64(at)) {
      error(Code::unknown_node, at, path,
            std::string(tape_.raw(at)) + " is no node: the graph has " + std::to_string(out_.graph.size()),
            "name a node by its index, from 0");
    } else {
      error(Code::syntax, at, path, "a node is named by its index", "");
    }
    return std::nullopt;
  }

  void read_branches() {
    for (uint32_t id = 0; id < out_.graph.size(); ++id) {
      const uint32_t value = branch_nodes_[id];
      if (value == kNone) continue;
      const std::string path = "/nodes/" + std::to_string(id) + "/branches";
      if (!tape_.is(value, Type::array)) {
        error(Code::bad_attribute, value, path, "\"branches\" is a list of lists of nodes", "");
        continue;
      }
      for (uint32_t at = value + 1; at < tape_[value].end; at = tape_[at].end) {
        std::vector<uint32_t> branch;
        if (!tape_.is(at, Type::array))
          error(Code::bad_attribute, at, path, "a branch is a list of nodes", "");
        for (uint32_t each = at + 1; each < tape_[at].end; each = tape_[each].end) {
          if (const auto named = node_named(each, path)) branch.push_back(*named);
        }
        out_.graph.node(id).branches.push_back(std::move(branch));
      }
    }
  }

  void read_edges(uint32_t list_node) {
    uint32_t index = 0;
    for (uint32_t at = list_node + 1; at < tape_[list_node].end; at = tape_[at].end, ++index) {
      const std::string path = "/edges/" + std::to_string(index);
      const bool is_pair = tape_.is(at, Type::array) && at + 1 < tape_[at].end &&
                           tape_[at + 1].end < tape_[at].end && tape_[tape_[at + 1].end].end == tape_[at].end;
      if (!is_pair) {
        error(Code::syntax, at, path, "an edge is [from, to]", "");
        continue;
      }
      const std::optional<uint32_t> from = node_named(at + 1, path);
      const std::optional<uint32_t> to = node_named(tape_[at + 1].end, path);
      if (!from || !to) continue;
      edges_.push_back({*from, *to});
      edge_nodes_.push_back(at);
    }
  }

  static constexpr uint32_t kNone = UINT32_MAX;

  const JsonTape& tape_;
  uint32_t node_;
  ReadKernelGraph out_;
  std::vector<uint32_t> branch_nodes_;  ///< of each node, the token of its branches
  std::vector<ComputeGraph::Edge> edges_;
  std::vector<uint32_t> edge_nodes_;  ///< their tokens
  std::vector<Diagnostic> found_;
};

}  // namespace

Result<ReadKernelGraph> read_kernel_graph_json(const JsonTape& tape, uint32_t node) {
  return KernelGraphReader(tape, node).run();
}

Result<ReadKernelGraph> read_kernel_graph_json(std::string_view text) {
  Result<JsonTape> tape = JsonTape::parse(text);
  if (!tape) return {std::nullopt, std::move(tape.diagnostics)};
  return read_kernel_graph_json(*tape.value, 0);
}

bool looks_like_kernel_graph_json(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  uint64_t depth = 0;
  size_t at = 0;
  std::string_view last;  // the last text at depth 1
  while (at < text.size()) {
    const char byte = text[at];
    if (byte == '"') {
      size_t end = at + 1;
      while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
      last = depth == 1 ? text.substr(at + 1, std::min(end, text.size()) - at - 1) : std::string_view();
      at = std::min(end + 1, text.size());
      continue;
    }
    if (depth == 0 && byte != '{' && !is_blank(byte)) return false;
    if (byte == ':' && last == "ops") return false;
    if (byte == ':' && (last == "nodes" || last == "edges")) return true;
    if (byte == '{' || byte == '[') ++depth;
    if ((byte == '}' || byte == ']') && --depth == 0) return false;
    ++at;
  }
  return false;
}

}  // namespace fuseboard
