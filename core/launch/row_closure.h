// In which walks along its rows a kernel that reduces makes which values and writes which stores.
// It must not know PTX, nor how threads share rows.
#pragma once

#include <cstdint>
#include <vector>

#include "launch/row_schedule.h"
#include "launch/row_shape.h"

namespace fuseboard {

/// By-row steps, folds and immediates are not in it: a fold is fed in its RowStep::walk, the others stand
/// between the walks.
struct RowPlacement {
  std::vector<std::vector<uint32_t>> walks;  ///< by walk: the full steps made there, ascending
  std::vector<uint32_t> store_walk;  ///< by store: the walk in which a full one is written; `walks` by row
};

/// A walk makes what its folds and stores need. A full store is written in the first walk that makes it for
/// another's sake, or else in the first that can. Held: each full step is made once, in the first walk that
/// needs it (gamma, which walk 2 multiplies, is loaded in walk 2), and stays. Looped: nothing is kept between
/// walks, so each walk makes all that it needs again. O(operands * walks) looped, O(operands) held.
RowPlacement row_placement(const RowSchedule& schedule, RowWalk walk);

}  // namespace fuseboard
