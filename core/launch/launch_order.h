// In which order the kernels of a plan may be launched, one after the other.
// It must not know PTX.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/dag.h"
#include "launch/kernel.h"
#include "plan/fusion_plan.h"

namespace fuseboard {

/// Indices of the kernels that run (one kernel a group; resident data and aliases run nothing), each behind
/// all whose results it reads: Kahn over the contracted graph, ready groups by their number. O(n + m).
std::vector<uint32_t> launch_order(const Dag& dag, const FusionPlan& plan,
                                   const std::vector<Kernel>& kernels);

}  // namespace fuseboard
