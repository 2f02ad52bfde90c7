// The op table as C++: OpKind and what a row says of it.
// It must not know graphs: a row speaks of the kind alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fuseboard {

enum class OpKind : uint8_t {
#define OP(identifier, ...) identifier,
#include "graph/ops.def"
};

/// What passes branch on, never on a kind. Point and View join elementwise groups.
enum class OpClass : uint8_t {
  Source,  ///< resident data, no kernel
  Point,   ///< one output element from one index
  View,    ///< index arithmetic, moves nothing
  Reduce,  ///< folds axes
  Move,    ///< copies elements elsewhere
  Opaque,  ///< a library call
};

enum class DTypeRule : uint8_t {
  Given,    ///< nothing to infer it from
  First,    ///< the first operand's
  Promote,  ///< the operands', promoted as in PyTorch
  Float,    ///< as Promote, but integers and bool become f32
  Bool,     ///< bool
  Select,   ///< the second and third operand's, promoted
  Clamp,    ///< the second operand's (low, value, high)
};

enum class ShapeRule : uint8_t {
  Given,      ///< nothing to infer it from
  First,      ///< the first operand's
  Broadcast,  ///< the operands', broadcast as in NumPy
  Stretch,    ///< given; the operand stretches to it, its dimension i being output dimension axes[i]
  Reshape,    ///< given; as many elements as the operand
  Reduce,     ///< the operand's without `axes` (all of them when absent), or with 1 there if `keepdims`
  Permute,    ///< the operand's dimensions in the order `perm` (reversed when absent)
  Concat,     ///< the operands', summed over `axis`
  Slice,      ///< ceil((limit - start) / stride) in each dimension
  Pad,        ///< low + size + interior between elements + high in each dimension
  MatMul,     ///< NumPy's matmul
};

/// One row of the table.
struct OpInfo {
  OpKind kind;
  std::string_view text;
  OpClass op_class;
  uint32_t least_arity;
  uint32_t most_arity;
  std::string_view attributes;  ///< "axes:ints? keepdims:bool?"
  DTypeRule dtype_rule;
  ShapeRule shape_rule;
  std::string_view names;      ///< "hlo:add aten:add"
  std::string_view reference;  ///< value of one output element, from operands a, b, c and attributes
  double ulps_fast, ulps_precise, ulps_f64;  ///< how far the PTX may be: units in the last place
  std::string_view slack;                    ///< an absolute distance allowed beside that, as an expression
  std::string_view bound_source;
  std::string_view ptx;  ///< the lowering by arithmetic and mode, see emit; "" where none is written
};

constexpr uint32_t kMany = 0xffffffff;

const OpInfo& op_info(OpKind kind);
uint32_t op_kind_count();

/// "add"; the text of OpKind::foreign is never a kind that one can write.
std::string_view op_text(OpKind kind);
std::string_view op_class_text(OpClass op_class);

/// The kind with this text; nothing for a foreign name. O(1) expected.
std::optional<OpKind> op_kind_from_text(std::string_view text);

/// The kind that another system calls `name`, e.g. ("hlo", "multiply"), ("hlo", "compare.LT"). O(1) expected.
std::optional<OpKind> op_kind_from_name(std::string_view system, std::string_view name);

/// The kind that was likely meant by a misspelled text ("rleu", "Relu"); "" where none is near.
std::string likely_kind(std::string_view text);

}  // namespace fuseboard
