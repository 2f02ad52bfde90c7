// A launch graph as Graphviz DOT: nodes as boxes, groups as clusters, edges between groups dashed, branches
// of conditionals dotted. It must not know layouts, nor why launches form a group.
#pragma once

#include <span>
#include <string>

#include "launch/collapse.h"
#include "launch/compute_graph.h"

namespace fuseboard {

/// A box tells a node's name, kind, geometry and bytes; those that no kernel takes in are filled, a guess
/// about that is marked. Texts are escaped for DOT. `groups` may be empty, and share no node. O(size of the
/// answer).
std::string compute_graph_dot(const ComputeGraph& graph, std::span<const LaunchGroup> groups = {});

}  // namespace fuseboard
