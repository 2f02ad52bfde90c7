// Which kernels a plan needs: one a group, with entry name, parameters in order, loops, grid and block.
// It must not know PTX.
#pragma once

#include <vector>

#include "graph/fusion_graph.h"
#include "launch/kernel.h"
#include "plan/fusion_plan.h"

namespace fuseboard {

struct LowerOptions {
  Math math = Math::fast;
};

/// The kernel of every group of a sound graph's plan, in the plan's order (a plan of singletons: every op
/// alone).
/// - library: matmul and the like, a reduce without a row domain (plan/row_domain.h), or alone without a
/// known
///   reducer: parameters are its operands' storages and itself.
/// - none: resident data, views alone, and what has no elements to store.
/// - kernel of a Move alone (launch/move_shape.h): parameters are the storages that it reads, in the order of
///   the operands, and itself.
/// - kernel of Point ops and views (loops) or also Reduce ops (rows, launch/row_shape.h). Parameters: the
///   storages read from outside, ascending; members that are resident sources of a computing kind; the
///   storages written, ascending; then scalars that the graph gives no value for, one an op.
/// What cannot be written as PTX has emittable = false and one diagnostic: the first op in the way and how
/// many there are. O(n + m) over all groups, a sort of each group's members aside; no recursion.
std::vector<Kernel> lower(const FusionGraph& graph, const FusionPlan& plan, const LowerOptions& options = {},
                          const OpPlaces& places = {});

}  // namespace fuseboard
