// Input values: a pure function of a seed, an op and an index, so that memory too large to hold has them too.
// It must not know kernels, nor where the values lie.
#pragma once

#include <cstdint>
#include <span>

#include "graph/dtype.h"

namespace fuseboard {

/// What a tensor is folded by on the way to the results: its values must not drown each other.
struct Calm {
  enum class For : uint8_t { nothing, sums, products, any, all } purpose = For::nothing;
  uint64_t length = 1;  ///< of the longest fold
};

/// The bits, little endian, of element `index` of op `op`. One in sixteen floats is special: a signed zero,
/// an infinity, a NaN, a subnormal, the least or greatest normal, one; at one index in 32 those of most ops
/// are at once, so that they meet. The others lie within [-4, 4), within [-1, 1), are small multiples of a
/// half (so that two are often equal, and ties occur) or spread over 2^-40 .. 2^40 (f16: 2^-14 .. 2^14)
/// with fractions of any number of bits.
/// Integers are small, tiny, anything, or the extremes of their dtype; bools 0 or 1. Mixed with the finaliser
/// of splitmix64 (Steele, Lea, Flood 2014). O(1).
/// What is folded (`calm`) is such a value once in 8 * length elements. Otherwise a float within [-4, 4) or a
/// multiple of a half, within an eighth of 1 or -1 for products; an integer factor 1 or -1; a bool that
/// leaves the fold open: else a long row would tell nothing but NaN, zero, true.
uint64_t seeded_bits(uint64_t seed, uint32_t op, uint64_t index, DType dtype, Calm calm = {});

/// 64 evenly spread bits for number `index` of a stream. O(1).
uint64_t seeded_random(uint64_t seed, uint32_t stream, uint64_t index);

/// The bytes from `offset` on of op `op`'s tensor; of a dtype that is foreign, any bytes. O(bytes).
void seeded_bytes(uint64_t seed, uint32_t op, DType dtype, uint64_t offset, std::span<uint8_t> out,
                  Calm calm = {});

/// The value of op `op`'s kernel parameter, exact in every dtype: whole, from `base` to `base` + 60, so that
/// a kernel that takes another op's is seen.
inline double scalar_of(double base, uint32_t op) { return base + op % 61; }

}  // namespace fuseboard
