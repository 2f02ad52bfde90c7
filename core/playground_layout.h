// How large the page's boxes are, and a drawing as the facade gives it out.
// It must not know what stands in a box.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "layout/layered_layout.h"
#include "playground.h"

namespace fuseboard {

constexpr float kBoxHeight = 40;  ///< two lines of text

/// Wide enough for so many columns of the page's 12 px monospace font; the page cuts longer labels.
inline float box_width(size_t columns) {
  constexpr size_t kLeast = 8;
  constexpr size_t kMost = 36;
  constexpr float kColumn = 7.25F;
  constexpr float kPadding = 20;
  return static_cast<float>(std::clamp(columns, kLeast, kMost)) * kColumn + kPadding;
}

/// The drawing of boxes of these widths, each kBoxHeight high. O(size of the drawing).
PlaygroundLayout page_layout(Layout drawn, std::vector<float> widths);

}  // namespace fuseboard
