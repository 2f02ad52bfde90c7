// Numbers as people type them: values, words, bits; and what is none.
// It must not know launches.
#include "catch.h"
#include "verify/scratch_launch.h"

using namespace fuseboard;

TEST_CASE("floats are read as decimals, words or bits") {
  CHECK(bits_from_text(DType::f32, "1.5") == 0x3fc00000U);
  CHECK(bits_from_text(DType::f32, "-0") == 0x80000000U);
  CHECK(bits_from_text(DType::f32, "inf") == 0x7f800000U);
  CHECK(bits_from_text(DType::f32, "0x7fc00001") == 0x7fc00001U);
  CHECK(bits_from_text(DType::f16, "1") == 0x3c00U);
  CHECK(bits_from_text(DType::bf16, "-2") == 0xc000U);
  CHECK(bits_from_text(DType::f64, "1e300") == 0x7e37e43c8800759cU);
  for (const char* wrong : {"", "1.5x", "one", " 1", "0x", "0x1ffffffff", "0xgg"}) {
    INFO(wrong);
    CHECK_FALSE(bits_from_text(DType::f32, wrong));
  }
}

TEST_CASE("integers keep every bit and refuse what does not fit") {
  CHECK(bits_from_text(DType::i8, "-128") == 0x80U);
  CHECK(bits_from_text(DType::u64, "18446744073709551615") == ~uint64_t{0});
  CHECK(bits_from_text(DType::i64, "-9223372036854775808") == uint64_t{1} << 63);
  CHECK(bits_from_text(DType::i32, "-1") == 0xffffffffU);
  CHECK(bits_from_text(DType::u16, "-0") == 0U);
  for (const char* wrong : {"300", "-129", "1.5", "0x100", "", "-"}) {
    INFO(wrong);
    CHECK_FALSE(bits_from_text(DType::i8, wrong));
  }
  CHECK_FALSE(bits_from_text(DType::u64, "18446744073709551616"));
  CHECK_FALSE(bits_from_text(DType::u8, "-1"));
}

TEST_CASE("bools are true and false, or 1 and 0") {
  CHECK(bits_from_text(DType::boolean, "true") == 1U);
  CHECK(bits_from_text(DType::boolean, "0") == 0U);
  CHECK_FALSE(bits_from_text(DType::boolean, "2"));
  CHECK_FALSE(bits_from_text(DType::foreign, "1"));
}
