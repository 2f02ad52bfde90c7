// What the user pasted: an append-only DAG of ops, each with a stable id (its insertion index).
// It must not know the text it came from, nor what is done with it.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analysis/dag.h"
#include "base/diagnostic.h"
#include "graph/dtype.h"
#include "graph/op_kind.h"
#include "graph/shape.h"

namespace fuseboard {

/// An input that names no op; validate() reports it as dangling-input.
constexpr uint32_t kNoOp = 0xffffffff;

using AttributeValue = std::variant<bool, int64_t, uint64_t, double, std::vector<int64_t>, std::string>;

struct Attribute {
  std::string name;  ///< as the op table's attributes column has it
  AttributeValue value;
};

/// One operation (spec 1). The id is its index in the graph.
struct FusionOp {
  std::string name;  ///< unique where not empty
  OpKind kind = OpKind::foreign;
  DType dtype = DType::f32;
  uint64_t dtype_bytes = 4;
  std::vector<uint32_t> inputs;  ///< ids of the producers, as listed (repeats kept)
  Shape output_shape;
  std::vector<Attribute> attributes;
  std::string foreign_kind;   ///< the name of a kind that the op table has no row for
  std::string foreign_dtype;  ///< the name of a DType::foreign, "" where only the size is known

  const AttributeValue* attribute(std::string_view attribute_name) const;
  const std::vector<int64_t>* ints(
      std::string_view attribute_name) const;  ///< nullptr where absent or no list
  std::string_view kind_text() const { return foreign_kind.empty() ? op_text(kind) : foreign_kind; }
  std::string_view dtype_name() const { return dtype == DType::foreign ? foreign_dtype : dtype_text(dtype); }

  /// The class of the kind, or Opaque where the arity is not the class's own: a view of nothing or of two
  /// values, an input with operands. (A Point of a wrong arity stays one: it plans, and is not emitted.)
  OpClass op_class() const;
  bool is_fusible() const;  ///< joins elementwise groups: Point or View
  bool has_arity() const;   ///< as many operands as the kind takes
  /// A value that is there before any kernel runs: no operands, and not computed from the index as iota is.
  bool is_resident() const { return inputs.empty() && kind != OpKind::iota; }
};

class FusionGraph;

/// Where an op and its inputs stand in the text, for diagnostics; kept beside the graph by who read it.
struct OpPlaces {
  struct Span {
    uint32_t offset = 0;
    uint32_t length = 0;
  };
  std::string_view text;          ///< quoted in messages; may be empty
  std::vector<Span> ops;          ///< one an op; may be empty
  std::vector<uint32_t> start{};  ///< inputs of op i stand at inputs[start[i] ...]; may be empty
  std::vector<Span> inputs;
  bool json_pointers = false;  ///< paths are "/ops/3/inputs/0", not names
  /// The value of a field of an op ("dtype_bytes", "axes"); length 0 where it does not stand in the text. May
  /// be empty.
  std::function<Span(uint32_t op, std::string_view field_name)> field;

  Place of_op(const FusionGraph& graph, uint32_t op) const;
  Place of_input(const FusionGraph& graph, uint32_t op, uint32_t input) const;
  /// Where the field stands, or the op where it is not written.
  Place of_field(const FusionGraph& graph, uint32_t op, std::string_view field_name) const;
};

/// An append-only builder (spec 1). Inputs may name ops that come later.
class FusionGraph {
 public:
  uint32_t add_op(FusionOp op);
  /// The spec's minimal form; dtype_bytes means 4: f32, 2: f16, 8: f64, 1: i8, others by size only.
  uint32_t add_op(OpKind kind, std::vector<uint32_t> inputs, Shape output_shape, uint64_t dtype_bytes);

  /// Materializes `op` though it may not be a terminal.
  void add_output(uint32_t op);

  uint32_t size() const { return static_cast<uint32_t>(ops_.size()); }
  const FusionOp& op(uint32_t id) const { return ops_[id]; }
  FusionOp& op(uint32_t id) { return ops_[id]; }
  const std::vector<FusionOp>& ops() const { return ops_; }
  const std::vector<uint32_t>& outputs() const { return outputs_; }  ///< as added; repeats possible

  /// The op's name, or "%id" where it has none.
  std::string name_of(uint32_t id) const;

  /// product(output_shape) * dtype_bytes of a valid op.
  uint64_t output_bytes(uint32_t id) const;

  /// Distinct inputs of each op as listed, and the consumers; dangling and self inputs are left out. O(n +
  /// m).
  Dag dag() const;

  /// Every fault: by op id zero-dtype, then its inputs in order (dangling-input, self-reference), its own
  /// overflow, duplicate-name; then a cycle; last an overflow of the unfused total. Warnings follow: unknown
  /// kinds, wrong arities, shapes that contradict the operands, resident sources of computing kinds.
  /// Past a validate() without errors every other function's input is sound. O(n + m).
  std::vector<Diagnostic> validate(const OpPlaces& places = {}) const;

 private:
  std::vector<FusionOp> ops_;
  std::vector<uint32_t> outputs_;
};

}  // namespace fuseboard
