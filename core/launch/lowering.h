// What an op's row offers an op of a graph: the arithmetic it computes in, its PTX statements, its
// attributes' values. It must not know kernels, nor what the statements mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "graph/fusion_graph.h"
#include "launch/kernel.h"

namespace fuseboard {

/// What a value is while it stands in a register, and what an op computes in: the class tag of a row's PTX
/// alternative. Narrower integers stand in 32 bits, extended as their dtype says; f16 and bf16 stand as f32.
enum class Arithmetic : uint8_t { pred, s32, u32, s64, u64, f32, f64 };
constexpr size_t kArithmetics = 7;

/// "f32"; as the op table's PTX columns have it.
std::string_view arithmetic_text(Arithmetic arithmetic);

/// How values of a dtype stand in registers; not for foreign.
Arithmetic arithmetic_of(DType dtype);

/// The statements of `column` ("f32: ... | pred: ...") for one arithmetic; empty where it has none.
std::string_view alternative(std::string_view column, Arithmetic arithmetic);

/// The promoted dtype of the operands whose values meet, by the row's dtype rule; the op's own where there is
/// none.
DType operand_dtype(const FusionGraph& graph, const FusionOp& op);

struct Lowering {
  Arithmetic arithmetic = Arithmetic::f32;
  std::string_view statements;  ///< empty where no PTX is written yet
};

/// The PTX of an op whose operands and result are f32 or bool.
Lowering lowering_of(const FusionGraph& graph, const FusionOp& op, Math math);

/// One attribute of a row, for one op.
struct AttributeUse {
  std::string_view name;
  std::string_view type;        ///< "number", "int", "ints", ...
  bool optional = false;        ///< it may be absent
  bool given = false;           ///< the op has it, or the row has a default
  std::optional<double> value;  ///< given and one number
};

/// The row's attributes in its order.
std::vector<AttributeUse> attribute_uses(const FusionOp& op);

/// The attribute that must come as a kernel parameter: a number that neither op nor row gives. "" where none.
std::string_view unknown_scalar(const FusionOp& op);

/// A number, or true and false, or the words inf, -inf, nan.
std::optional<double> as_number(const AttributeValue& value);

}  // namespace fuseboard
