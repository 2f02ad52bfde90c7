// Partition first, then the price.
// It must not know formats or kernels.
#include "plan/fusion_planner.h"

#include <numeric>
#include <utility>

#include "plan/cost.h"
#include "plan/elementwise.h"

namespace fuseboard {

FusionPlanner FusionPlanner::with_broadcast(bool allowed) const {
  FusionPlanner out = *this;
  out.broadcast_ = allowed;
  return out;
}

FusionPlan FusionPlanner::plan(const FusionGraph& graph) const {
  const Dag dag = graph.dag();
  const Storages stores = storages(graph);
  Partition partition = elementwise_partition(graph, dag, stores, broadcast_);
  FusionPlan plan = priced_plan(graph, dag, stores, partition.label);
  plan.decisions = std::move(partition.decisions);
  return plan;
}

FusionPlan FusionPlanner::plan_unfused(const FusionGraph& graph) {
  std::vector<uint32_t> label(graph.size());
  std::iota(label.begin(), label.end(), 0U);
  return priced_plan(graph, graph.dag(), storages(graph), label);
}

}  // namespace fuseboard
