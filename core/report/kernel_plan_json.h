// The answer of the region pass in spec 2's fields alone.
// It must not know the text that a graph came from.
#pragma once

#include <string>

#include "launch/compute_graph.h"
#include "launch/reduction_fusion.h"

namespace fuseboard {

/// The golden form: {"plan": {"groups": [{"root", "sink", "members"}], "launches_saved"}, "rewritten":
/// {"nodes": the id that each kept node had (a group's root for the fused one), "edges": [[from, to]] in new
/// ids, ascending, "fused": {root: {"inputs", "outputs", "cost_hint"}}}}. O(size of the answer).
std::string spec_kernel_plan_json(const ComputeGraph& graph, const ReductionFusionPlan& plan);

}  // namespace fuseboard
