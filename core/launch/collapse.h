// A launch graph with groups of its launches each collapsed into one.
// It must not know why these launches form a group, nor the text that a graph came from.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "launch/compute_graph.h"

namespace fuseboard {

/// Launches that become one kernel.
struct LaunchGroup {
  std::span<const uint32_t> members;  ///< in topological order; the first and the last are entry and exit
  std::string_view title;             ///< "Softmax", for the name and the tag
};

/// Every group becomes one launch, which stands where its first member did: ids are those of the nodes kept,
/// in their order. Its inputs are the buffers that some member reads before an earlier member has written
/// them, its outputs the last member's, its cost the sum (at least 1), its geometry the first's; name and tag
/// carry the title and the members' names. A group inside a branch of a conditional stands there once. Groups
/// share no node and contract to no cycle. The graph given is not changed. O(n + m).
ComputeGraph collapse(const ComputeGraph& graph, std::span<const LaunchGroup> groups);

/// The new id of every node of the graph that `collapse` was given: a member's is its group's. O(n).
std::vector<uint32_t> collapsed_ids(const ComputeGraph& graph, std::span<const LaunchGroup> groups);

}  // namespace fuseboard
