// Two drawings as one: numbers of nodes, groups and edges run on, and nothing of the two overlaps.
// It must not know how either was drawn.
#include "layout/side_by_side.h"

#include "catch.h"

namespace {

using namespace fuseboard;

/// Two nodes below each other, 10 by 10, one edge; a box around the first.
Layout pair_of_nodes() {
  Layout one;
  one.width = 14;
  one.height = 40;
  one.x = {2, 2};
  one.y = {2, 30};
  one.group_x = {0};
  one.group_y = {0};
  one.group_width = {14};
  one.group_height = {14};
  one.edge_start = {0, 2};
  one.edge_points = {7, 12, 7, 30};
  return one;
}

}  // namespace

TEST_CASE("the second drawing stands right of the first, both below their headings") {
  const Layout both = side_by_side(pair_of_nodes(), pair_of_nodes());
  REQUIRE(both.x.size() == 4);
  const float shift = both.x[2] - both.x[0];
  CHECK(shift > 14);
  CHECK(both.width == shift + 14);
  CHECK(both.height == 40 + kHeadingStrip);
  CHECK(both.y ==
        std::vector<float>{2 + kHeadingStrip, 30 + kHeadingStrip, 2 + kHeadingStrip, 30 + kHeadingStrip});
  CHECK(both.group_x == std::vector<float>{0, shift});
  CHECK(both.group_width == std::vector<float>{14, 14});
  CHECK(both.edge_start == std::vector<uint32_t>{0, 2, 4});
  CHECK(both.edge_points == std::vector<float>{7, 12 + kHeadingStrip, 7, 30 + kHeadingStrip, 7 + shift,
                                               12 + kHeadingStrip, 7 + shift, 30 + kHeadingStrip});
}

TEST_CASE("a drawing without edges may come first") {
  Layout alone;
  alone.width = 10;
  alone.x = {0};
  alone.y = {0};
  const Layout both = side_by_side(alone, pair_of_nodes());
  CHECK(both.edge_start == std::vector<uint32_t>{0, 2});
  CHECK(both.x.size() == 3);
}
