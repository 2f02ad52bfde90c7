// Which divisions by a value of the whole row may be products with its reciprocal, which each row makes once.
// It must not know registers or walks.
#pragma once

#include <vector>

#include "graph/fusion_graph.h"
#include "launch/kernel.h"
#include "launch/row_schedule.h"

namespace fuseboard {

/// By step. In math fast, of f32 arithmetic, where the divisor is 0, NaN, or has a normal reciprocal whatever
/// the inputs: a root, or a sum of exponentials of what is left of the row's own largest element (one of them
/// is 1). A quotient is then rounded twice, as ops.def says of div. O(steps * casts in a row).
std::vector<bool> quotients_by_reciprocal(const FusionGraph& graph, const RowSchedule& schedule, Math math);

}  // namespace fuseboard
