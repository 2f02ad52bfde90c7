// Sets of a warp's lanes as bits.
// It must not know kernels.
#pragma once

#include <cstdint>

namespace fuseboard {

/// Calls `act` with each lane of a set, ascending.
template <class Do>
void for_lanes(uint32_t lanes, Do act) {
  for (uint32_t left = lanes; left != 0; left &= left - 1) act(static_cast<uint32_t>(__builtin_ctz(left)));
}

inline uint32_t first_lanes(uint32_t count) { return count >= 32 ? 0xffffffff : (1U << count) - 1; }

}  // namespace fuseboard
