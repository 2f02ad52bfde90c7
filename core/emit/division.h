// Unsigned division by a known divisor as a multiplication and a shift.
// It must not know registers.
#pragma once

#include <cstdint>
#include <optional>

namespace fuseboard {

/// x / divisor == high half of (x * multiplier), shifted right by `shift`.
struct Reciprocal {
  uint64_t multiplier = 0;
  uint32_t shift = 0;
};

/// Exact for every x <= most, in words of 32 or 64 bits; divisor is at least 2 and no power of two. Nothing
/// where no multiplier of one word will do; most < 2^31 (2^63) always has one.
std::optional<Reciprocal> reciprocal_of(uint64_t divisor, uint64_t most, uint32_t word_bits);

/// log2 of a power of two, or nothing.
std::optional<uint32_t> exact_log2(uint64_t value);

}  // namespace fuseboard
