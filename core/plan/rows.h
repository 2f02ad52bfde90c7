// The rows policy: spec 1's greedy merge, with edges into and out of reductions that share their rows.
// It must not know prices or kernels.
#pragma once

#include "analysis/dag.h"
#include "graph/fusion_graph.h"
#include "graph/storage.h"
#include "plan/greedy_merge.h"
#include "plan/row_needs.h"

namespace fuseboard {

/// Asks of every edge what elementwise_partition asks, then whether all reductions of both groups would fold
/// one row domain, whether what depends on them would be read only at its own row or element, and whether no
/// value would be larger than that domain; last for a cycle. What such a group makes in another size than
/// full or by row cannot be stored by its kernel: where someone outside wants it, it and what it is made of
/// leave the group in the end. A matmul takes the transposes of its operands with it
/// (plan/turned_operands.h). Near-linear (plan/greedy_merge.h).
Partition rows_partition(const FusionGraph& graph, const Dag& dag, const Storages& storages,
                         const RowFacts& facts, bool broadcast);

}  // namespace fuseboard
