// The kernels of a lowered plan as programs for the sequential simulator, and the data that they find.
// It must not know how they are run.
#pragma once

#include <cstdint>
#include <vector>

#include "emit/ptx.h"
#include "graph/fusion_graph.h"
#include "launch/kernel.h"
#include "launch/to_compute_graph.h"
#include "verify/sequential_simulator.h"
#include "verify/tensor_values.h"

namespace fuseboard {

/// One for every node of `launched` whose kernel's PTX is written. Parameters by value are
/// scalar_of(scalar, op) (verify/seeded_values.h). O(instructions).
std::vector<LaunchProgram> launch_programs(const FusionGraph& graph, const std::vector<Kernel>& kernels,
                                           const LaunchedPlan& launched, const EmitOptions& options,
                                           double scalar);

/// The bytes of each op's storage as `values`, which must outlive it, has them.
BufferFill buffer_fill(const FusionGraph& graph, const TensorValues& values);

}  // namespace fuseboard
