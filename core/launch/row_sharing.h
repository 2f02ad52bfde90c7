// Choosing how threads share rows: slots, threads, rows of a block, held or looped.
// It must not know PTX, nor grids.
#pragma once

#include "graph/fusion_graph.h"
#include "launch/row_schedule.h"
#include "launch/row_shape.h"

namespace fuseboard {

/// Fills all of `shape` but its domain and stores, of which `schedule` was made. A block has a multiple of 32
/// threads, 1024 at most. O(steps + digits).
void share_rows(const FusionGraph& graph, const RowSchedule& schedule, RowShape& shape);

}  // namespace fuseboard
