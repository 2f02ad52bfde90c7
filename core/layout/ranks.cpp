// Which layer each box of a sheet stands in.
// Must not know positions within a layer.
#include <algorithm>
#include <cmath>

#include "layout/sheet.h"

namespace fuseboard::layout {
namespace {

// Links are sorted by value and values by box, so the links of a box are one range.
void index_links(Sheet& s) {
  s.boxes = static_cast<uint32_t>(s.pin.size());
  s.box_link_start.assign(s.boxes + 1, 0);
  s.incoming.assign(s.boxes, 0);
  for (size_t l = 0; l < s.link_box.size(); ++l) {
    ++s.box_link_start[s.value_box[s.link_value[l]] + 1];
    ++s.incoming[s.link_box[l]];
  }
  for (uint32_t b = 0; b < s.boxes; ++b) s.box_link_start[b + 1] += s.box_link_start[b];
}

// A box hangs free when nothing enters it but what comes from free boxes that serve it alone: a weight and
// its transpose. Such boxes go down to just above their first reader; ports on the lower rim do not pull.
void pull_free_boxes(Sheet& s, const std::vector<uint32_t>& topological, const std::vector<uint8_t>& free) {
  for (size_t i = topological.size(); i-- > 0;) {
    const uint32_t b = topological[i];
    if (!free[b] || s.pin[b] != Pin::None) continue;
    uint32_t first_reader = kNone;
    for (uint32_t l = s.box_link_start[b]; l < s.box_link_start[b + 1]; ++l) {
      const uint32_t reader = s.link_box[l];
      if (s.pin[reader] != Pin::Bottom) first_reader = std::min(first_reader, s.rank[reader]);
    }
    if (first_reader != kNone) s.rank[b] = std::max(s.rank[b], first_reader - 1);
  }
}

uint64_t total_span(const Sheet& s, const std::vector<uint32_t>& rank) {
  uint64_t span = 0;
  for (size_t l = 0; l < s.link_box.size(); ++l)
    span += rank[s.link_box[l]] - rank[s.value_box[s.link_value[l]]] - 1;
  return span;
}

// A box wider than a row leaves the next row empty.
void drop_empty_rows(std::vector<uint32_t>& rank, uint32_t rows) {
  std::vector<uint32_t> new_row(rows + 1, 0);
  for (const uint32_t r : rank) new_row[r + 1] = 1;
  for (uint32_t r = 0; r < rows; ++r) new_row[r + 1] += new_row[r];
  for (uint32_t& r : rank) r = new_row[r];
}

// Per layer: how many values leave it or enter it, so how many lanes its rows would have beside their boxes.
std::vector<uint32_t> count_values(const Sheet& s) {
  std::vector<uint32_t> count(s.layers, 0), last_value(s.layers, kNone);
  for (size_t l = 0; l < s.link_box.size(); ++l) {
    const uint32_t v = s.link_value[l], to = s.rank[s.link_box[l]];
    if (l == 0 || s.link_value[l - 1] != v) ++count[s.rank[s.value_box[v]]];
    if (last_value[to] != v) ++count[to];
    last_value[to] = v;
  }
  return count;
}

// Wraps a layer that is far wider than the drawing is likely to be tall into rows, ids kept in order:
// isolated ops, or 1,000 readers of one value. Not where the lanes of its values would fill the rows: a fan
// that closes again is more legible as one layer.
void wrap_wide_layers(Sheet& s) {
  constexpr float kPitch = 24;  // a box's share of the gaps around it
  double area = 0;
  std::vector<double> layer_width(s.layers, 0);
  for (uint32_t b = 0; b < s.boxes; ++b) {
    if (s.pin[b] != Pin::None) continue;
    area += static_cast<double>(s.width[b] + kPitch) * static_cast<double>(s.height[b] + s.layer_gap);
    layer_width[s.rank[b]] += static_cast<double>(s.width[b] + kPitch);
  }
  double limit = 5000;  // grows in steps, so that a small edit seldom moves it
  while (limit < 1.5 * std::sqrt(area)) limit *= 1.25;
  if (s.layers == 0 || *std::max_element(layer_width.begin(), layer_width.end()) <= limit) return;

  const std::vector<uint32_t> values = count_values(s);
  std::vector<uint32_t> row_start(s.layers + 1, 0);
  for (uint32_t r = 0; r < s.layers; ++r) {
    const bool legible = values[r] * static_cast<double>(kLinePitch) < limit / 4;
    const uint32_t rows = legible ? static_cast<uint32_t>(std::ceil(layer_width[r] / limit)) : 1;
    row_start[r + 1] = row_start[r] + std::max(1U, rows);
  }
  std::vector<double> used(s.layers, 0);
  std::vector<uint32_t> wrapped(s.boxes);
  for (uint32_t b = 0; b < s.boxes; ++b) {
    const uint32_t r = s.rank[b];
    const uint32_t rows = row_start[r + 1] - row_start[r];
    uint32_t row = 0;
    if (s.pin[b] == Pin::None && rows > 1) {
      row = std::min(rows - 1, static_cast<uint32_t>(used[r] * rows / layer_width[r]));
      used[r] += static_cast<double>(s.width[b] + kPitch);
    }
    wrapped[b] = row_start[r] + row;
  }
  drop_empty_rows(wrapped, row_start.back());
  if (total_span(s, wrapped) > 3 * slot_budget(s)) return;
  s.rank.swap(wrapped);
  s.layers = *std::max_element(s.rank.begin(), s.rank.end()) + 1;
}

}  // namespace

bool rank_boxes(Sheet& s) {
  index_links(s);
  const bool has_top = std::find(s.pin.begin(), s.pin.end(), Pin::Top) != s.pin.end();
  s.rank.assign(s.boxes, 0);
  std::vector<uint8_t> free(s.boxes, 1);
  std::vector<uint32_t> waits_for = s.incoming;
  std::vector<uint32_t> queue;  // in topological order (Kahn 1962)
  queue.reserve(s.boxes);
  for (uint32_t b = 0; b < s.boxes; ++b) {
    if (has_top && s.pin[b] != Pin::Top) s.rank[b] = 1;
    if (s.incoming[b] == 0) queue.push_back(b);
  }
  for (size_t head = 0; head < queue.size(); ++head) {
    const uint32_t b = queue[head];
    const uint32_t first = s.box_link_start[b], last = s.box_link_start[b + 1];
    const bool serves_one = free[b] && last - first == 1 && s.pin[b] == Pin::None;
    for (uint32_t l = first; l < last; ++l) {
      const uint32_t reader = s.link_box[l];
      s.rank[reader] = std::max(s.rank[reader], s.rank[b] + 1);
      if (!serves_one) free[reader] = 0;
      if (--waits_for[reader] == 0) queue.push_back(reader);
    }
  }
  if (queue.size() != s.boxes) return false;

  pull_free_boxes(s, queue, free);
  uint32_t deepest = 0;
  bool has_bottom = false;
  for (uint32_t b = 0; b < s.boxes; ++b) {
    if (s.pin[b] == Pin::Bottom) {
      has_bottom = true;
    } else {
      deepest = std::max(deepest, s.rank[b]);
    }
  }
  for (uint32_t b = 0; has_bottom && b < s.boxes; ++b) {
    if (s.pin[b] == Pin::Bottom) s.rank[b] = deepest + 1;
  }
  s.layers = s.boxes == 0 ? 0 : deepest + 1 + (has_bottom ? 1 : 0);
  wrap_wide_layers(s);
  return true;
}

}  // namespace fuseboard::layout
