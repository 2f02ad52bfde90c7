// What a kernel is called: for people, and as a PTX entry.
// It must not know loops, rows, nor PTX.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "graph/fusion_graph.h"

namespace fuseboard {

struct KernelName {
  std::string name;   ///< "add_relu", "max_sub_exp_etc", "layer_norm"
  std::string entry;  ///< of the ops' own names, or the pattern's; unique by the group's number
};

/// Of the members of a group in topological order: their Point and Reduce ops, a reduce called after what it
/// folds by. `pattern`: "LayerNorm", where the group is known as something (plan/pattern.h). O(members).
KernelName kernel_name(const FusionGraph& graph, std::span<const uint32_t> members, uint32_t group,
                       std::string_view pattern = {});

}  // namespace fuseboard
