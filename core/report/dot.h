// A plan as Graphviz DOT: ops or launches as boxes, groups as clusters, edges between groups dashed.
// It must not know layouts, nor the kernels of a plan of ops.
#pragma once

#include <span>
#include <string>

#include "graph/fusion_graph.h"
#include "launch/collapse.h"
#include "launch/compute_graph.h"
#include "plan/fusion_plan.h"

namespace fuseboard {

/// Names are escaped for DOT; groups of one op get no cluster. O(size of the answer).
std::string dot(const FusionGraph& graph, const FusionPlan& plan);

/// A launch graph with its groups; what may not join others is grey.
std::string dot(const ComputeGraph& graph, std::span<const LaunchGroup> groups);

}  // namespace fuseboard
