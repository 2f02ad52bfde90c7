// Cuts links into segments between adjacent layers; a value that passes a layer has one lane slot there,
// shared by all its readers. Must not know coordinates.
#include <algorithm>

#include "layout/sheet.h"

namespace fuseboard::layout {
namespace {

uint32_t span_of(const Sheet& s, size_t link) {
  return s.rank[s.link_box[link]] - s.rank[s.value_box[s.link_value[link]]];
}

// Links longer than the longest length that the budgets pay for are far: lane slots are shared by the readers
// of a value, bends are not. Graphs as people write them have none.
void choose_far_links(Sheet& s) {
  const size_t links = s.link_box.size();
  s.link_far.assign(links, 0);
  uint64_t bends = 0;
  for (size_t l = 0; l < links; ++l) bends += span_of(s, l) - 1;
  const uint64_t budget = slot_budget(s);
  if (bends <= budget) return;
  std::vector<uint64_t> bends_of(s.layers + 1, 0), slots_of(s.layers + 1, 0);  // by length
  std::vector<uint32_t> spans;                                                 // of one value's links
  for (size_t l = 0; l < links;) {
    spans.clear();
    for (const uint32_t v = s.link_value[l]; l < links && s.link_value[l] == v; ++l)
      spans.push_back(span_of(s, l));
    std::sort(spans.begin(), spans.end());
    uint32_t reached = 1;
    for (const uint32_t span : spans) {
      bends_of[span] += span - 1;
      slots_of[span] += span - reached;
      reached = span;
    }
  }
  uint32_t longest = 0;
  uint64_t slots = 0;
  bends = 0;
  while (longest < s.layers) {
    bends += bends_of[longest + 1];
    slots += slots_of[longest + 1];
    if (slots > budget || bends > 8 * budget) break;
    ++longest;
  }
  for (size_t l = 0; l < links; ++l) s.link_far[l] = span_of(s, l) > longest;
}

void add_segment(Sheet& s, uint32_t upper, uint32_t upper_port, float upper_offset, uint32_t lower,
                 uint32_t lower_port, float lower_offset, float weight) {
  s.upper.push_back(upper);
  s.upper_port.push_back(upper_port);
  s.upper_offset.push_back(upper_offset);
  s.lower.push_back(lower);
  s.lower_port.push_back(lower_port);
  s.lower_offset.push_back(lower_offset);
  s.weight.push_back(weight);
}

// How much a segment wants to be vertical: lanes most; then box to box, unless the upper is a mere operand.
float weight_of(const Sheet& s, uint32_t upper_box, bool upper_is_lane, bool lower_is_lane) {
  if (upper_is_lane && lower_is_lane) return 8;
  if (upper_is_lane || lower_is_lane) return 1;
  return s.operand[upper_box] ? 0.5F : 3;
}

// The lane of a value, down to its last near reader, and its readers' segments.
void add_value_segments(Sheet& s, uint32_t value, uint32_t first_link, uint32_t last_link) {
  const uint32_t box = s.value_box[value];
  const uint32_t lane = static_cast<uint32_t>(s.width.size());
  uint32_t longest = 0;
  for (uint32_t l = first_link; l < last_link; ++l) {
    if (!s.link_far[l]) longest = std::max(longest, span_of(s, l));
  }
  s.lane_start[value] = lane;
  const auto add_from = [&](uint32_t step, uint32_t lower, uint32_t port, float offset, bool lower_is_lane) {
    if (step == 0) {
      add_segment(s, box, s.value_port[value], s.value_offset[value], lower, port, offset,
                  weight_of(s, box, false, lower_is_lane));
    } else {
      add_segment(s, lane + step - 1, 0, kLaneWidth / 2, lower, port, offset,
                  weight_of(s, box, true, lower_is_lane));
    }
  };
  for (uint32_t step = 1; step < longest; ++step) {
    s.width.push_back(kLaneWidth);
    s.top_ports.push_back(1);
    s.bottom_ports.push_back(1);
    add_from(step - 1, lane + step - 1, 0, kLaneWidth / 2, true);
  }
  for (uint32_t l = first_link; l < last_link; ++l) {
    if (s.link_far[l]) continue;
    const uint32_t reader = s.link_box[l];
    const float offset = s.link_offset[l] == kFreeOffset ? s.width[reader] / 2 : s.link_offset[l];
    s.link_segment[l] = static_cast<uint32_t>(s.upper.size());
    add_from(span_of(s, l) - 1, reader, s.link_port[l], offset, false);
  }
}

// The first order of each layer: boxes by id, each followed by the lanes of its values.
void fill_layers(Sheet& s) {
  const uint32_t values = static_cast<uint32_t>(s.value_box.size());
  const auto lane_end = [&](uint32_t v) { return v + 1 < values ? s.lane_start[v + 1] : s.slots; };
  s.layer_start.assign(s.layers + 1, 0);
  for (uint32_t b = 0; b < s.boxes; ++b) ++s.layer_start[s.rank[b] + 1];
  for (uint32_t v = 0; v < values; ++v) {
    uint32_t layer = s.rank[s.value_box[v]];
    for (uint32_t slot = s.lane_start[v]; slot < lane_end(v); ++slot) ++s.layer_start[++layer + 1];
  }
  for (uint32_t r = 0; r < s.layers; ++r) s.layer_start[r + 1] += s.layer_start[r];
  std::vector<uint32_t> next(s.layer_start.begin(), s.layer_start.end() - 1);
  s.order.resize(s.slots);
  s.position.resize(s.slots);
  const auto put = [&](uint32_t slot, uint32_t layer) {
    s.position[slot] = next[layer] - s.layer_start[layer];
    s.order[next[layer]++] = slot;
  };
  uint32_t v = 0;
  for (uint32_t b = 0; b < s.boxes; ++b) {
    put(b, s.rank[b]);
    for (; v < values && s.value_box[v] == b; ++v) {
      uint32_t layer = s.rank[b];
      for (uint32_t slot = s.lane_start[v]; slot < lane_end(v); ++slot) put(slot, ++layer);
    }
  }
}

void index_segments(const std::vector<uint32_t>& end, uint32_t slots, std::vector<uint32_t>& start,
                    std::vector<uint32_t>& list) {
  start.assign(slots + 1, 0);
  for (const uint32_t slot : end) ++start[slot + 1];
  for (uint32_t i = 0; i < slots; ++i) start[i + 1] += start[i];
  list.resize(end.size());
  for (uint32_t e = static_cast<uint32_t>(end.size()); e-- > 0;) list[--start[end[e] + 1]] = e;
  // Filling from behind left each slot's first index one place to the right.
  for (uint32_t i = 0; i < slots; ++i) start[i] = start[i + 1];
  start[slots] = static_cast<uint32_t>(end.size());
}

}  // namespace

void lay_lanes(Sheet& s) {
  choose_far_links(s);
  for (auto* v : {&s.upper, &s.lower, &s.upper_port, &s.lower_port}) v->clear();
  for (auto* v : {&s.upper_offset, &s.lower_offset, &s.weight}) v->clear();
  s.link_segment.assign(s.link_box.size(), kNone);
  const uint32_t values = static_cast<uint32_t>(s.value_box.size());
  s.lane_start.resize(values);
  uint32_t link = 0;
  for (uint32_t v = 0; v < values; ++v) {
    const uint32_t first = link;
    while (link < s.link_box.size() && s.link_value[link] == v) ++link;
    add_value_segments(s, v, first, link);
  }
  s.slots = static_cast<uint32_t>(s.width.size());
  fill_layers(s);
  index_segments(s.lower, s.slots, s.up_start, s.up_segment);
  index_segments(s.upper, s.slots, s.down_start, s.down_segment);
}

}  // namespace fuseboard::layout
