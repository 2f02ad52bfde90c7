// Walking the tape of a graph object: ops first, then names, then what is left to infer.
// It must not know other formats or plans.
#include "formats/graph_json.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/in_quotes.h"
#include "formats/op_attributes.h"
#include "graph/infer_missing.h"

namespace fuseboard {
namespace {

using Type = JsonTape::Type;

constexpr size_t kFaultsKept = 1000;

OpPlaces::Span span_of(const JsonTape::Node& node) { return {node.offset, node.length}; }

class GraphReader {
 public:
  GraphReader(const JsonTape& tape, uint32_t node) : tape_(tape), node_(node) {}

  Result<ReadGraph> run() {
    places_.text = tape_.text();
    places_.json_pointers = true;
    places_.field = [this](uint32_t op, std::string_view key) {
      const std::optional<uint32_t> value = tape_.find(op_nodes_[op], key);
      return value ? span_of(tape_[*value]) : OpPlaces::Span{};
    };
    if (!read_ops()) return {std::nullopt, std::move(found_)};
    resolve_inputs();
    read_outputs();
    for (Diagnostic& each : infer_missing(out_.graph, std::move(missing_), places_))
      found_.push_back(std::move(each));
    const bool sound = !has_errors(found_);
    std::vector<Diagnostic> faults = out_.graph.validate(places_);
    if (!sound) {  // warnings and attributes would speak of what stands in for what could not be read
      std::erase_if(faults, [](const Diagnostic& each) {
        return each.severity != Severity::error || each.code == Code::bad_attribute;
      });
    }
    found_.insert(found_.end(), std::make_move_iterator(faults.begin()),
                  std::make_move_iterator(faults.end()));
    if (!sound) sort_by_op();
    if (has_errors(found_)) return {std::nullopt, std::move(found_)};
    return {std::move(out_), std::move(found_)};
  }

 private:
  void fault(Severity severity, Code code, uint32_t node, std::string path, std::string message,
             std::string hint) {
    if (found_.size() >= kFaultsKept) return;
    found_.push_back(
        {severity, code, std::move(message), tape_.place(node, std::move(path)), std::move(hint)});
  }

  void error(Code code, uint32_t node, std::string path, std::string message, std::string hint) {
    fault(Severity::error, code, node, std::move(path), std::move(message), std::move(hint));
  }

  std::string path(std::string_view key) const {
    return "/ops/" + std::to_string(out_.graph.size()) + (key.empty() ? "" : "/" + std::string(key));
  }

  bool read_ops() {
    const std::optional<uint32_t> ops = tape_.find(node_, "ops");
    if (!ops || !tape_.is(*ops, Type::array)) {
      const bool is_kernel_graph = !ops && tape_.find(node_, "nodes");
      error(
          Code::syntax, ops.value_or(node_), "/ops", "a graph is an object with a list \"ops\"",
          is_kernel_graph
              ? "this is a kernel graph: for now only `plan --jsonl` and the native library plan those"
              : R"(write {"ops": [{"kind": "relu", "inputs": [], "output_shape": [4], "dtype_bytes": 4}]})");
      return false;
    }
    for (uint32_t at = node_ + 1; at < tape_[node_].end; at = tape_[at + 1].end) {
      const std::string key = tape_.string(at);
      if (key == "ops" || key == "outputs" || key == "name") continue;
      fault(Severity::warning, Code::bad_attribute, at, "",
            "a graph has no field " + in_quotes(key) + ": it is ignored", "ops and outputs are its fields");
    }
    for (uint32_t at = *ops + 1; at < tape_[*ops].end; at = tape_[at].end) {
      if (tape_.is(at, Type::object)) {
        read_op(at);
      } else {
        error(Code::syntax, at, path(""), "an op is an object",
              R"(write {"kind": ..., "inputs": [...], ...})");
        input_nodes_.push_back(kNoOp);
        missing_.shape.push_back(Missing::told);
        missing_.dtype.push_back(Missing::told);
        add(FusionOp{}, at, at);
      }
    }
    return true;
  }

  void add(FusionOp op, uint32_t node, uint32_t named_by) {
    out_.graph.add_op(std::move(op));
    op_nodes_.push_back(node);
    out_.places.push_back(span_of(tape_[node]));
    places_.ops.push_back(span_of(tape_[named_by]));
  }

  void read_op(uint32_t node) {
    FusionOp op;
    Fields fields;
    const std::optional<uint32_t> kind = tape_.find(node, "kind");
    uint32_t named_by = kind.value_or(node);
    seen_.clear();
    if (kind && tape_.is(*kind, Type::string)) {
      op.foreign_kind = tape_.string(*kind);
      if (const std::optional<OpKind> known = op_kind_from_text(op.foreign_kind)) {
        op.kind = *known;
        op.foreign_kind.clear();
      }
    } else {
      error(Code::syntax, named_by, path("kind"), "an op has a \"kind\", which is a word",
            "name a kind of the op table, or any other: it is opaque");
    }
    for (uint32_t at = node + 1; at < tape_[node].end; at = tape_[at + 1].end) {
      read_field(op, fields, tape_.string(at), at, at + 1, named_by);
    }
    settle_dtype(op, fields);
    for (const AttributeRule& rule : attribute_rules(op_info(op.kind))) {
      if (rule.optional || op.attribute(rule.name) != nullptr) continue;
      error(Code::bad_attribute, named_by, path(rule.name),
            std::string(op_text(op.kind)) + " needs \"" + std::string(rule.name) + "\"",
            "add it beside kind");
    }
    input_nodes_.push_back(fields.inputs);
    const bool dtype_given = fields.dtype != kNoOp || fields.dtype_bytes != kNoOp;
    const bool readable = kind && tape_.is(*kind, Type::string) && !fields.inputs_unreadable;
    missing_.shape.push_back(fields.shape != kNoOp ? Missing::given
                             : readable            ? Missing::wanted
                                                   : Missing::told);
    missing_.dtype.push_back(dtype_given ? Missing::given : Missing::wanted);
    add(std::move(op), node, named_by);
  }

  struct Fields {
    uint32_t inputs = kNoOp, shape = kNoOp, dtype = kNoOp, dtype_bytes = kNoOp;
    bool inputs_unreadable = false;
  };

  void read_field(FusionOp& op, Fields& fields, const std::string& key, uint32_t key_node, uint32_t value,
                  uint32_t& named_by) {
    if (key == "kind") return;
    if (key == "name") {
      if (tape_.is(value, Type::string)) {
        op.name = tape_.string(value);
        named_by = value;
      } else {
        error(Code::syntax, value, path(key), "a name is a string", "write it in quotes");
      }
    } else if (key == "inputs") {
      if (tape_.is(value, Type::array)) {
        fields.inputs = value;
      } else {
        fields.inputs_unreadable = true;
        error(Code::syntax, value, path(key), "\"inputs\" is a list of ids or names",
              "write [] where there are none");
      }
    } else if (key == "output_shape") {
      fields.shape = value;
      read_shape(op, value);
    } else if (key == "dtype") {
      fields.dtype = value;
    } else if (key == "dtype_bytes") {
      fields.dtype_bytes = value;
    } else {
      read_attribute(op, key, key_node, value);
    }
  }

  void read_shape(FusionOp& op, uint32_t value) {
    if (!tape_.is(value, Type::array)) {
      error(Code::syntax, value, path("output_shape"), "\"output_shape\" is a list of sizes",
            "a scalar's is []");
      return;
    }
    op.output_shape.clear();  // of a repeated key the last holds
    for (uint32_t at = value + 1; at < tape_[value].end; at = tape_[at].end) {
      const std::optional<uint64_t> dim = tape_.as_u64(at);
      op.output_shape.push_back(dim.value_or(1));
      if (dim) continue;
      const std::string where = path("output_shape/" + std::to_string(op.output_shape.size() - 1));
      const bool digits = tape_.raw(at).find_first_not_of("0123456789") == std::string_view::npos;
      if (digits) {
        error(Code::overflow, at, where, "a dimension is less than 2^64", "use a smaller size");
      } else {
        error(Code::bad_attribute, at, where, "a dimension is a whole number, 0 or more", "write a size");
      }
    }
  }

  void read_attribute(FusionOp& op, const std::string& key, uint32_t key_node, uint32_t value) {
    if (op.kind == OpKind::foreign) {
      if (std::optional<AttributeValue> any = foreign_attribute_value(tape_, value)) {
        set_attribute(op, key, std::move(*any));
      }
      return;
    }
    const AttributeRule rule = attribute_rule(op_info(op.kind), key);
    if (rule.name.empty()) {
      fault(Severity::warning, Code::bad_attribute, key_node, path(key.substr(0, 80)),
            std::string(op_text(op.kind)) + " has no attribute " + in_quotes(key) + ": it is ignored",
            op_info(op.kind).attributes.empty() ? "it takes none"
                                                : "it takes " + std::string(op_info(op.kind).attributes));
      return;
    }
    std::optional<AttributeValue> given = attribute_value(tape_, value, rule.type);
    if (given) {
      set_attribute(op, key, std::move(*given));
    } else {
      error(Code::bad_attribute, value, path(key),
            "\"" + key + "\" of " + std::string(op_text(op.kind)) + " cannot be " +
                std::string(tape_.raw(value).substr(0, 40)),
            "it is of type " + std::string(rule.type));
    }
  }

  /// Of a repeated key the last value holds. `seen_` is by key: an op may have a million attributes.
  void set_attribute(FusionOp& op, const std::string& key, AttributeValue value) {
    const auto [at, is_new] = seen_.try_emplace(key, op.attributes.size());
    if (is_new) {
      op.attributes.push_back({key, std::move(value)});
    } else {
      op.attributes[at->second].value = std::move(value);
    }
  }

  void settle_dtype(FusionOp& op, const Fields& fields) {
    std::optional<uint64_t> bytes;
    if (fields.dtype_bytes != kNoOp) {
      bytes = tape_.as_u64(fields.dtype_bytes);
      const bool digits =
          tape_.raw(fields.dtype_bytes).find_first_not_of("0123456789") == std::string_view::npos;
      if (!bytes && digits) {
        error(Code::overflow, fields.dtype_bytes, path("dtype_bytes"), "\"dtype_bytes\" is less than 2^64",
              "4 for f32");
      } else if (!bytes) {
        error(Code::bad_attribute, fields.dtype_bytes, path("dtype_bytes"),
              "\"dtype_bytes\" is a whole number of bytes", "4 for f32");
      }
    }
    op.dtype_bytes = bytes.value_or(4);
    op.dtype = dtype_from_bytes(op.dtype_bytes);
    if (fields.dtype == kNoOp) return;
    const std::string text =
        tape_.is(fields.dtype, Type::string) ? tape_.string(fields.dtype) : std::string();
    if (const std::optional<DType> known = dtype_from_text(text)) {
      op.dtype = *known;
      if (!bytes) op.dtype_bytes = dtype_bytes(*known);
      return;
    }
    op.dtype = DType::foreign;
    op.foreign_dtype = text;
    if (!bytes) op.dtype_bytes = foreign_dtype_bytes(text);
    if (!bytes && op.dtype_bytes == 0) {
      op.dtype_bytes = 1;
      error(Code::unknown_dtype, fields.dtype, path("dtype"), in_quotes(text) + " is no dtype known here",
            "f64 f32 f16 bf16 i64 i32 i16 i8 u64 u32 u16 u8 bool, or add dtype_bytes to plan it by its size");
    } else if (foreign_dtype_bytes(text) != 0 && foreign_dtype_bytes(text) != op.dtype_bytes &&
               op.dtype_bytes != 0) {
      error(Code::dtype_conflict, fields.dtype, path("dtype"),
            in_quotes(text) + " takes " + std::to_string(foreign_dtype_bytes(text)) + " bytes, not " +
                std::to_string(op.dtype_bytes),
            "drop dtype_bytes");
    }
  }

  void resolve_inputs() {
    for (uint32_t id = 0; id < out_.graph.size(); ++id) {
      if (!out_.graph.op(id).name.empty()) ids_.emplace(out_.graph.op(id).name, id);
    }
    for (uint32_t id = 0; id < out_.graph.size(); ++id) {
      places_.start.push_back(static_cast<uint32_t>(places_.inputs.size()));
      const uint32_t list = input_nodes_[id];
      if (list == kNoOp) continue;
      for (uint32_t at = list + 1; at < tape_[list].end; at = tape_[at].end) {
        out_.graph.op(id).inputs.push_back(resolve(at));
        places_.inputs.push_back(span_of(tape_[at]));
      }
    }
  }

  /// An op id, or kNoOp, which validate() reports as dangling at this very token.
  uint32_t resolve(uint32_t node) const {
    if (tape_.is(node, Type::string)) {
      const auto found = ids_.find(tape_.string(node));
      return found == ids_.end() ? kNoOp : found->second;
    }
    const std::optional<uint64_t> id = tape_.as_u64(node);
    return id && *id < out_.graph.size() ? static_cast<uint32_t>(*id) : kNoOp;
  }

  void read_outputs() {
    const std::optional<uint32_t> list = tape_.find(node_, "outputs");
    if (!list) return;
    if (!tape_.is(*list, Type::array)) {
      error(Code::syntax, *list, "/outputs", "\"outputs\" is a list of ids or names",
            "leave it out for the terminals alone");
      return;
    }
    uint32_t index = 0;
    for (uint32_t at = *list + 1; at < tape_[*list].end; at = tape_[at].end, ++index) {
      const uint32_t id = resolve(at);
      if (id != kNoOp) {
        out_.graph.add_output(id);
      } else {
        error(Code::dangling_input, at, "/outputs/" + std::to_string(index),
              std::string(tape_.raw(at).substr(0, 80)) + " is no op of the graph",
              "name an op, or give its id");
      }
    }
  }

  /// With faults of both kinds, reading and validity, the first by op comes first, a cycle behind them and an
  /// overflow of the total last (design 5).
  void sort_by_op() {
    const auto rank = [&](const Diagnostic& each) -> std::pair<int, ptrdiff_t> {
      if (each.code == Code::cycle) return {1, 0};
      if (each.code == Code::overflow && each.place.path.empty()) return {2, 0};
      const auto behind =
          std::upper_bound(out_.places.begin(), out_.places.end(), each.place.offset,
                           [](uint32_t offset, const OpPlaces::Span& span) { return offset < span.offset; });
      return {0, behind - out_.places.begin()};
    };
    std::stable_sort(found_.begin(), found_.end(),
                     [&](const Diagnostic& a, const Diagnostic& b) { return rank(a) < rank(b); });
  }

  const JsonTape& tape_;
  uint32_t node_;
  ReadGraph out_;
  OpPlaces places_;
  std::vector<Diagnostic> found_;
  std::unordered_map<std::string_view, uint32_t> ids_;  ///< named ops
  std::unordered_map<std::string, size_t> seen_;        ///< attributes of the op being read
  std::vector<uint32_t> input_nodes_;
  std::vector<uint32_t> op_nodes_;
  Missing missing_;
};

}  // namespace

bool recognise_graph_json(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

Result<ReadGraph> read_graph_json(const JsonTape& tape, uint32_t node) {
  return GraphReader(tape, node).run();
}

Result<ReadGraph> read_graph_json(std::string_view text) {
  Result<JsonTape> tape = JsonTape::parse(text);
  if (!tape) return {std::nullopt, std::move(tape.diagnostics)};
  return read_graph_json(*tape.value, 0);
}

}  // namespace fuseboard
