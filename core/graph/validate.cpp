// Everything that can be wrong with a graph, each fault at its place.
// It must not know formats: they say where ops stand, and pass on what is found here.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "analysis/topological_order.h"
#include "base/in_quotes.h"
#include "base/nearest_word.h"
#include "graph/attribute_fault.h"
#include "graph/fusion_graph.h"
#include "graph/infer.h"
#include "graph/storage.h"

namespace fuseboard {
namespace {

constexpr size_t kCycleNamed = 16;    ///< ops of a cycle that its message names
constexpr size_t kHintsGiven = 10;    ///< each looks at every name
constexpr size_t kFaultsKept = 1000;  ///< a graph in which every op is wrong is told so often enough

class Validation {
 public:
  Validation(const FusionGraph& graph, const OpPlaces& places) : graph_(graph), places_(places) {}

  std::vector<Diagnostic> run() {
    for (uint32_t id = 0; id < graph_.size(); ++id) check_op(id);
    check_outputs();
    if (!has_errors(found_)) {
      for (uint32_t id = 0; id < graph_.size(); ++id) check_attributes(id);
    }
    if (!has_errors(found_)) check_cycle();
    if (!has_errors(found_)) check_total();
    if (!has_errors(found_)) warn();
    return std::move(found_);
  }

 private:
  std::string name(uint32_t id) const { return in_quotes(graph_.name_of(id)); }

  void add(Severity severity, Code code, Place place, std::string message, std::string hint) {
    if (found_.size() >= kFaultsKept) return;
    found_.push_back({severity, code, std::move(message), std::move(place), std::move(hint)});
  }

  void error(Code code, Place place, std::string message, std::string hint) {
    add(Severity::error, code, std::move(place), std::move(message), std::move(hint));
  }

  void warning(Code code, uint32_t id, std::string message, std::string hint) {
    add(Severity::warning, code, places_.of_op(graph_, id), std::move(message), std::move(hint));
  }

  void check_op(uint32_t id) {
    const FusionOp& op = graph_.op(id);
    if (op.dtype_bytes == 0) {
      error(Code::zero_dtype, places_.of_field(graph_, id, "dtype_bytes"), name(id) + " has dtype_bytes 0",
            "give a dtype, or dtype_bytes of at least 1");
    }
    if (op.dtype != DType::foreign && op.dtype_bytes != 0 && op.dtype_bytes != dtype_bytes(op.dtype)) {
      error(Code::dtype_conflict, places_.of_field(graph_, id, "dtype_bytes"),
            name(id) + " is " + std::string(dtype_text(op.dtype)) + " but has dtype_bytes " +
                std::to_string(op.dtype_bytes),
            "drop dtype_bytes, or write " + std::to_string(dtype_bytes(op.dtype)));
    }
    for (uint32_t i = 0; i < op.inputs.size(); ++i) check_input(id, i);
    if (!tensor_bytes(op.output_shape, op.dtype_bytes)) {
      error(Code::overflow, places_.of_field(graph_, id, "output_shape"),
            name(id) + " of shape " + shape_text(op.output_shape) + " takes more bytes than 64 bits count",
            "a tensor holds at most 2^64 - 1 bytes");
    }
    if (!op.name.empty() && !names_.emplace(op.name, id).second) {
      error(Code::duplicate_name, places_.of_op(graph_, id),
            name(id) + " is also the name of op " + std::to_string(names_[op.name]),
            "give each op a name of its own");
    }
  }

  void check_input(uint32_t id, uint32_t i) {
    const uint32_t p = graph_.op(id).inputs[i];
    if (p == id) {
      error(Code::self_reference, places_.of_input(graph_, id, i), name(id) + " reads itself",
            "an op reads what other ops produce");
    } else if (p >= graph_.size()) {
      const Place place = places_.of_input(graph_, id, i);
      const std::string quoted(places_.text.substr(std::min<size_t>(place.offset, places_.text.size()),
                                                   std::min<size_t>(place.length, 80)));
      const std::string what = !quoted.empty() ? quoted
                               : p == kNoOp    ? "an unknown op"
                                               : "op " + std::to_string(p);
      error(Code::dangling_input, place, name(id) + " reads " + what + ", which is no op of the graph",
            hint_for(quoted));
    }
  }

  /// The name that was meant, or which ids there are.
  std::string hint_for(std::string_view token) {
    const bool is_name = !token.empty() && token.find_first_not_of("-0123456789") != std::string_view::npos;
    if (!is_name) return graph_.size() == 0 ? "" : "ids run from 0 to " + std::to_string(graph_.size() - 1);
    if (++hints_given_ > kHintsGiven) return "write the name of an op, or its id";
    while (token.starts_with('"') || token.starts_with('%')) token.remove_prefix(1);
    while (token.ends_with('"')) token.remove_suffix(1);
    NearestWord near(token);
    for (const FusionOp& op : graph_.ops()) near.offer(op.name);
    return near.best().empty() ? "write the name of an op, or its id"
                               : "did you mean \"" + near.best() + "\"?";
  }

  void check_attributes(uint32_t id) {
    const std::optional<AttributeFault> fault = attribute_fault(graph_, id);
    if (!fault) return;
    error(Code::bad_attribute, places_.of_field(graph_, id, fault->attribute),
          name(id) + ": " + fault->message, fault->hint);
  }

  void check_outputs() {
    for (const uint32_t id : graph_.outputs()) {
      if (id < graph_.size()) continue;
      error(Code::dangling_input, {0, 0, "/outputs"}, "an output is no op of the graph",
            "name an op, or give its id");
    }
  }

  void check_cycle() {
    const std::vector<uint32_t> cycle = find_cycle(graph_.dag());
    if (cycle.empty()) return;
    std::string ring;
    for (size_t i = 0; i < std::min(cycle.size(), kCycleNamed); ++i) ring += name(cycle[i]) + " -> ";
    if (cycle.size() > kCycleNamed)
      ring += "... (" + std::to_string(cycle.size() - kCycleNamed) + " more) -> ";
    error(Code::cycle, places_.of_op(graph_, cycle[0]),
          "the ops depend on each other: " + ring + name(cycle[0]),
          "an operation graph has no loops: break one of these edges");
  }

  void check_total() {
    if (unfused_bytes(graph_.dag(), storages(graph_))) return;
    error(Code::overflow, {}, "the bytes that the ops move together leave 64 bits",
          "use smaller shapes or fewer ops");
  }

  void warn() {
    std::map<std::string_view, std::pair<uint32_t, uint32_t>> foreign;  // kind -> first op, count
    for (uint32_t id = 0; id < graph_.size(); ++id) {
      const FusionOp& op = graph_.op(id);
      if (op.kind == OpKind::foreign) ++foreign.try_emplace(op.kind_text(), id, 0).first->second.second;
      warn_arity(id, op);
      const std::string mismatch = shape_contradiction(graph_, op);
      if (!mismatch.empty()) {
        warning(Code::shape_mismatch, id, name(id) + ": " + mismatch,
                "the plan uses the shapes as given; no PTX is written for this op");
      }
    }
    for (const auto& [kind, seen] : foreign) warn_foreign(kind, seen.first, seen.second);
  }

  /// Once a kind. A known kind may be foreign in a form that its row does not cover (a reduce with several
  /// results).
  void warn_foreign(std::string_view kind, uint32_t first, uint32_t count) {
    const bool known = op_kind_from_text(kind) || op_kind_from_name("hlo", kind);
    const std::string meant = known ? "" : likely_kind(kind);
    const std::string opaque = "it runs as a library call and fuses with nothing";
    warning(Code::unknown_kind, first,
            (known ? "kind " + in_quotes(kind) + " has no row of the op table for this form: "
                   : "kind " + in_quotes(kind) + " is no row of the op table: ") +
                std::to_string(count) + (count == 1 ? " op is opaque" : " ops are opaque"),
            meant.empty() ? opaque : opaque + "; did you mean " + in_quotes(meant) + "?");
  }

  void warn_arity(uint32_t id, const FusionOp& op) {
    const OpInfo& info = op_info(op.kind);
    if (op.has_arity()) return;
    const bool computes = info.op_class != OpClass::Source && info.op_class != OpClass::Opaque;
    if (op.inputs.empty() && computes) {
      if (info.op_class != OpClass::Point) return;
      warning(Code::resident_source, id,
              name(id) + ", a " + std::string(info.text) + " without operands, stands for resident data",
              "its kernel loads it, though the plan does not charge the read; make it an input");
      return;
    }
    warning(Code::wrong_arity, id,
            name(id) + " has " + std::to_string(op.inputs.size()) + " operands; " + std::string(info.text) +
                " takes " + std::to_string(info.least_arity),
            "it is planned as it stands, and not emitted");
  }

  const FusionGraph& graph_;
  const OpPlaces& places_;
  size_t hints_given_ = 0;
  std::vector<Diagnostic> found_;
  std::unordered_map<std::string_view, uint32_t> names_;
};

}  // namespace

std::vector<Diagnostic> FusionGraph::validate(const OpPlaces& places) const {
  return Validation(*this, places).run();
}

}  // namespace fuseboard
