// One pass over the ops in topological order.
// It must not know formats.
#include "graph/infer_missing.h"

#include <algorithm>

#include "analysis/topological_order.h"
#include "base/in_quotes.h"
#include "graph/infer.h"

namespace fuseboard {
namespace {

class Inference {
 public:
  Inference(FusionGraph& graph, Missing& missing, const OpPlaces& places)
      : graph_(graph), missing_(missing), places_(places) {}

  std::vector<Diagnostic> run() {
    for (const uint32_t id : topological_order(graph_.dag())) {
      FusionOp& op = graph_.op(id);
      const bool below_a_fault = std::any_of(op.inputs.begin(), op.inputs.end(), [&](uint32_t p) {
        return p >= graph_.size() || p == id || missing_.shape[p] != Missing::given ||
               missing_.dtype[p] != Missing::given;
      });
      if (below_a_fault) continue;
      if (missing_.dtype[id] == Missing::wanted) infer_dtype_of(id, op);
      if (missing_.shape[id] == Missing::wanted) infer_shape_of(id, op);
    }
    return std::move(found_);
  }

 private:
  void error(Code code, uint32_t id, std::string message, std::string hint) {
    found_.push_back({Severity::error, code, std::move(message), places_.of_op(graph_, id), std::move(hint)});
  }

  void infer_dtype_of(uint32_t id, FusionOp& op) {
    missing_.dtype[id] = Missing::given;
    const AttributeValue* value = op.attribute("value");
    if (const std::optional<DType> dtype = infer_dtype(graph_, op)) {
      op.dtype = *dtype;
      op.dtype_bytes = dtype_bytes(*dtype);
      if (*dtype == DType::foreign) take_foreign(op);
    } else if (value != nullptr && std::get_if<bool>(value) != nullptr) {
      op.dtype = DType::boolean;
      op.dtype_bytes = 1;
    } else if (op.kind == OpKind::cast || op.kind == OpKind::bitcast_convert) {
      error(Code::bad_attribute, id, std::string(op_text(op.kind)) + " needs a dtype",
            R"(add "dtype": "f16")");
    }
  }

  /// The rule took the dtype from a foreign operand; a select's condition and a clamp's bounds do not count.
  void take_foreign(FusionOp& op) {
    const DTypeRule rule = op_info(op.kind).dtype_rule;
    size_t i = rule == DTypeRule::Select || (rule == DTypeRule::Clamp && op.inputs.size() == 3) ? 1 : 0;
    while (i + 1 < op.inputs.size() && graph_.op(op.inputs[i]).dtype != DType::foreign) ++i;
    op.dtype_bytes = graph_.op(op.inputs[i]).dtype_bytes;
    op.foreign_dtype = graph_.op(op.inputs[i]).foreign_dtype;
  }

  void infer_shape_of(uint32_t id, FusionOp& op) {
    InferredShape inferred = infer_shape(graph_, op);
    missing_.shape[id] = Missing::given;
    if (inferred.shape) {
      op.output_shape = std::move(*inferred.shape);
      return;
    }
    if (op.kind == OpKind::constant && op.attribute("value") != nullptr) return;  // a scalar
    missing_.shape[id] = Missing::told;
    const std::string name = in_quotes(graph_.name_of(id));
    if (op.kind == OpKind::foreign) {
      const std::string meant = likely_kind(op.kind_text());
      error(Code::shape_mismatch, id,
            "the shape of " + name + " cannot be inferred: its kind " + in_quotes(op.kind_text()) +
                " is unknown",
            meant.empty() ? "give output_shape"
                          : "did you mean " + in_quotes(meant) + "? If not, give output_shape");
    } else {
      const bool source = op.inputs.empty();
      error(Code::shape_mismatch, id,
            "the shape of " + name + " cannot be inferred: " +
                (!inferred.contradiction.empty() ? inferred.contradiction
                 : source                        ? "it has no operands"
                                                 : "its kind does not determine it"),
            "give output_shape");
    }
  }

  FusionGraph& graph_;
  Missing& missing_;
  const OpPlaces& places_;
  std::vector<Diagnostic> found_;
};

}  // namespace

std::vector<Diagnostic> infer_missing(FusionGraph& graph, Missing missing, const OpPlaces& places) {
  return Inference(graph, missing, places).run();
}

}  // namespace fuseboard
