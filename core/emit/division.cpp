// Finding multipliers: with m = ceil(2^k / d) and e = m * d - 2^k, x * m / 2^k is exact where e * x < 2^k.
// It must not know registers.
#include "emit/division.h"

namespace fuseboard {

__extension__ typedef unsigned __int128 Wide;

std::optional<Reciprocal> reciprocal_of(uint64_t divisor, uint64_t most, uint32_t word_bits) {
  for (uint32_t shift = 0; shift < word_bits; ++shift) {
    if (word_bits + shift > 126) break;
    const Wide power = Wide{1} << (word_bits + shift);
    const Wide multiplier = (power + divisor - 1) / divisor;
    if (multiplier >> word_bits != 0) break;
    const Wide excess = multiplier * divisor - power;
    if (excess * most < power) return Reciprocal{static_cast<uint64_t>(multiplier), shift};
  }
  return std::nullopt;
}

std::optional<uint32_t> exact_log2(uint64_t value) {
  if (value == 0 || (value & (value - 1)) != 0) return std::nullopt;
  uint32_t log = 0;
  while (value >>= 1) ++log;
  return log;
}

}  // namespace fuseboard
