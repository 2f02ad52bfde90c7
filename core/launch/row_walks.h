// How the offsets of a kernel's maps move along its rows: from slot to slot and from pass to pass.
// It must not know ops, nor PTX.
#pragma once

#include <vector>

#include "launch/index_map.h"
#include "launch/index_walk.h"
#include "launch/row_shape.h"

namespace fuseboard {

/// Of every map over a row shape's full elements: affine in the slots, and from pass to pass, as a thread
/// stays in its rows. Where slot_stride is 1 the first slot's offset is a multiple of the slots. O(digits *
/// parts).
std::vector<MapWalk> row_walks(const IndexMaps& maps, const RowShape& shape);

}  // namespace fuseboard
