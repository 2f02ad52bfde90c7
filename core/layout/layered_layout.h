// Where each op, each group box and each edge is drawn: plain arrays in, plain arrays out.
// Must not know what an op is, what a group means, or who draws.
//
// Method. Layers from top to bottom (Sugiyama, Tagawa, Toda 1981), on two levels. The members of a boxed
// group are drawn on a sheet of their own, where every value that enters or leaves is a port on the upper or
// lower rim; then each box is one big node of an outer sheet. So boxes cannot overlap or hold a stranger,
// whatever the graph, and an edge that ends deep inside a box still has a lane of its own there. The price is
// height: a tall box makes its whole layer tall. The steps of a sheet, each in the file of its name: ranks,
// lanes, ordering, coordinates, routes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fuseboard {

// What to draw. All lengths are pixels. Ids are dense and need not be topological.
struct LayoutInput {
  std::span<const float> width;   // per node
  std::span<const float> height;  // per node
  std::span<const uint32_t> edge_from;
  std::span<const uint32_t> edge_to;  // distinct edges of a DAG, in any order
  std::span<const uint32_t> group;  // per node, any number past `boxed` for none; the contraction is acyclic
  std::span<const uint8_t> boxed;   // per group: draw a box. An unboxed group's members stand alone
  std::span<const float> title_width;  // per group: the least width its title strip needs. May be empty
};

// The drawing, in pixels, from (0, 0) right and down.
struct Layout {
  float width = 0;
  float height = 0;
  std::vector<float> x, y;                                         // per node: the left upper corner
  std::vector<float> group_x, group_y, group_width, group_height;  // per group; zero where no box is drawn
  // Per edge, and the end: the first point of its line, counted in points.
  std::vector<uint32_t> edge_start;
  // x0, y0, x1, y1, ... from the producer's lower rim to the consumer's upper rim.
  std::vector<float> edge_points;
};

// A box's title stands in a strip of this height along its upper rim; lines that enter cross it vertically.
inline constexpr float kTitleStrip = 22;

// Draws a graph. Every edge runs downwards. No two nodes or boxes overlap, a box holds its members and
// nothing else, and no line crosses a node or a foreign box: a line is vertical within a layer and slants
// only in the empty gap between two layers, so that a renderer may draw each slanted piece as a cubic curve
// with vertical tangents. Edges of one value share their line until they part.
//
// The order within a layer follows from ids and edges alone, never from widths; iteration counts are fixed
// and nothing is random. An op that depends on no other and serves one (a weight, a constant) stands just
// above its reader. A layer of many readers of one value is wrapped into rows. Time O((n + m) log n), memory
// and output O(n + m): where lanes for all edges would cost more than a few for each op and edge, the longest
// edges run along the right rim of their sheet, at most sixteen side by side, and where lines still have too
// many bends in all, long shared pieces lose their bends. Graphs of a few thousand ops never come to that.
// Where the contraction turns out cyclic, no boxes are drawn.
Layout layered_layout(const LayoutInput& input);

}  // namespace fuseboard
