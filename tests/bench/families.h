// The graph families of the bench: eleven shapes that punish careless planners, at any size.
// It must not know how they are planned or timed.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "graph/fusion_graph.h"

namespace fuseboard {

struct Family {
  std::string_view name;
  FusionGraph (*make)(uint32_t n);  ///< about n ops, the same ones each time
};

/// chain random uniform transformer leaf parallel sandwich fan shared skips net (design 7, algorithms 1).
const std::vector<Family>& families();

}  // namespace fuseboard
