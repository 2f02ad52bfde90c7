// Sums and products that say when they leave 64 bits, and quotients that are rounded once.
// It must not know what is counted.
#include "base/checked.h"

#include <cmath>
#include <random>

#include "catch.h"

namespace {

using namespace fuseboard;

constexpr uint64_t kMost = UINT64_MAX;

/// Long division as on paper, in binary: 53 digits from the first 1, then half to even.
double by_long_division(uint64_t numerator, uint64_t denominator) {
  __extension__ using Wide = unsigned __int128;
  Wide rest = numerator;
  Wide divisor = denominator;
  int exponent = 0;
  while (rest >= 2 * divisor) divisor *= 2, ++exponent;
  while (rest < divisor) rest *= 2, --exponent;
  uint64_t digits = 0;
  for (int i = 0; i < 53; ++i) {
    digits = 2 * digits + (rest >= divisor ? 1 : 0);
    if (rest >= divisor) rest -= divisor;
    rest *= 2;
  }
  // `rest` is now twice what is left below the last digit.
  if (rest > divisor || (rest == divisor && digits % 2 == 1)) ++digits;
  return std::ldexp(static_cast<double>(digits), exponent - 52);
}

}  // namespace

TEST_CASE("sums and products are exact, or nothing") {
  CHECK(checked_add(2, 3) == 5U);
  CHECK(checked_add(kMost - 1, 1) == kMost);
  CHECK_FALSE(checked_add(kMost, 1).has_value());
  CHECK(checked_mul(uint64_t{1} << 32, (uint64_t{1} << 32) - 1) == kMost - ((uint64_t{1} << 32) - 1));
  CHECK_FALSE(checked_mul(uint64_t{1} << 32, uint64_t{1} << 32).has_value());
  CHECK(checked_mul(kMost, 0) == 0U);
  CHECK(checked_mul(0, kMost) == 0U);
}

TEST_CASE("a ratio is what Python's integer division gives") {
  CHECK(exact_ratio(0, 7) == 0.0);
  CHECK(exact_ratio(33280, 33024) == 1.0077519379844961);
  CHECK(exact_ratio(1, 3) == 1.0 / 3.0);
  CHECK(exact_ratio(kMost, 1) == 18446744073709551616.0);
  CHECK(exact_ratio(1, kMost) == std::ldexp(1.0, -64));
  CHECK(exact_ratio(kMost, kMost) == 1.0);
  CHECK(exact_ratio(kMost, kMost - 1) == 1.0);
}

TEST_CASE("past 2^53 a ratio is rounded once, half to even") {
  constexpr uint64_t k53 = uint64_t{1} << 53;
  CHECK(exact_ratio(k53 + 1, 1) == 9007199254740992.0);  // half way: the even neighbour
  CHECK(exact_ratio(k53 + 2, 1) == 9007199254740994.0);
  CHECK(exact_ratio(k53 + 3, 1) == 9007199254740996.0);
  CHECK(exact_ratio((k53 + 1) * 2 + 1, 2) == 9007199254740994.0);  // just above half way
  // Dividing two doubles gives 1 here: both round to 2^54.
  CHECK(exact_ratio(2 * k53 + 1, 2 * k53 - 1) == by_long_division(2 * k53 + 1, 2 * k53 - 1));
  CHECK(exact_ratio(3 * k53 + 1, k53) == 3.0);
  CHECK(exact_ratio(kMost, 3) == 6148914691236517205.0);
}

TEST_CASE("a ratio agrees with long division, whatever the sizes of both") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const uint64_t numerator = random() >> random() % 64;
    const uint64_t denominator = std::max<uint64_t>(1, random() >> random() % 64);
    INFO(numerator << " / " << denominator);
    if (numerator != 0)
      REQUIRE(exact_ratio(numerator, denominator) == by_long_division(numerator, denominator));
  }
  for (uint64_t numerator = kMost - 40; numerator < kMost; ++numerator) {
    for (uint64_t denominator : {kMost, kMost - 1, kMost - 7, kMost / 2, kMost / 2 + 1, uint64_t{3}}) {
      REQUIRE(exact_ratio(numerator, denominator) == by_long_division(numerator, denominator));
    }
  }
}
