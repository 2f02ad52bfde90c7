// A map's computation spread over the map's shape: when that is possible, and what a scalar result becomes.
// It must not know how computations are walked.
#pragma once

#include "formats/hlo_type_of.h"
#include "formats/hlo_values.h"

namespace fuseboard {

/// Whether a computation, with all that it calls, is scalar and elementwise throughout. Spends the budget.
bool is_hlo_mappable(const HloLexer& lexer, const HloModule& module, HloTypeOf& type_of, uint32_t computation,
                     HloBudget& budget);

/// In a map's computation: what reads spread values is spread itself.
void spread_hlo_op(const FusionGraph& graph, FusionOp& op);

/// A map whose computation yields the same scalar everywhere: the scalar is broadcast to `shape`.
uint32_t spread_hlo_value(uint32_t value, const Shape& shape, HloSpan span, std::string_view name, bool own,
                          HloValues& values, HloGraph& out);

}  // namespace fuseboard
