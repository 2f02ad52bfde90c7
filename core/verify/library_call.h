// A kernel that is not ours: computed by reference where there is one, so that what follows has its values.
// It must not know PTX.
#pragma once

#include <cstdint>
#include <string>

#include "graph/fusion_graph.h"
#include "launch/kernel.h"
#include "verify/tensor_values.h"

namespace fuseboard {

/// Elements of the operands and products past which a call is not computed.
constexpr uint64_t kMostLibraryElements = uint64_t{1} << 20;

/// Puts the op's result into `values` and returns "", or why its values stay seeded. O(what the call costs).
std::string call_library(const FusionGraph& graph, uint32_t op, double scalar, TensorValues& values);

}  // namespace fuseboard
