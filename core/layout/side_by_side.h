// Two drawings as one: the second stands right of the first, each below a heading's strip.
// Must not know what is drawn.
#pragma once

#include "layout/layered_layout.h"

namespace fuseboard {

// Above each of the two, for its heading.
inline constexpr float kHeadingStrip = 28;

// The nodes, groups and edges of the second follow those of the first. O(size of both).
Layout side_by_side(Layout first, const Layout& second);

}  // namespace fuseboard
