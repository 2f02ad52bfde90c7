// Which tensors of a graph are folded on the way to its results, and by what.
// It must not know values, nor kernels.
#pragma once

#include <vector>

#include "graph/fusion_graph.h"
#include "verify/seeded_values.h"

namespace fuseboard {

/// One an op: the longest fold that its values reach, through whatever ops. O(n + m).
std::vector<Calm> calm_of_ops(const FusionGraph& graph);

}  // namespace fuseboard
