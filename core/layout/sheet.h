// One level of the drawing: boxes in layers, and the lanes of links that pass a layer. The caller fills it,
// the steps below draw it. Must not know what a box stands for: an op, a port on a rim, or a whole group.
#pragma once

#include <cstdint>
#include <vector>

namespace fuseboard::layout {

inline constexpr uint32_t kNone = UINT32_MAX;
inline constexpr float kFreeOffset = -1;  // a link may end anywhere on its box's upper rim
inline constexpr float kLaneWidth = 4;
inline constexpr float kLinePitch = 10;  // between two lines side by side

enum class Pin : uint8_t { None, Top, Bottom };

// A value is what one box sends down, one line that forks; a link is one box that reads it. Slots are the
// boxes, then one for each layer that a value passes on its way (a lane). Segments join slots of adjacent
// layers.
struct Sheet {
  // Filled by the caller. Values are sorted by box, links by value.
  std::vector<float> width, height;  // per slot (height per box)
  std::vector<Pin> pin;              // per box
  std::vector<uint8_t> operand;      // per box: a mere operand, whose line bends before others do
  std::vector<uint32_t> top_ports, bottom_ports;  // per slot: how many places on its rims, at least 1
  std::vector<uint32_t> value_box, value_port;
  std::vector<float> value_offset;  // where it leaves, from the box's left
  std::vector<uint32_t> link_value, link_box, link_port;
  std::vector<float> link_offset;  // where it enters, from the box's left, or kFreeOffset
  float layer_gap = 30;

  // rank_boxes
  uint32_t boxes = 0;
  uint32_t layers = 0;
  std::vector<uint32_t> rank;            // per box
  std::vector<uint32_t> box_link_start;  // per box, and the end: its links (of all its values)
  std::vector<uint32_t> incoming;        // per box: how many links end there

  // lay_lanes
  uint32_t slots = 0;
  std::vector<uint8_t> link_far;             // 0: through lanes, 1: along the right rim
  std::vector<uint32_t> link_segment;        // the segment that ends at the box (near links)
  std::vector<uint32_t> lane_start;          // per value: its first lane slot, in the layer after its box's
  std::vector<uint32_t> layer_start, order;  // slots by layer, from left to right
  std::vector<uint32_t> position;            // per slot: its index within its layer
  std::vector<uint32_t> upper, lower, upper_port, lower_port;            // per segment
  std::vector<float> upper_offset, lower_offset, weight;                 // per segment
  std::vector<uint32_t> up_start, up_segment, down_start, down_segment;  // per slot: its segments

  // place_slots
  std::vector<float> x;  // per slot
  std::vector<float> y;  // per box
  std::vector<float> layer_top, layer_bottom;
  float total_width = 0, total_height = 0;

  // route_links, appended for each link: points, and where they end (in points)
  std::vector<float> points;
  std::vector<uint32_t> point_end;

  // Forgets the content, keeps the memory.
  void clear();
  // Adds one, returns its number.
  uint32_t add_box(float box_width, float box_height, Pin box_pin, bool is_operand);
  uint32_t add_value(uint32_t box, uint32_t port, float offset);
  uint32_t add_link(uint32_t value, uint32_t box, uint32_t port, float offset);
};

// How many lane slots a sheet may have: a few for each box and link, and enough that a graph one can read has
// all it wants.
inline uint64_t slot_budget(const Sheet& s) { return 2 * (s.pin.size() + s.link_box.size()) + 10000; }

// The least distance between two neighbours of a layer.
inline float gap_between(const Sheet& s, uint32_t left, uint32_t right) {
  const bool left_box = left < s.boxes && s.pin[left] == Pin::None;
  const bool right_box = right < s.boxes && s.pin[right] == Pin::None;
  return left_box && right_box ? 24.0F : left_box || right_box ? 14.0F : kLinePitch - kLaneWidth;
}

// Gives each box its layer: the longest path from above, then whatever hangs from nothing is pulled down to
// its first reader, and layers far too wide are wrapped into rows. False where the links close a cycle.
// O(boxes + links).
bool rank_boxes(Sheet& s);
// Cuts links that pass layers into segments, sharing one lane per value; sends what exceeds the budget to the
// rim. O(boxes + links).
void lay_lanes(Sheet& s);
// Orders the slots of each layer for few crossings. O((slots + segments) log(slots)).
void order_slots(Sheet& s);
// Finds x of every slot and y of every box. O((slots + segments) log(slots)).
void place_slots(Sheet& s);
// Writes the line of each link. O(boxes + links + bends), and a sort of the links that enter one box.
void route_links(Sheet& s);

// All five; false (and nothing drawn) where the links close a cycle.
bool draw_sheet(Sheet& s);

}  // namespace fuseboard::layout
