// Moving coordinates, and appending them.
// Must not know what is drawn.
#include "layout/side_by_side.h"

#include <algorithm>
#include <vector>

namespace fuseboard {
namespace {

constexpr float kBetween = 72;

void append(std::vector<float>& to, const std::vector<float>& from, float by) {
  for (const float each : from) to.push_back(each + by);
}

void move_by(std::vector<float>& all, float by) {
  for (float& each : all) each += by;
}

void append_points(std::vector<float>& to, const std::vector<float>& from, float x, float y) {
  for (size_t i = 0; i < from.size(); ++i) to.push_back(from[i] + (i % 2 == 0 ? x : y));
}

}  // namespace

Layout side_by_side(Layout first, const Layout& second) {
  const float x = first.width + kBetween;
  move_by(first.y, kHeadingStrip);
  move_by(first.group_y, kHeadingStrip);
  for (size_t i = 1; i < first.edge_points.size(); i += 2) first.edge_points[i] += kHeadingStrip;
  append(first.x, second.x, x);
  append(first.y, second.y, kHeadingStrip);
  append(first.group_x, second.group_x, x);
  append(first.group_y, second.group_y, kHeadingStrip);
  append(first.group_width, second.group_width, 0);
  append(first.group_height, second.group_height, 0);
  const uint32_t points = first.edge_start.empty() ? 0 : first.edge_start.back();
  if (first.edge_start.empty()) first.edge_start.push_back(0);
  for (size_t i = 1; i < second.edge_start.size(); ++i) {
    first.edge_start.push_back(points + second.edge_start[i]);
  }
  append_points(first.edge_points, second.edge_points, x, kHeadingStrip);
  first.width = x + second.width;
  first.height = std::max(first.height, second.height) + kHeadingStrip;
  return first;
}

}  // namespace fuseboard
