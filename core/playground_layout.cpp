// Handing a drawing over.
// It must not know what stands in a box.
#include "playground_layout.h"

#include <utility>

namespace fuseboard {

PlaygroundLayout page_layout(Layout drawn, std::vector<float> widths) {
  PlaygroundLayout out;
  out.total_width = drawn.width;
  out.total_height = drawn.height;
  out.x = std::move(drawn.x);
  out.y = std::move(drawn.y);
  out.height.assign(widths.size(), kBoxHeight);
  out.width = std::move(widths);
  out.group_x = std::move(drawn.group_x);
  out.group_y = std::move(drawn.group_y);
  out.group_width = std::move(drawn.group_width);
  out.group_height = std::move(drawn.group_height);
  out.edge_start = std::move(drawn.edge_start);
  out.edge_points = std::move(drawn.edge_points);
  return out;
}

}  // namespace fuseboard
