// Writes the line of each link: vertical through layers, slanted in the gaps; far links along the right rim.
// Must not know why a link is far, nor move anything but the free ends of lines.
#include <algorithm>
#include <cmath>

#include "layout/sheet.h"

namespace fuseboard::layout {
namespace {

constexpr float kTrackPitch = 7;
constexpr uint32_t kTracks = 16;

class Router {
 public:
  explicit Router(Sheet& sheet) : s(sheet), first_point(sheet.points.size() / 2) {}

  void run() {
    assign_tracks();
    spread_free_ends();
    for (uint32_t l = 0; l < s.link_box.size(); ++l) {
      first_point = s.points.size() / 2;
      draw(l);
      s.point_end.push_back(static_cast<uint32_t>(s.points.size() / 2));
    }
  }

 private:
  Sheet& s;
  size_t first_point;
  std::vector<float> track_x;                      // per value with far links
  std::vector<uint32_t> entering_start, entering;  // per box: its links

  float start_x(uint32_t value) const { return s.x[s.value_box[value]] + s.value_offset[value]; }

  // One track per value with far links, from its box to its last reader: the first track that is empty there,
  // and beyond kTracks they share.
  void assign_tracks() {
    if (std::find(s.link_far.begin(), s.link_far.end(), 1) == s.link_far.end()) return;
    const uint32_t values = static_cast<uint32_t>(s.value_box.size());
    std::vector<uint32_t> last(values, 0);
    for (uint32_t l = 0; l < s.link_box.size(); ++l) {
      if (s.link_far[l]) last[s.link_value[l]] = std::max(last[s.link_value[l]], s.rank[s.link_box[l]]);
    }
    std::vector<uint32_t> by_layer(s.layers + 1, 0), sorted(values);
    for (uint32_t v = 0; v < values; ++v) ++by_layer[s.rank[s.value_box[v]] + 1];
    for (uint32_t r = 0; r < s.layers; ++r) by_layer[r + 1] += by_layer[r];
    for (uint32_t v = 0; v < values; ++v) sorted[by_layer[s.rank[s.value_box[v]]]++] = v;
    track_x.assign(values, 0);
    std::vector<uint32_t> busy_until;
    uint32_t shared = 0;
    for (const uint32_t v : sorted) {
      if (last[v] == 0) continue;
      uint32_t track = 0;
      while (track < busy_until.size() && busy_until[track] > s.rank[s.value_box[v]]) ++track;
      if (track == kTracks) track = shared++ % kTracks;
      if (track == busy_until.size()) busy_until.push_back(0);
      busy_until[track] = std::max(busy_until[track], last[v]);
      track_x[v] = s.total_width + 10 + kTrackPitch * static_cast<float>(track);
    }
    s.total_width += 10 + kTrackPitch * static_cast<float>(busy_until.size());
  }

  float last_bend_x(uint32_t link) const {
    if (s.link_far[link]) return track_x[s.link_value[link]];
    const uint32_t e = s.link_segment[link];
    return s.x[s.upper[e]] + s.upper_offset[e];
  }

  // Lines that enter one box come side by side; one that falls straight on the middle stays there.
  void spread_free_ends() {
    entering_start.assign(s.boxes + 1, 0);
    for (const uint32_t b : s.link_box) ++entering_start[b + 1];
    for (uint32_t b = 0; b < s.boxes; ++b) entering_start[b + 1] += entering_start[b];
    entering.resize(s.link_box.size());
    std::vector<uint32_t> next(entering_start.begin(), entering_start.end() - 1);
    for (uint32_t l = 0; l < s.link_box.size(); ++l) entering[next[s.link_box[l]]++] = l;
    for (uint32_t b = 0; b < s.boxes; ++b) {
      uint32_t *first = entering.data() + entering_start[b], *last = entering.data() + entering_start[b + 1];
      if (first == last || s.link_offset[*first] != kFreeOffset) continue;
      if (last - first > 1) {
        std::sort(first, last, [&](uint32_t i, uint32_t j) {
          const float a = last_bend_x(i), c = last_bend_x(j);
          return a != c ? a < c : i < j;
        });
      }
      spread(b, first, static_cast<size_t>(last - first));
    }
  }

  void spread(uint32_t box, const uint32_t* links, size_t count) {
    const float middle = s.width[box] / 2;
    size_t centre = count;
    for (size_t i = 0; i < count; ++i) {
      if (std::abs(last_bend_x(links[i]) - s.x[box] - middle) < 1) centre = i;
    }
    const size_t most = centre == count ? count - 1 : 2 * std::max(centre, count - 1 - centre);
    const float pitch =
        most == 0 ? 0 : std::min(kLinePitch, std::max(0.0F, s.width[box] - 12) / static_cast<float>(most));
    const float origin = centre == count ? static_cast<float>(count - 1) / 2 : static_cast<float>(centre);
    for (size_t i = 0; i < count; ++i)
      s.link_offset[links[i]] = middle + pitch * (static_cast<float>(i) - origin);
  }

  void point(float x, float y) {
    const size_t n = s.points.size();
    const size_t count = n / 2 - first_point;
    if (count >= 1 && s.points[n - 2] == x && s.points[n - 1] == y) return;
    if (count >= 2 && s.points[n - 2] == x && s.points[n - 4] == x) {
      s.points[n - 1] = y;
      return;
    }
    s.points.push_back(x);
    s.points.push_back(y);
  }

  void draw(uint32_t l) {
    const uint32_t v = s.link_value[l];
    const uint32_t from = s.value_box[v], to = s.link_box[l];
    const float x0 = start_x(v), x1 = s.x[to] + s.link_offset[l];
    point(x0, s.y[from] + s.height[from]);
    point(x0, s.layer_bottom[s.rank[from]]);
    if (s.link_far[l]) {
      point(track_x[v], s.layer_top[s.rank[from] + 1]);
      point(track_x[v], s.layer_bottom[s.rank[to] - 1]);
    } else {
      for (uint32_t r = s.rank[from] + 1, slot = s.lane_start[v]; r < s.rank[to]; ++r, ++slot) {
        const float x = s.x[slot] + kLaneWidth / 2;
        point(x, s.layer_top[r]);
        point(x, s.layer_bottom[r]);
      }
    }
    point(x1, s.layer_top[s.rank[to]]);
    point(x1, s.y[to]);
  }
};

}  // namespace

void route_links(Sheet& s) { Router(s).run(); }

}  // namespace fuseboard::layout
