// What each node of a launch graph is called where people read it.
// It must not know the text that a graph came from.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "launch/collapse.h"
#include "launch/compute_graph.h"

namespace fuseboard {

/// One a node: its name, else its function's, else its kind; where several would be called the same, each has
/// its id behind it ("exp #4"). O(characters).
std::vector<std::string> node_labels(const ComputeGraph& graph);

/// Of the graph that `collapse` made of it: what stands for a group is called by its title and ends
/// ("Softmax: row_max to divide"), any other node as in `graph`. O(characters).
std::vector<std::string> rewritten_labels(const ComputeGraph& graph, std::span<const LaunchGroup> groups);

}  // namespace fuseboard
