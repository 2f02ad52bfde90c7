// One HLO instruction as one op of the graph: its kind, type and attributes, from the opcode and the table's
// hlo: names. It must not know inlining or tuples: operands are ops.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "formats/hlo_module.h"
#include "formats/hlo_shape.h"
#include "formats/hlo_values.h"

namespace fuseboard {

/// The kind of an instruction whose result is an array. Complains about a compare without direction.
OpKind hlo_kind(const HloLexer& lexer, const HloModule& module, const HloInstruction& instruction,
                HloProblems& problems);

/// Whether an opcode computes each element from the operands' elements alone, with a row in the table or
/// without.
bool is_hlo_elementwise(std::string_view opcode);

/// Gives a reduce its reducer, "sum", "max", ..., if that is what the computation it applies does, and then
/// drops an initial value whose folding in changes nothing.
void read_reducer(const HloLexer& lexer, const HloModule& module, uint32_t computation,
                  const FusionGraph& graph, FusionOp& op);

/// Whether folding `init` in changes nothing.
bool is_identity(const FusionOp& init, std::string_view reducer);

/// Marks a compare of floating-point numbers by their total order, in which -0 is below 0 and NaN has a
/// place.
void read_total_order(const HloLexer& lexer, const HloModule& module, const HloInstruction& instruction,
                      const FusionGraph& graph, FusionOp& op);

/// Decides what a reshape, bitcast or bitcast-convert `op` is, its operand known: a view, a conversion of
/// each element, or opaque where elements are split or joined. One that changes shape and dtype is a view of
/// a conversion, which is returned. A view that is none of the logical elements row by row is marked.
std::optional<FusionOp> split_bitcast(std::string_view opcode, const HloGraph& out, const HloLayout& layout,
                                      FusionOp& op);

/// The type of an instruction whose shape is left out, from its row's rules; nothing where they do not tell.
std::optional<HloArray> infer_hlo_array(const FusionGraph& graph, const FusionOp& op);

}  // namespace fuseboard
