// The reducer that a reduce names.
// It must not know what reducers do.
#pragma once

#include <string_view>

#include "graph/fusion_graph.h"

namespace fuseboard {

/// As Reducer (graph/reducer.h) knows them; "" where the op names none.
std::string_view reducer_of(const FusionOp& reduce);

/// Whether it names one that Reducer knows. A fold by a computation without a name is somebody else's kernel.
bool has_known_reducer(const FusionOp& reduce);

}  // namespace fuseboard
