// Reading the digits of a map: which change with the slot, which with the pass, and by how much.
// It must not know ops, nor PTX.
#include "launch/index_walk.h"

#include <numeric>

namespace fuseboard {
namespace {

void walk_slots(const IndexMap& map, const IndexMap& base_map, const MapWalk& base, uint32_t slots,
                MapWalk& out) {
  if (slots == 1 || (base.is_affine && base.slot_stride == 0)) return;
  if (map.digits.empty()) return;
  out.is_affine = base.is_affine && base.slot_stride == 1;
  uint64_t weight = 1;  // of the digit at hand, from the innermost out
  for (size_t i = map.digits.size(); out.is_affine && i-- > 0;) {
    const Digit& digit = map.digits[i];
    if (digit.divisor % slots != 0) {
      const bool is_whole = map.digits.size() == 1 && digit.extent == base_map.total;
      out.is_affine = digit.divisor == 1 && out.slot_stride == 0 && (digit.extent % slots == 0 || is_whole);
      out.slot_stride = weight;
    }
    weight *= digit.extent;
  }
}

void walk_passes(const IndexMap& map, const IndexMap& base_map, const MapWalk& base, MapWalk& out) {
  if (base.pass == PassWalk::fixed || map.digits.empty()) return;
  out.pass = base.pass;
  if (base.pass == PassWalk::recomputed) return;
  uint64_t weight = 1;
  for (size_t i = map.digits.size(); i-- > 0;) {
    const Digit& digit = map.digits[i];
    const uint64_t steps = base.pass_stride / digit.divisor;
    if (base.pass_stride % digit.divisor != 0 ||
        (steps % digit.extent != 0 && digit.divisor * digit.extent != base_map.total)) {
      out.pass = PassWalk::recomputed;
      out.pass_stride = 0;
      return;
    }
    if (steps % digit.extent != 0) out.pass_stride += steps * weight;
    weight *= digit.extent;
  }
  if (out.pass_stride == 0) out.pass = PassWalk::fixed;
}

}  // namespace

std::vector<MapWalk> walks_of(const IndexMaps& maps, uint32_t slots, uint64_t stride) {
  std::vector<MapWalk> walks(maps.size());
  if (!maps[0].digits.empty()) {
    walks[0].slot_stride = slots == 1 ? 0 : 1;
    walks[0].pass = stride == 0 ? PassWalk::fixed : PassWalk::walks;
    walks[0].pass_stride = stride;
  }
  for (uint32_t i = 1; i < maps.size(); ++i) {
    const uint32_t base = maps[i].base;
    walk_slots(maps[i], maps[base], walks[base], slots, walks[i]);
    walk_passes(maps[i], maps[base], walks[base], walks[i]);
  }
  return walks;
}

uint64_t walking_stride(const IndexMaps& maps, uint64_t unit, uint64_t most) {
  uint64_t stride = unit;
  for (uint32_t i = 1; i < maps.size(); ++i) {
    if (maps[i].base != 0) continue;  // follows its base, or is computed again
    uint64_t with_this = stride;
    bool fits = true;
    for (const Digit& digit : maps[i].digits) {
      const bool is_outermost = digit.divisor * digit.extent == maps[0].total;
      const uint64_t period = is_outermost ? digit.divisor : digit.divisor * digit.extent;
      const uint64_t factor = period / std::gcd(with_this, period);
      fits = fits && factor <= most / with_this;
      if (fits) with_this *= factor;
    }
    if (fits) stride = with_this;
  }
  return stride;
}

}  // namespace fuseboard
