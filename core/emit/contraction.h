// Which multiplications melt into the addition that reads them.
// It must not know registers or loops.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/fusion_graph.h"
#include "launch/kernel.h"
#include "launch/loop_schedule.h"
#include "launch/row_schedule.h"

namespace fuseboard {

constexpr uint32_t kNoStep = 0xffffffff;

struct Contractions {
  std::vector<uint32_t> product_of;  ///< by step: of an add, sub or fold the mul that it swallows, or kNoStep
  std::vector<bool> is_contracted;   ///< by step: it is swallowed
  std::vector<bool> is_difference;   ///< by step that swallows: it subtracts
};

/// math: fast: a mul of f32 arithmetic that one add or sub of the same element reads, and nobody else, is
/// rounded with it in one fma, as nvcc's default does; the first operand first. None in math: precise.
/// O(steps).
Contractions contractions_of(const FusionGraph& graph, const LoopSchedule& schedule, Math math);

/// The same for a kernel that reduces, and there a sum or mean swallows a mul too that it alone reads, where
/// a factor is made in the fold's own walk: each product is rounded with its addition.
Contractions contractions_of(const FusionGraph& graph, const RowSchedule& schedule, Math math);

}  // namespace fuseboard
