// The regions policy: closed regions around reductions first, then spec 1 over what is left.
// It must not know prices or kernels.
#pragma once

#include "analysis/dag.h"
#include "graph/fusion_graph.h"
#include "graph/storage.h"
#include "plan/greedy_merge.h"
#include "plan/region_decision.h"
#include "plan/row_needs.h"

namespace fuseboard {

/// Regions by spec 2 (analysis/regions.h, values that do not depend on the root may enter), where members are
/// compatible that share a row domain, and a listed output counts as an edge that leaves. Only regions that
/// reduce are taken, and whose sink their kernel can store. Spec 1 weighs the edges between all other ops.
/// O((n + m) log n) beside plan/greedy_merge.h.
Partition regions_partition(const FusionGraph& graph, const Dag& dag, const Storages& storages,
                            const RowFacts& facts, bool broadcast);

/// Why the policy takes the regions that it takes: one decision for every op that shares a row domain and is
/// in no other op's region. Found anew at each call. O((n + m) log n), and plan/row_needs.h.
std::vector<RegionDecision> region_decisions(const FusionGraph& graph, bool broadcast);

}  // namespace fuseboard
