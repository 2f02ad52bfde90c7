// Correct rounding of a quotient of two 64-bit counts.
// It must not know what is counted.
#include "base/checked.h"

#include <bit>
#include <cmath>

namespace fuseboard {

double exact_ratio(uint64_t numerator, uint64_t denominator) {
  if (numerator == 0) return 0.0;
  // Scale so that the integer quotient has 55 to 57 bits (two more than a double holds), then let a
  // sticky bit stand for the remainder: the one conversion to double rounds correctly.
  const int shift = 56 - (std::bit_width(numerator) - std::bit_width(denominator));
  __extension__ using Wide = unsigned __int128;
  Wide dividend = numerator;
  Wide divisor = denominator;
  if (shift >= 0) {
    // No bit is lost: bit_width(numerator) + shift = 56 + bit_width(denominator) <= 120.
    dividend <<= shift;
  } else {
    divisor <<= -shift;
  }
  const Wide quotient = dividend / divisor;
  const uint64_t sticky = quotient * divisor != dividend ? 1 : 0;
  return std::ldexp(static_cast<double>(static_cast<uint64_t>(quotient) | sticky), -shift);
}

}  // namespace fuseboard
