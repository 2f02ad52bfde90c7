// What a message calls a node of a launch graph.
// It must not know what the message is about.
#pragma once

#include <cstdint>
#include <string>

#include "launch/compute_graph.h"

namespace fuseboard {

/// `"exp" (3)`: the function name, else the name, in quotes, else the kind; then the id.
std::string node_title(const ComputeGraph& graph, uint32_t id);

}  // namespace fuseboard
