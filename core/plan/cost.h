// The price of a partition in bytes moved (spec 1, "Memory-bandwidth cost model").
// It must not know why ops share a group.
#pragma once

#include <cstdint>
#include <span>

#include "analysis/dag.h"
#include "graph/fusion_graph.h"
#include "graph/storage.h"
#include "plan/fusion_plan.h"

namespace fuseboard {

/// Groups, their inputs, outputs, intermediates and bytes, and the totals, for any partition given as a label
/// an op (ops of one label share a group; labels are op ids). Decisions stay empty. O(n + m) plus sorting of
/// the inputs.
FusionPlan priced_plan(const FusionGraph& graph, const Dag& dag, const Storages& storages,
                       std::span<const uint32_t> label);

}  // namespace fuseboard
