// How an index map's offset moves: from one slot of a thread's pass to the next, and from pass to pass.
// It must not know ops, nor PTX.
#pragma once

#include <cstdint>
#include <vector>

#include "launch/index_map.h"

namespace fuseboard {

enum class PassWalk : uint8_t {
  fixed,       ///< the same offset in every pass
  walks,       ///< it grows by `pass_stride` each pass
  recomputed,  ///< neither: it is computed from the index again
};

struct MapWalk {
  /// offset(i + j) == offset(i) + j * slot_stride for every slot j, where i is a multiple of the slots; and
  /// where slot_stride is 1, offset(i) is such a multiple too.
  bool is_affine = true;
  uint64_t slot_stride = 0;
  PassWalk pass = PassWalk::fixed;
  uint64_t pass_stride = 0;
};

/// Of every map, for passes over `slots` consecutive elements (a power of two) that begin at multiples of it,
/// `stride` elements apart (a multiple of slots; 0: there is one pass). Elements past the last whole pass of
/// slots are not asked about. O(digits).
std::vector<MapWalk> walks_of(const IndexMaps& maps, uint32_t slots, uint64_t stride);

/// The least multiple of `unit`, at most `most`, that as a stride between passes leaves maps fixed or
/// walking: each that one stride can serve together with those before it. O(digits).
uint64_t walking_stride(const IndexMaps& maps, uint64_t unit, uint64_t most);

}  // namespace fuseboard
