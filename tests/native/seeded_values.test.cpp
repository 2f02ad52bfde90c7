// Seeded values: pure, the same whole or in parts, with their share of what is special.
// It must not know kernels.
#include "verify/seeded_values.h"

#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <vector>

#include "catch.h"

using namespace fuseboard;

namespace {

float f32(uint64_t seed, uint32_t op, uint64_t index) {
  const uint32_t bits = static_cast<uint32_t>(seeded_bits(seed, op, index, DType::f32));
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace

TEST_CASE("seeded bytes are the same whole, in parts and at any offset") {
  for (const DType dtype : {DType::f64, DType::f32, DType::bf16, DType::i8, DType::boolean, DType::u64}) {
    std::vector<uint8_t> whole(100 * dtype_bytes(dtype));
    seeded_bytes(7, 3, dtype, 0, whole);
    for (size_t offset = 0; offset < 40; offset += 3) {
      std::vector<uint8_t> part(29);
      seeded_bytes(7, 3, dtype, offset, part);
      CHECK(std::equal(part.begin(), part.end(), whole.begin() + static_cast<std::ptrdiff_t>(offset)) ==
            (offset + part.size() <= whole.size()));
    }
  }
}

TEST_CASE("another seed, op or index gives other values") {
  std::set<uint64_t> seen;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    for (uint32_t op = 0; op < 10; ++op) {
      for (uint64_t index = 0; index < 10; ++index)
        seen.insert(seeded_bits(seed, op, index, DType::u64) | op << 1);
    }
  }
  CHECK(seeded_random(1, 2, 3) != seeded_random(2, 1, 3));
  CHECK(seeded_random(1, 2, 3) == seeded_random(1, 2, 3));
  CHECK(seen.size() > 300);  // small integers do repeat
}

TEST_CASE("among a thousand floats every special kind occurs, and most are ordinary") {
  std::map<std::string, int> seen;
  for (uint64_t i = 0; i < 4000; ++i) {
    const float value = f32(1, 0, i);
    if (std::isnan(value))
      ++seen["nan"];
    else if (std::isinf(value))
      ++seen[value > 0 ? "inf" : "-inf"];
    else if (value == 0)
      ++seen[std::signbit(value) ? "-0" : "0"];
    else if (!std::isnormal(value))
      ++seen[value > 0 ? "subnormal" : "-subnormal"];
    else if (std::fabs(value) <= 4)
      ++seen["ordinary"];
    if (std::fabs(value) == std::numeric_limits<float>::max()) ++seen["greatest"];
  }
  for (const char* kind : {"nan", "inf", "-inf", "0", "-0", "subnormal", "-subnormal", "greatest"}) {
    INFO(kind);
    CHECK(seen[kind] > 3);
  }
  CHECK(seen["ordinary"] > 2800);
  CHECK(seen["nan"] < 200);
}

TEST_CASE("integers reach the ends of their dtypes, bools are 0 or 1") {
  for (const DType dtype : {DType::i8, DType::i32, DType::u16, DType::i64}) {
    const uint32_t bits = 8 * dtype_bytes(dtype);
    const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    std::set<uint64_t> seen;
    for (uint64_t i = 0; i < 2000; ++i) {
      seen.insert(seeded_bits(1, 0, i, dtype));
      REQUIRE(*seen.rbegin() <= mask);
    }
    for (const uint64_t wanted : {uint64_t{0}, uint64_t{1}, mask, mask >> 1, (mask >> 1) + 1})
      CHECK(seen.count(wanted) == 1);
  }
  std::set<uint64_t> bools;
  for (uint64_t i = 0; i < 100; ++i) bools.insert(seeded_bits(1, 0, i, DType::boolean));
  CHECK(bools == std::set<uint64_t>{0, 1});
}

TEST_CASE("narrow floats are values of their own format") {
  for (uint64_t i = 0; i < 1000; ++i) {
    CHECK(seeded_bits(1, 0, i, DType::f16) <= 0xffff);
    CHECK(seeded_bits(1, 0, i, DType::bf16) <= 0xffff);
  }
}
