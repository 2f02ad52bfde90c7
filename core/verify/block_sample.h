// Which blocks of a long launch stand in for all of them.
// It must not know what the kernel computes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "launch/kernel.h"

namespace fuseboard {

struct BlockSample {
  std::vector<uint64_t> blocks;  ///< linear numbers, ascending
  std::string text;              ///< "9 of 8192 blocks: the first, the last, ..."
};

/// The first block, the last, the one that holds the last element, those where an offset passes 2^31 or 2^32
/// elements or bytes, and a seeded sample of the others: so many that about `most_elements` elements are
/// walked, at least two more and at most 59. A pass is taken to walk `slots` elements a thread, in the
/// order of the threads. Of a kernel that reduces a block walks whole rows. O(blocks chosen).
BlockSample sample_blocks(const Kernel& kernel, uint32_t slots, uint64_t seed, uint64_t most_elements);

}  // namespace fuseboard
