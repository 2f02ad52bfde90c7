// What an op's row offers an op of a graph: the arithmetic it computes in, its PTX statements, its
// attributes' values. It must not know kernels, nor what the statements mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "graph/attribute_use.h"
#include "graph/fusion_graph.h"
#include "launch/kernel.h"

namespace fuseboard {

/// What a value is while it stands in a register, and what an op computes in: the class tag of a row's PTX
/// alternative. Narrower integers stand in 32 bits, extended as their dtype says; f16 and bf16 stand as f32.
enum class Arithmetic : uint8_t { pred, s32, u32, s64, u64, f32, f64 };
constexpr size_t kArithmetics = 7;

/// "f32"; as the op table's PTX column has it.
std::string_view arithmetic_text(Arithmetic arithmetic);

bool is_float(Arithmetic arithmetic);  ///< f32 or f64

/// How values of a dtype stand in registers; not for foreign.
Arithmetic arithmetic_of(DType dtype);

/// The dtype that is all of an arithmetic: f32 for f32, i32 for s32, bool for pred.
DType dtype_of(Arithmetic arithmetic);

/// What an alternative of the PTX column is chosen for.
struct LoweringQuestion {
  Arithmetic arithmetic = Arithmetic::f32;
  Math math = Math::fast;
  bool is_narrow = false;    ///< a dtype of fewer than 32 bits
  bool by_constant = false;  ///< b is a known value whose reciprocal is normal
  bool by_power = false;     ///< that is a power of two
  std::optional<double> known_b = {};
};

/// The statements of the first alternative of `column` ("fast f32: ... | float: ... | int: ...") of whose tag
/// every word holds; empty where there is none. The words are told in graph/ops.def.
std::string_view alternative(std::string_view column, const LoweringQuestion& question);

struct Lowering {
  Arithmetic arithmetic = Arithmetic::f32;  ///< that the statements compute in
  Arithmetic operands = Arithmetic::f32;    ///< the same, or floats that stand as total-order keys
  DType dtype = DType::f32;     ///< the computing dtype (graph/infer.h); f32 for a bool without `pred:`
  std::string_view statements;  ///< empty where no PTX is written
};

/// `known_b`: the second operand's value where it is known, as the computing dtype has it.
Lowering lowering_of(const FusionGraph& graph, const FusionOp& op, Math math,
                     std::optional<double> known_b = {});

/// The dtype of the kernel parameter that stands for an attribute without a value: i32 for narrow integers,
/// f32 for narrow floats and bool.
DType scalar_dtype(const FusionGraph& graph, const FusionOp& op);

}  // namespace fuseboard
