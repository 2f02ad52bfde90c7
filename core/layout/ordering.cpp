// Orders the slots of each layer for few crossings: barycentre sweeps, then exchanges of neighbours. Fixed
// counts, ties keep the order they had, and that began with ids; so the same graph always looks the same and
// a small edit moves little. Must not know widths or coordinates: renaming an op changes its width and must
// not reorder the drawing.
#include <algorithm>

#include "layout/sheet.h"

namespace fuseboard::layout {
namespace {

constexpr size_t kDegreeLimit =
    12;  // beyond it slots are not exchanged: a pair costs the product of its degrees
constexpr uint32_t kManyLeaves = 8;

enum class Side { Up, Down };

struct Keyed {
  float key;
  uint32_t slot;
};

class Orderer {
 public:
  explicit Orderer(Sheet& sheet) : s(sheet) {}

  void run() {
    best_order = s.order;
    best_crossings = count_crossings();
    for (int sweep = 0; sweep < rounds() && best_crossings > 0; ++sweep) {
      const uint64_t before = best_crossings;
      for (uint32_t r = 1; r < s.layers; ++r) sort_layer(r, Side::Up);
      keep_if_better();
      for (uint32_t r = s.layers - 1; r-- > 0;) sort_layer(r, Side::Down);
      keep_if_better();
      if (sweep > 0 && best_crossings > before - before / 50) break;  // hardly better
    }
    s.order = best_order;
    for (uint32_t r = 0; r < s.layers; ++r) number_layer(r);
    for (int round = 0; best_crossings > 0 && round < rounds(); ++round) {
      bool changed = false;
      for (uint32_t r = 0; r < s.layers; ++r) changed |= exchange_in_layer(r);
      if (!changed) break;
    }
    for (uint32_t r = 1; r < s.layers; ++r) centre_among_leaves(r);
  }

 private:
  Sheet& s;
  std::vector<uint32_t> best_order;
  uint64_t best_crossings = 0;
  std::vector<Keyed> keyed;
  std::vector<uint32_t> places;
  std::vector<uint32_t> port_base;  // per slot: number of its first port, counted along its layer's rim
  std::vector<uint32_t> tree;       // Fenwick
  std::vector<std::pair<uint32_t, uint32_t>> ends;  // of the segments in one gap, by port number
  std::vector<float> keys_left, keys_right;

  // Of sweeps down and up, and of exchanges. Nobody sees the last crossings of a huge drawing.
  int rounds() const { return s.upper.size() < 150000 ? 4 : s.upper.size() < 1000000 ? 2 : 1; }
  uint32_t* layer(uint32_t r) { return s.order.data() + s.layer_start[r]; }
  uint32_t size(uint32_t r) const { return s.layer_start[r + 1] - s.layer_start[r]; }

  void number_layer(uint32_t r) {
    for (uint32_t i = 0; i < size(r); ++i) s.position[layer(r)[i]] = i;
  }

  // Where the other end of a segment lies in its layer; ports of one slot lie between its neighbours.
  float far_end(uint32_t segment, Side side) const {
    if (side == Side::Up) {
      const uint32_t slot = s.upper[segment];
      return static_cast<float>(s.position[slot]) +
             (static_cast<float>(s.upper_port[segment]) + 0.5F) / static_cast<float>(s.bottom_ports[slot]);
    }
    const uint32_t slot = s.lower[segment];
    return static_cast<float>(s.position[slot]) +
           (static_cast<float>(s.lower_port[segment]) + 0.5F) / static_cast<float>(s.top_ports[slot]);
  }

  const uint32_t* begin(uint32_t slot, Side side) const {
    return side == Side::Up ? s.up_segment.data() + s.up_start[slot]
                            : s.down_segment.data() + s.down_start[slot];
  }
  const uint32_t* end(uint32_t slot, Side side) const { return begin(slot + 1, side); }

  // Slots without a neighbour on that side keep their places; the others share the rest in order of their
  // barycentres.
  void sort_layer(uint32_t r, Side side) {
    if (size(r) < 2) return;
    keyed.clear();
    places.clear();
    for (uint32_t i = 0; i < size(r); ++i) {
      const uint32_t slot = layer(r)[i];
      const uint32_t *first = begin(slot, side), *last = end(slot, side);
      if (first == last) continue;
      float sum = 0;
      for (const uint32_t* e = first; e != last; ++e) sum += far_end(*e, side);
      keyed.push_back({sum / static_cast<float>(last - first), slot});
      places.push_back(i);
    }
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const Keyed& a, const Keyed& b) { return a.key < b.key; });
    for (size_t i = 0; i < keyed.size(); ++i) {
      layer(r)[places[i]] = keyed[i].slot;
      s.position[keyed[i].slot] = places[i];
    }
  }

  void keep_if_better() {
    const uint64_t crossings = count_crossings();
    if (crossings >= best_crossings) return;
    best_crossings = crossings;
    best_order = s.order;
  }

  // Barth, Juenger, Mutzel 2002: inversions among the lower ends, taken in order of the upper ends.
  uint64_t count_crossings() {
    uint64_t crossings = 0;
    port_base.resize(s.slots);
    for (uint32_t r = 0; r + 1 < s.layers; ++r) {
      uint32_t ports = 0;
      for (uint32_t i = 0; i < size(r + 1); ++i) {
        port_base[layer(r + 1)[i]] = ports;
        ports += s.top_ports[layer(r + 1)[i]];
      }
      ends.clear();
      uint32_t upper_base = 0;
      for (uint32_t i = 0; i < size(r); ++i) {
        const uint32_t slot = layer(r)[i];
        for (const uint32_t* e = begin(slot, Side::Down); e != end(slot, Side::Down); ++e) {
          ends.emplace_back(upper_base + s.upper_port[*e], port_base[s.lower[*e]] + s.lower_port[*e]);
        }
        upper_base += s.bottom_ports[slot];
      }
      if (ends.size() < 2) continue;
      std::sort(ends.begin(), ends.end());
      crossings += ends.size() < 24 ? inversions_by_pairs() : inversions_by_tree(ports);
    }
    return crossings;
  }

  uint64_t inversions_by_pairs() const {
    uint64_t count = 0;
    for (size_t i = 1; i < ends.size(); ++i) {
      for (size_t j = 0; j < i; ++j) count += ends[j].second > ends[i].second;
    }
    return count;
  }

  uint64_t inversions_by_tree(uint32_t ports) {
    uint64_t count = 0;
    tree.assign(ports + 1, 0);
    for (size_t i = 0; i < ends.size(); ++i) {
      uint32_t not_right = 0;
      for (uint32_t k = ends[i].second + 1; k > 0; k &= k - 1) not_right += tree[k];
      count += i - not_right;
      for (uint32_t k = ends[i].second + 1; k <= ports; k += k & (~k + 1)) ++tree[k];
    }
    return count;
  }

  void gather_keys(uint32_t slot, Side side, std::vector<float>& keys) const {
    keys.clear();
    for (const uint32_t* e = begin(slot, side); e != end(slot, side); ++e) keys.push_back(far_end(*e, side));
  }

  // Crossings of two neighbours as they stand, minus those after an exchange.
  int64_t gain(uint32_t left, uint32_t right, Side side) {
    const size_t l = static_cast<size_t>(end(left, side) - begin(left, side));
    const size_t r = static_cast<size_t>(end(right, side) - begin(right, side));
    if (l == 0 || r == 0 || l > kDegreeLimit || r > kDegreeLimit) return 0;
    gather_keys(left, side, keys_left);
    gather_keys(right, side, keys_right);
    int64_t sum = 0;
    for (const float a : keys_left) {
      for (const float b : keys_right) sum += (a > b) - (a < b);
    }
    return sum;
  }

  // Of many neighbours that hang from one place, those that go on stand in the middle of those that end here:
  // no line crosses another for that, and the lane of a wrapped fan does not run along its side.
  void centre_among_leaves(uint32_t r) {
    const auto parent = [&](uint32_t slot) {
      if (end(slot, Side::Up) - begin(slot, Side::Up) != 1) return std::pair(kNone, kNone);
      const uint32_t e = *begin(slot, Side::Up);
      return std::pair(s.upper[e], s.upper_port[e]);
    };
    const auto is_leaf = [&](uint32_t slot) { return begin(slot, Side::Down) == end(slot, Side::Down); };
    for (uint32_t first = 0; first < size(r);) {
      const auto above = parent(layer(r)[first]);
      uint32_t last = first + 1;
      while (above.first != kNone && last < size(r) && parent(layer(r)[last]) == above) ++last;
      if (last - first > kManyLeaves) {
        uint32_t* middle = std::stable_partition(layer(r) + first, layer(r) + last, is_leaf);
        const uint32_t leaves = static_cast<uint32_t>(middle - (layer(r) + first));
        if (leaves >= kManyLeaves) std::rotate(layer(r) + first + leaves / 2, middle, layer(r) + last);
      }
      first = last;
    }
    number_layer(r);
  }

  bool exchange_in_layer(uint32_t r) {
    bool changed = false;
    for (uint32_t i = 0; i + 1 < size(r); ++i) {
      const uint32_t left = layer(r)[i], right = layer(r)[i + 1];
      if (gain(left, right, Side::Up) + gain(left, right, Side::Down) <= 0) continue;
      std::swap(layer(r)[i], layer(r)[i + 1]);
      s.position[left] = i + 1;
      s.position[right] = i;
      changed = true;
    }
    return changed;
  }
};

}  // namespace

void order_slots(Sheet& s) {
  if (s.layers > 1) Orderer(s).run();
}

}  // namespace fuseboard::layout
