// Taking out of groups that reduce what their kernels could not store.
// It must not know how the groups were found, nor kernels.
#pragma once

#include <span>

#include "analysis/dag.h"
#include "graph/fusion_graph.h"
#include "graph/storage.h"
#include "plan/greedy_merge.h"
#include "plan/row_needs.h"

namespace fuseboard {

/// A kernel over a row domain stores values that are full or by row. A member of another size that is wanted
/// outside leaves its group, with all of the group that it is made of: what has no producer left in the
/// group can leave it without closing a cycle. They form groups of their own, where edges link them.
/// `domain` is that of each op's group, or kNoDomain. Decisions follow. O(n + m).
void cast_out(const FusionGraph& graph, const Dag& dag, const Storages& storages, const RowFacts& facts,
              std::span<const uint32_t> domain, Partition& partition);

}  // namespace fuseboard
