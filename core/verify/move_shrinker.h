// A Move over operands that have become smaller: which of their dimensions must stay alike, and what it then
// cuts, pads and yields. It must not know groups, nor kernels.
#pragma once

#include <cstddef>
#include <optional>

#include "graph/fusion_graph.h"

namespace fuseboard {

/// The dimension of a sound Move's result that dimension `dim` of its operand `input` (by its place in
/// op.inputs) becomes, where the two always have the same extent.
std::optional<size_t> moved_dimension(const FusionOp& op, size_t input, size_t dim);

/// Gives the Move the attributes and the shape that suit its operands' new shapes: what it cuts off or pads
/// stays as it is up to 16 elements, and keeps its remainder by 16 beyond. `was`: the op in the graph of
/// before, where its operands had their old shapes. False where nothing is left to move. O(operands * rank).
bool shrink_move(FusionGraph& graph, uint32_t id, const FusionGraph& before, const FusionOp& was);

}  // namespace fuseboard
