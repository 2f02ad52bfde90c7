// The parameters of kernels and library calls, in order, with their names.
// It must not know loops, rows, nor PTX.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/fusion_graph.h"
#include "launch/graph_facts.h"
#include "launch/group_needs.h"
#include "launch/kernel.h"

namespace fuseboard {

/// The storages read from outside, immediates aside; members that are resident; the storages written; then
/// scalars that the graph gives no value for, one an op.
std::vector<KernelParameter> kernel_parameters(const FusionGraph& graph, const GraphFacts& facts,
                                               const GroupNeeds& needs);

/// Pointers to these storages, and to an op's own.
std::vector<KernelParameter> pointer_parameters(const FusionGraph& graph, const GraphFacts& facts,
                                                std::span<const uint32_t> sources, uint32_t op);

/// The distinct storages of a called op's operands, in their order, and its own. A Move among the members is
/// an operand that the call turns itself: there it is what is behind that.
std::vector<KernelParameter> call_parameters(const FusionGraph& graph, const GraphFacts& facts,
                                             std::span<const uint32_t> members, uint32_t op);

}  // namespace fuseboard
