// Partition first, then the price.
// It must not know formats or kernels.
#include "plan/fusion_planner.h"

#include <numeric>
#include <utility>

#include "plan/cost.h"
#include "plan/elementwise.h"
#include "plan/regions.h"
#include "plan/row_needs.h"
#include "plan/rows.h"

namespace fuseboard {

FusionPlanner FusionPlanner::with_broadcast(bool allowed) const {
  FusionPlanner out = *this;
  out.broadcast_ = allowed;
  return out;
}

FusionPlanner FusionPlanner::with_policy(Policy policy) const {
  FusionPlanner out = *this;
  out.policy_ = policy;
  return out;
}

FusionPlan FusionPlanner::plan(const FusionGraph& graph) const {
  const Dag dag = graph.dag();
  const Storages stores = storages(graph);
  const auto priced = [&](Partition partition) {
    FusionPlan plan = priced_plan(graph, dag, stores, partition.label);
    plan.decisions = std::move(partition.decisions);
    return plan;
  };
  FusionPlan elementwise = priced(elementwise_partition(graph, dag, stores, broadcast_));
  if (policy_ == Policy::elementwise) return elementwise;
  const RowFacts facts = row_facts(graph, dag, stores);
  if (!facts.reduces) return elementwise;
  if (policy_ == Policy::regions) return priced(regions_partition(graph, dag, stores, facts, broadcast_));
  FusionPlan rows = priced(rows_partition(graph, dag, stores, facts, broadcast_));
  return rows.bytes_fused > elementwise.bytes_fused ? std::move(elementwise) : std::move(rows);
}

FusionPlan FusionPlanner::plan_unfused(const FusionGraph& graph) {
  std::vector<uint32_t> label(graph.size());
  std::iota(label.begin(), label.end(), 0U);
  return priced_plan(graph, graph.dag(), storages(graph), label);
}

}  // namespace fuseboard
