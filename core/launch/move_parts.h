// A Move op as boxes of its result: for each kind where a step along a dimension leads in the operand.
// It must not know how the boxes are walked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/fusion_graph.h"
#include "launch/move_shape.h"

namespace fuseboard {

/// The boxes of a Move whose shapes and attributes fit (move_fault), one dimension of the result each, empty
/// ones left out; of a gather: what lies before the axis, the indices, what lies behind. O(operands * rank).
std::vector<MovePart> move_parts(const FusionGraph& graph, uint32_t op);

/// Why a Move cannot be walked, in words that follow the op's name; empty where it can. O(operands * rank).
std::string move_fault(const FusionGraph& graph, uint32_t op);

/// The dimension that an attribute `axis` names; 0 where it has none. It must be one of the shape.
size_t move_axis(const FusionOp& op, size_t rank);

}  // namespace fuseboard
