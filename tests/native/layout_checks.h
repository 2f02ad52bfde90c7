// Graphs to lay out, and the promises every drawing is held to, for the tests of layered_layout.
// It must not know how a layout is found.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "catch.h"
#include "layout/layered_layout.h"

namespace layout_checks {

using fuseboard::layered_layout;
using fuseboard::Layout;
using fuseboard::LayoutInput;

struct Graph {
  std::vector<float> width, height;
  std::vector<uint32_t> from, to, group;
  std::vector<uint8_t> boxed;
  std::vector<float> title;

  uint32_t size() const { return static_cast<uint32_t>(width.size()); }
  uint32_t add(float w, const std::vector<uint32_t>& inputs) {
    const uint32_t id = size();
    width.push_back(w);
    height.push_back(34);
    group.push_back(static_cast<uint32_t>(boxed.size()));
    boxed.push_back(0);
    const std::set<uint32_t> distinct(inputs.begin(), inputs.end());
    for (const uint32_t input : distinct) {
      from.push_back(input);
      to.push_back(id);
    }
    return id;
  }
  // Puts ops into the group of the first and draws its box.
  void box(const std::vector<uint32_t>& members) {
    for (const uint32_t v : members) group[v] = group[members[0]];
    boxed[group[members[0]]] = 1;
  }
  Layout draw() const { return layered_layout(LayoutInput{width, height, from, to, group, boxed, title}); }
};

struct Rect {
  float left, top, right, bottom;
};

inline Rect node_rect(const Graph& g, const Layout& l, uint32_t v) {
  return {l.x[v], l.y[v], l.x[v] + g.width[v], l.y[v] + g.height[v]};
}
inline Rect group_rect(const Layout& l, uint32_t g) {
  return {l.group_x[g], l.group_y[g], l.group_x[g] + l.group_width[g], l.group_y[g] + l.group_height[g]};
}

// Rounding of float coordinates in drawings of 100,000 pixels and more.
inline constexpr float kSlack = 0.1F;

inline bool overlap(const Rect& a, const Rect& b) {
  return a.left < b.right - kSlack && b.left < a.right - kSlack && a.top < b.bottom - kSlack &&
         b.top < a.bottom - kSlack;
}
inline bool contains(const Rect& outer, const Rect& inner) {
  return outer.left <= inner.left + kSlack && inner.right <= outer.right + kSlack &&
         outer.top <= inner.top + kSlack && inner.bottom <= outer.bottom + kSlack;
}
// A sweep from top to bottom over rectangles; quadratic only in what shares a height.
inline bool any_overlap(std::vector<Rect> rects) {
  std::sort(rects.begin(), rects.end(), [](const Rect& a, const Rect& b) { return a.top < b.top; });
  std::vector<Rect> open;
  for (const Rect& r : rects) {
    open.erase(std::remove_if(open.begin(), open.end(), [&](const Rect& o) { return o.bottom <= r.top; }),
               open.end());
    for (const Rect& o : open) {
      if (overlap(o, r)) return true;
    }
    open.push_back(r);
  }
  return false;
}

inline bool all_finite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
}

// A segment is vertical or slanted; whether it enters the inside of a rectangle (Liang and Barsky).
inline bool crosses(float x0, float y0, float x1, float y1, const Rect& r) {
  const float dx = x1 - x0, dy = y1 - y0;
  float enter = 0, leave = 1;
  const std::pair<float, float> limits[] = {{-dx, x0 - (r.left + kSlack)},
                                            {dx, (r.right - kSlack) - x0},
                                            {-dy, y0 - (r.top + kSlack)},
                                            {dy, (r.bottom - kSlack) - y0}};
  for (const auto& [p, q] : limits) {
    if (p == 0) {
      if (q <= 0) return false;
    } else if (p < 0) {
      enter = std::max(enter, q / p);
    } else {
      leave = std::min(leave, q / p);
    }
  }
  return enter < leave;
}

inline void check_shape(const Graph& g, const Layout& l) {
  REQUIRE(l.x.size() == g.size());
  REQUIRE(l.y.size() == g.size());
  REQUIRE(l.group_x.size() == g.boxed.size());
  REQUIRE(l.edge_start.size() == g.from.size() + 1);
  REQUIRE(l.edge_start.back() * 2 == l.edge_points.size());
  REQUIRE(all_finite(l.x));
  REQUIRE(all_finite(l.y));
  REQUIRE(all_finite(l.group_width));
  REQUIRE(all_finite(l.edge_points));
}

inline void check_edges(const Graph& g, const Layout& l) {
  size_t faults = 0;
  for (uint32_t e = 0; e < g.from.size(); ++e) {
    const Rect a = node_rect(g, l, g.from[e]), b = node_rect(g, l, g.to[e]);
    const uint32_t first = l.edge_start[e], last = l.edge_start[e + 1] - 1;
    if (l.edge_start[e + 1] < first + 2) {
      ++faults;
      continue;
    }
    const float x0 = l.edge_points[2 * first], y0 = l.edge_points[2 * first + 1];
    const float x1 = l.edge_points[2 * last], y1 = l.edge_points[2 * last + 1];
    const bool downward = a.bottom <= b.top;
    const bool begins = std::abs(y0 - a.bottom) < 1 && x0 >= a.left - kSlack && x0 <= a.right + kSlack;
    const bool ends = std::abs(y1 - b.top) < 1 && x1 >= b.left - kSlack && x1 <= b.right + kSlack;
    bool falls = true;
    for (uint32_t i = first; i < last; ++i)
      falls &= l.edge_points[2 * i + 1] <= l.edge_points[2 * i + 3] + kSlack;
    faults += !downward || !begins || !ends || !falls;
  }
  CHECK(faults == 0);
}

inline void check_boxes(const Graph& g, const Layout& l) {
  std::vector<Rect> nodes, boxes;
  for (uint32_t v = 0; v < g.size(); ++v) nodes.push_back(node_rect(g, l, v));
  for (uint32_t k = 0; k < g.boxed.size(); ++k) {
    if (g.boxed[k] && l.group_width[k] > 0) boxes.push_back(group_rect(l, k));
  }
  CHECK_FALSE(any_overlap(nodes));
  CHECK_FALSE(any_overlap(boxes));
  size_t escaped = 0, strangers = 0;
  for (uint32_t v = 0; v < g.size(); ++v) {
    if (g.boxed[g.group[v]]) {
      escaped += !contains(group_rect(l, g.group[v]), nodes[v]);
    } else {
      CHECK(l.group_width[g.group[v]] == 0);
      boxes.push_back(nodes[v]);  // stands alone: in no box
    }
  }
  strangers += any_overlap(boxes);
  CHECK(escaped == 0);
  CHECK(strangers == 0);
}

// No line enters a node, nor a box that holds neither of its ends. Quadratic: for small graphs.
inline void check_lines_avoid_strangers(const Graph& g, const Layout& l) {
  size_t hits = 0;
  for (uint32_t e = 0; e < g.from.size(); ++e) {
    for (uint32_t i = l.edge_start[e]; i + 1 < l.edge_start[e + 1]; ++i) {
      const float* p = &l.edge_points[2 * i];
      for (uint32_t v = 0; v < g.size(); ++v) hits += crosses(p[0], p[1], p[2], p[3], node_rect(g, l, v));
      for (uint32_t k = 0; k < g.boxed.size(); ++k) {
        if (!g.boxed[k] || k == g.group[g.from[e]] || k == g.group[g.to[e]]) continue;
        hits += crosses(p[0], p[1], p[2], p[3], group_rect(l, k));
      }
    }
  }
  CHECK(hits == 0);
}

// A random DAG and a random partition of it with an acyclic contraction: intervals of one topological order
// are that. Ids are shuffled, so they are not topological.
inline Graph random_graph(uint32_t seed, uint32_t nodes, uint32_t window, uint32_t largest_group) {
  std::mt19937 random(seed);
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  std::vector<uint32_t> id(nodes);
  std::iota(id.begin(), id.end(), 0U);
  for (uint32_t i = nodes; i > 1; --i) std::swap(id[i - 1], id[below(i)]);
  Graph g;
  g.width.resize(nodes);
  g.height.resize(nodes);
  g.group.resize(nodes);
  uint32_t left = 0;
  for (uint32_t i = 0; i < nodes; ++i) {
    if (left == 0) {
      left = 1 + below(largest_group);
      g.boxed.push_back(below(4) != 0);
    }
    --left;
    g.width[id[i]] = 20 + static_cast<float>(below(120));
    g.height[id[i]] = 20 + static_cast<float>(below(30));
    g.group[id[i]] = static_cast<uint32_t>(g.boxed.size()) - 1;
    std::vector<uint32_t> seen;
    for (uint32_t k = below(4); i > 0 && k > 0; --k) {
      const uint32_t j = i - 1 - below(std::min(window, i));
      if (std::find(seen.begin(), seen.end(), j) != seen.end()) continue;
      seen.push_back(j);
      g.from.push_back(id[j]);
      g.to.push_back(id[i]);
    }
  }
  for (size_t k = 0; k < g.boxed.size(); ++k) g.title.push_back(static_cast<float>(below(100)));
  return g;
}

// Attention-like: projections, a masked softmax, a residual around it all.
inline Graph transformer(uint32_t blocks) {
  Graph g;
  uint32_t x = g.add(60, {});
  const uint32_t mask = g.add(60, {});
  for (uint32_t b = 0; b < blocks; ++b) {
    const uint32_t mean = g.add(60, {x}), centred = g.add(60, {x, mean}), square = g.add(60, {centred});
    const uint32_t variance = g.add(60, {square}), root = g.add(60, {variance}),
                   normal = g.add(70, {centred, root});
    const uint32_t q = g.add(60, {normal, g.add(50, {})}), k = g.add(60, {normal, g.add(50, {})});
    const uint32_t v = g.add(60, {normal, g.add(50, {})}), scores = g.add(80, {q, k});
    const uint32_t masked = g.add(60, {scores, mask}), most = g.add(60, {masked}),
                   shifted = g.add(60, {masked, most});
    const uint32_t power = g.add(60, {shifted}), total = g.add(60, {power}),
                   share = g.add(60, {power, total});
    const uint32_t mixed = g.add(60, {share, v}), biased = g.add(60, {mixed, g.add(40, {})});
    const uint32_t next = g.add(60, {biased, x});
    g.box({centred, square});
    g.box({root, normal});
    g.box({shifted, power});
    g.box({biased, next});
    x = next;
  }
  return g;
}

struct Moves {
  size_t pairs = 0, turned = 0;
};

// Of all pairs of nodes that stand beside each other in both drawings: how many changed sides.
inline Moves compare(const Graph& g, const Layout& before, const Layout& after, uint32_t nodes) {
  const auto beside = [&](const Layout& l, uint32_t a, uint32_t b) {
    return l.y[a] < l.y[b] + g.height[b] && l.y[b] < l.y[a] + g.height[a];
  };
  Moves moves;
  for (uint32_t a = 0; a < nodes; ++a) {
    for (uint32_t b = a + 1; b < nodes; ++b) {
      if (!beside(before, a, b) || !beside(after, a, b)) continue;
      ++moves.pairs;
      moves.turned += (before.x[a] < before.x[b]) != (after.x[a] < after.x[b]);
    }
  }
  return moves;
}

inline void check_all(const Graph& g, const Layout& l) {
  check_shape(g, l);
  check_edges(g, l);
  check_boxes(g, l);
}

}  // namespace layout_checks
