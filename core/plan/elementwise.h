// The elementwise policy: spec 1's greedy merge of producer -> consumer edges into groups.
// It must not know prices or kernels.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/dag.h"
#include "graph/fusion_graph.h"
#include "graph/storage.h"
#include "plan/decision.h"

namespace fuseboard {

/// A representative op for each op's group, and the decisions taken on the way.
struct Partition {
  std::vector<uint32_t> label;
  DecisionList decisions;
};

/// Weighs every distinct edge, consumer by consumer in topological order (Kahn, FIFO, ready ops by id),
/// inputs as listed (spec 1, "Group formation"). Asks in this order: is the producer fusible, the consumer,
/// do the shapes fit, would the contracted graph get a cycle. Near-linear (analysis/acyclic_merge.h).
Partition elementwise_partition(const FusionGraph& graph, const Dag& dag, const Storages& storages,
                                bool broadcast);

}  // namespace fuseboard
