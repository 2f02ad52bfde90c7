// The planner's front: options in, a FusionPlan out (spec 1).
// It must not know formats or kernels.
#pragma once

#include "graph/fusion_graph.h"
#include "plan/fusion_plan.h"
#include "plan/policy.h"

namespace fuseboard {

class FusionPlanner {
 public:
  /// Whether a producer may stretch to its consumer's shape (spec 1, legality 3). Default: true.
  FusionPlanner with_broadcast(bool allowed) const;

  /// Default: elementwise.
  FusionPlanner with_policy(Policy policy) const;

  /// Plans a graph that validate() found without errors. Near-linear; see plan/greedy_merge.h.
  FusionPlan plan(const FusionGraph& graph) const;

  /// Every op alone, priced the same way; no decisions.
  static FusionPlan plan_unfused(const FusionGraph& graph);

 private:
  bool broadcast_ = true;
  Policy policy_ = Policy::elementwise;
};

}  // namespace fuseboard
