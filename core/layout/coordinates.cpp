// Finds x of every slot and y of every box, the order within each layer given.
// Must not know how the order was found, nor change it.
#include <algorithm>
#include <cmath>

#include "layout/sheet.h"

namespace fuseboard::layout {
namespace {

constexpr int kSweeps = 4;          // down and up each
constexpr int kStraightRounds = 5;  // in which lines that should be vertical push the others aside

enum class Side { Up, Down, Both };

// A run of slots that become one position, in coordinates from which the least distances are subtracted.
struct Block {
  double sum;  // of weight times wish
  double weight;
  uint32_t slots;
};

// The other end of a segment: where this slot's left rim lies when the segment is vertical, measured from the
// other's.
struct Tie {
  uint32_t other;
  float shift;
  float weight;
};

// Works on slots renumbered in layer order, so that what a step reads lies together in memory.
class Placer {
 public:
  explicit Placer(Sheet& sheet) : s(sheet) {}

  void run() {
    renumber();
    pack();
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      for (uint32_t r = 0; r < s.layers; ++r) fit_layer(r, Side::Up);
      for (uint32_t r = s.layers; r-- > 0;) fit_layer(r, Side::Down);
    }
    for (uint32_t r = 0; r < s.layers; ++r) fit_layer(r, Side::Both);
    choose_straight();
    for (int round = 0; round < kStraightRounds; ++round) {
      aim_runs(round == 0);
      for (uint32_t r = 0; r < s.layers; ++r) fit_layer(r, Side::Both);
    }
    straighten();
    stop_drift();
    shift_to_zero();
    stack_layers();
  }

 private:
  struct Run {
    uint32_t first, length;
  };
  Sheet& s;
  std::vector<float> x, width;
  std::vector<float> gap;  // to the slot on the left
  std::vector<uint32_t> up_start, down_start, layer_of;
  std::vector<Tie> up, down;
  std::vector<Block> blocks;
  std::vector<uint32_t> next;          // the slot below on the same straight line, or kNone
  std::vector<float> next_shift;       // and its left rim, measured from this one's
  std::vector<Run> runs;               // the straight lines
  std::vector<float> aim, aim_weight;  // where its line wants a slot, how strongly; weight 0 without a line

  uint32_t first(uint32_t r) const { return s.layer_start[r]; }
  uint32_t end(uint32_t r) const { return s.layer_start[r + 1]; }

  void renumber() {
    std::vector<uint32_t> index(s.slots);
    for (uint32_t i = 0; i < s.slots; ++i) index[s.order[i]] = i;
    x.assign(s.slots, 0);
    width.resize(s.slots);
    gap.assign(s.slots, 0);
    layer_of.resize(s.slots);
    up.clear();
    down.clear();
    up.reserve(s.upper.size());
    down.reserve(s.upper.size());
    up_start.assign(1, 0);
    down_start.assign(1, 0);
    for (uint32_t r = 0; r < s.layers; ++r) {
      for (uint32_t i = first(r); i < end(r); ++i) {
        const uint32_t slot = s.order[i];
        layer_of[i] = r;
        width[i] = s.width[slot];
        if (i > first(r)) gap[i] = gap_between(s, s.order[i - 1], slot);
        for (uint32_t k = s.up_start[slot]; k < s.up_start[slot + 1]; ++k) {
          const uint32_t e = s.up_segment[k];
          up.push_back({index[s.upper[e]], s.upper_offset[e] - s.lower_offset[e], s.weight[e]});
        }
        for (uint32_t k = s.down_start[slot]; k < s.down_start[slot + 1]; ++k) {
          const uint32_t e = s.down_segment[k];
          down.push_back({index[s.lower[e]], s.lower_offset[e] - s.upper_offset[e], s.weight[e]});
        }
        up_start.push_back(static_cast<uint32_t>(up.size()));
        down_start.push_back(static_cast<uint32_t>(down.size()));
      }
    }
  }

  void pack() {
    for (uint32_t r = 0; r < s.layers; ++r) {
      float right = 0;
      for (uint32_t i = first(r); i < end(r); ++i) {
        x[i] = right + gap[i];
        right = x[i] + width[i];
      }
      for (uint32_t i = first(r); i < end(r); ++i) x[i] -= right / 2;
    }
  }

  // Where a slot would like its left rim: the weighted mean of what makes its segments vertical.
  void add_wishes(uint32_t i, bool above, double& sum, double& weight) const {
    const Tie* tie = above ? up.data() + up_start[i] : down.data() + down_start[i];
    const Tie* last = above ? up.data() + up_start[i + 1] : down.data() + down_start[i + 1];
    for (; tie != last; ++tie) {
      const double w = static_cast<double>(tie->weight);
      sum += w * static_cast<double>(x[tie->other] + tie->shift);
      weight += w;
    }
  }

  // The layer's positions nearest to the wishes in weighted least squares, with order and distances kept:
  // isotonic regression by pooling adjacent violators (Ayer et al. 1955). Linear in the layer.
  void fit_layer(uint32_t r, Side side) {
    blocks.clear();
    double offset = 0;
    for (uint32_t i = first(r); i < end(r); ++i) {
      if (i > first(r)) offset += static_cast<double>(width[i - 1] + gap[i]);
      double sum = 0, weight = 0;
      if (!aim.empty() && aim_weight[i] > 0) {
        weight = static_cast<double>(aim_weight[i]);
        sum = weight * static_cast<double>(aim[i]);
      } else {
        if (side != Side::Down) add_wishes(i, true, sum, weight);
        if (side != Side::Up) add_wishes(i, false, sum, weight);
      }
      if (weight == 0 && side != Side::Both) {
        add_wishes(i, side != Side::Up, sum, weight);
        sum *= 0.1;
        weight *= 0.1;
      }
      if (weight == 0) {
        weight = 0.01;
        sum = weight * static_cast<double>(x[i]);
      }
      blocks.push_back({sum - weight * offset, weight, 1});
      while (blocks.size() > 1) {
        const Block& last = blocks.back();
        Block& before = blocks[blocks.size() - 2];
        if (before.sum * last.weight <= last.sum * before.weight) break;
        before.sum += last.sum;
        before.weight += last.weight;
        before.slots += last.slots;
        blocks.pop_back();
      }
    }
    offset = 0;
    uint32_t i = first(r);
    for (const Block& block : blocks) {
      const double position = block.sum / block.weight;
      for (uint32_t k = 0; k < block.slots; ++k, ++i) {
        if (i > first(r)) offset += static_cast<double>(width[i - 1] + gap[i]);
        x[i] = static_cast<float>(position + offset);
      }
    }
  }

  // The one tie on a side that should be vertical: the heaviest, of several equals the middle one, of two
  // equals none.
  const Tie* favourite(uint32_t i, bool above) const {
    const Tie* tie = above ? up.data() + up_start[i] : down.data() + down_start[i];
    const Tie* last = above ? up.data() + up_start[i + 1] : down.data() + down_start[i + 1];
    const Tie* best = nullptr;
    uint32_t equals = 0;
    float best_slant = 0;
    for (; tie != last; ++tie) {
      const float slant = std::abs(x[tie->other] + tie->shift - x[i]);
      if (best == nullptr || tie->weight > best->weight) {
        best = tie, best_slant = slant, equals = 1;
      } else if (tie->weight == best->weight) {
        ++equals;
        if (slant < best_slant) best = tie, best_slant = slant;
      }
    }
    return equals % 2 == 0 ? nullptr : best;
  }

  // Lines of segments that are favourites of both their ends, the longest first.
  void choose_straight() {
    next.assign(s.slots, kNone);
    next_shift.assign(s.slots, 0);
    std::vector<uint8_t> continues(s.slots, 0);
    std::vector<const Tie*> favourite_above(s.slots);
    for (uint32_t i = 0; i < s.slots; ++i) favourite_above[i] = favourite(i, true);
    for (uint32_t i = 0; i < s.slots; ++i) {
      const Tie* below = favourite(i, false);
      if (below == nullptr) continue;
      const Tie* back = favourite_above[below->other];
      if (back == nullptr || back->other != i || back->shift != -below->shift) continue;
      next[i] = below->other;
      next_shift[i] = back->shift;
      continues[next[i]] = 1;
    }
    runs.clear();
    for (uint32_t i = 0; i < s.slots; ++i) {
      if (continues[i] || next[i] == kNone) continue;
      uint32_t length = 1;
      for (uint32_t at = i; next[at] != kNone; at = next[at]) ++length;
      runs.push_back({i, length});
    }
    std::stable_sort(runs.begin(), runs.end(),
                     [](const Run& a, const Run& b) { return a.length > b.length; });
  }

  // Each line aims first at the mean of its slots. Where it was pushed to one side it then aims as far as it
  // was pushed, so that it yields whole and stays vertical. The longer a line, the harder it pushes.
  void aim_runs(bool first_time) {
    aim.resize(s.slots, 0);
    aim_weight.resize(s.slots, 0);
    for (const Run& run : runs) {
      float shift = 0, most_left = 1e30F, most_right = -1e30F;
      double sum = 0;
      uint32_t slot = run.first;
      const float old_vertical = aim[slot];
      for (uint32_t i = 0; i < run.length; ++i) {
        const float vertical = x[slot] - shift;
        most_left = std::min(most_left, vertical);
        most_right = std::max(most_right, vertical);
        sum += static_cast<double>(vertical);
        advance(slot, shift);
      }
      float vertical = static_cast<float>(sum / run.length);
      if (!first_time && most_right < old_vertical + 0.5F) vertical = most_left;
      if (!first_time && most_left > old_vertical - 0.5F) vertical = most_right;
      slot = run.first;
      shift = 0;
      for (uint32_t i = 0; i < run.length; ++i) {
        aim[slot] = vertical + shift;
        aim_weight[slot] = 1e6F * static_cast<float>(run.length);
        advance(slot, shift);
      }
    }
  }

  // To the next slot of a line, and where its left rim lies from the line's vertical.
  void advance(uint32_t& slot, float& shift) const {
    if (next[slot] == kNone) return;
    shift += next_shift[slot];
    slot = next[slot];
  }

  // How far left and right a slot may go while its neighbours stay.
  std::pair<float, float> room(uint32_t i) const {
    const uint32_t r = layer_of[i];
    const float low = i > first(r) ? x[i - 1] + width[i - 1] + gap[i] : -1e30F;
    const float high = i + 1 < end(r) ? x[i + 1] - gap[i + 1] - width[i] : 1e30F;
    return {low, high};
  }

  // Moves each line's slots to one vertical where there is room without moving neighbours; otherwise piece by
  // piece.
  void straighten() {
    for (const Run& run : runs) {
      uint32_t piece = run.first;  // first slot of the piece
      float shift = 0;             // left rim of the current slot, measured from the piece's vertical
      float low = -1e30F, high = 1e30F;
      double sum = 0;
      uint32_t count = 0;
      uint32_t slot = run.first;
      for (uint32_t i = 0; i <= run.length; ++i) {
        const bool ended = i == run.length;
        std::pair<float, float> free = ended ? std::pair(0.0F, 0.0F) : room(slot);
        if (ended || (count > 0 && std::max(low, free.first - shift) > std::min(high, free.second - shift))) {
          settle(piece, count, std::clamp(static_cast<float>(sum / count), low, high));
          if (ended) break;
          piece = slot, shift = 0, low = -1e30F, high = 1e30F, sum = 0, count = 0;
        }
        low = std::max(low, free.first - shift);
        high = std::max(low, std::min(high, free.second - shift));
        sum += static_cast<double>(x[slot] - shift);
        ++count;
        advance(slot, shift);
      }
    }
  }

  void settle(uint32_t slot, uint32_t count, float vertical) {
    float shift = 0;
    for (uint32_t i = 0; i < count; ++i) {
      x[slot] = vertical + shift;
      advance(slot, shift);
    }
  }

  // Deep graphs wander sideways, each layer following the one above. Whenever a layer's middle is further
  // than one widest layer from where the last ones were, it and all below are moved back: one wide slant in
  // place of a diagonal drawing.
  void stop_drift() {
    float widest = 1000;
    const auto left = [&](uint32_t r) { return x[first(r)]; };
    const auto right = [&](uint32_t r) { return x[end(r) - 1] + width[end(r) - 1]; };
    for (uint32_t r = 0; r < s.layers; ++r) widest = std::max(widest, right(r) - left(r));
    float shift = s.layers == 0 ? 0 : (left(0) + right(0)) / 2;
    for (uint32_t r = 0; r < s.layers; ++r) {
      const float middle = (left(r) + right(r)) / 2;
      if (std::abs(middle - shift) > widest) shift = middle;
      for (uint32_t i = first(r); i < end(r); ++i) x[i] -= shift;
    }
  }

  void shift_to_zero() {
    const float left = s.slots == 0 ? 0 : *std::min_element(x.begin(), x.end());
    s.total_width = 0;
    s.x.resize(s.slots);
    for (uint32_t i = 0; i < s.slots; ++i) {
      x[i] -= left;
      s.x[s.order[i]] = x[i];
      s.total_width = std::max(s.total_width, x[i] + width[i]);
    }
  }

  // Layers as high as their highest box; the gap below grows with the widest slant in it. Boxes that nothing
  // enters stand at the foot of their layer, near their readers; the others at its head.
  void stack_layers() {
    s.layer_top.assign(s.layers, 0);
    s.layer_bottom.assign(s.layers, 0);
    std::vector<float> slant(s.layers, 0);
    for (uint32_t r = 0; r < s.layers; ++r) {
      for (uint32_t i = first(r); i < end(r); ++i) {
        if (s.order[i] < s.boxes) s.layer_bottom[r] = std::max(s.layer_bottom[r], s.height[s.order[i]]);
        for (uint32_t k = down_start[i]; k < down_start[i + 1]; ++k) {
          slant[r] = std::max(slant[r], std::abs(x[down[k].other] + down[k].shift - x[i]));
        }
      }
    }
    float y = 0;
    for (uint32_t r = 0; r < s.layers; ++r) {
      s.layer_top[r] = y;
      y += s.layer_bottom[r];
      s.layer_bottom[r] = y;
      if (r + 1 < s.layers) y += s.layer_gap + std::min(90.0F, 0.12F * std::max(0.0F, slant[r] - 80));
    }
    s.total_height = y;
    s.y.resize(s.boxes);
    for (uint32_t b = 0; b < s.boxes; ++b) {
      const uint32_t r = s.rank[b];
      s.y[b] = s.incoming[b] == 0 && s.pin[b] == Pin::None ? s.layer_bottom[r] - s.height[b] : s.layer_top[r];
    }
  }
};

}  // namespace

void place_slots(Sheet& s) { Placer(s).run(); }

}  // namespace fuseboard::layout
