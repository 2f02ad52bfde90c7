// Graph families with reductions: shapes that punish a careless planner over rows, at any size.
// It must not know how they are planned or timed.
#pragma once

#include <vector>

#include "families.h"

namespace fuseboard {

/// blocks softmaxes crossed statistics outcasts.
const std::vector<Family>& row_families();

}  // namespace fuseboard
