// One group of a plan as a graph of its own, at smaller sizes that keep its structure.
// It must not know kernels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/fusion_graph.h"
#include "plan/fusion_plan.h"

namespace fuseboard {

struct ShrunkGroup {
  FusionGraph graph;
  std::vector<uint32_t> label;     ///< of each op: ops of one label share a group (plan/cost.h)
  std::vector<uint32_t> original;  ///< of each op, in the graph it came from
  std::string shapes;              ///< "[8192,4096] as [3,16]": of the first output
};

/// Dimensions that must be equal stay equal, 1 stays 1, what a reshape splits or joins still does; others
/// become small and distinct: multiples of 16 innermost where they were, or, `ragged`, odd. Storages from
/// outside become inputs. Nothing where no such sizes exist: `why_not` tells. O(ops * rank) expected.
std::optional<ShrunkGroup> shrink_group(const FusionGraph& graph, const FusionGroup& group, bool ragged,
                                        std::string& why_not);

}  // namespace fuseboard
