// How many registers the values of a kernel that reduces want for one element of a row.
// It must not know PTX, nor how threads share rows.
#pragma once

#include <cstdint>

#include "graph/fusion_graph.h"
#include "launch/row_closure.h"
#include "launch/row_schedule.h"

namespace fuseboard {

/// In 32-bit words, full values only.
struct RowWords {
  uint64_t kept = 0;  ///< held, from one walk to a later one, at most
  uint64_t within =
      0;  ///< that live at once where each is made in order: no walk, held or looped, wants more
};

/// `held` is the schedule's placement. O(operands).
RowWords row_words(const FusionGraph& graph, const RowSchedule& schedule, const RowPlacement& held);

}  // namespace fuseboard
