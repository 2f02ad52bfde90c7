// The elementwise policy: spec 1's greedy merge of producer -> consumer edges into groups.
// It must not know prices or kernels.
#pragma once

#include "analysis/dag.h"
#include "graph/fusion_graph.h"
#include "graph/storage.h"
#include "plan/greedy_merge.h"

namespace fuseboard {

/// Asks of every edge in this order: is the producer fusible, the consumer, do the shapes fit, would the
/// contracted graph get a cycle. Near-linear (plan/greedy_merge.h).
Partition elementwise_partition(const FusionGraph& graph, const Dag& dag, const Storages& storages,
                                bool broadcast);

}  // namespace fuseboard
