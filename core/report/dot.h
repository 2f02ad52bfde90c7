// A plan as Graphviz DOT: ops as boxes, groups as clusters, edges between groups dashed.
// It must not know layouts or kernels.
#pragma once

#include <string>

#include "graph/fusion_graph.h"
#include "plan/fusion_plan.h"

namespace fuseboard {

/// Names are escaped for DOT; groups of one op get no cluster. O(size of the answer).
std::string dot(const FusionGraph& graph, const FusionPlan& plan);

}  // namespace fuseboard
