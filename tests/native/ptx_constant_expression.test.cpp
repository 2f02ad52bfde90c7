// Numbers and constant expressions of PTX.
// It must not know where they stand.
#include "catch.h"
#include "ptx/reading.h"

using namespace fuseboard::ptx;

namespace {

std::optional<Constant> value(std::string_view text) {
  Reading reading(text);
  return read_constant(reading);
}

int64_t integer(std::string_view text) {
  INFO(text);
  const std::optional<Constant> constant = value(text);
  REQUIRE(constant);
  REQUIRE(constant->kind == Constant::Kind::integer);
  return static_cast<int64_t>(constant->bits);
}

}  // namespace

TEST_CASE("constants are read in every base") {
  CHECK(integer("0x1F") == 31);
  CHECK(integer("017") == 15);
  CHECK(integer("0b101") == 5);
  CHECK(integer("12U") == 12);
  CHECK(integer("WARP_SZ") == 32);
  CHECK(integer("18446744073709551615") == -1);
  CHECK(value("0f3F800000")->bits == 0x3f800000);
  CHECK(value("0dBFF0000000000000")->bits == 0xbff0000000000000);
  CHECK(value("1.5")->bits == 0x3ff8000000000000);
  CHECK(value("-0f3F800000")->bits == 0xbf800000);
}

TEST_CASE("operators bind as in C") {
  CHECK(integer("1+2*3") == 7);
  CHECK(integer("(1+2)*3") == 9);
  CHECK(integer("10-4-3") == 3);
  CHECK(integer("-2*-3") == 6);
  CHECK(integer("1<<4|3&1") == 17);
  CHECK(integer("~0") == -1);
  CHECK(integer("!5") == 0);
  CHECK(integer("-8>>1") == -4);
  CHECK(integer("(.u64)-8>>1") == 0x7ffffffffffffffc);
  CHECK(integer("-1<0U") == 0);
  CHECK(integer("-1<0") == 1);
  CHECK(integer("7 % 4 == 3 && 2 != 1") == 1);
  CHECK(integer("1<<70") == 0);
  CHECK(integer("(-9223372036854775807-1)/-1") == std::numeric_limits<int64_t>::min());
}

TEST_CASE("what has no value is an error") {
  for (const char* text : {"1/0", "5%0", "1.5%2", "~1.5", "99999999999999999999", "0xg", "09", "0f3F8",
                           "1.5.2", "(1", "+", "1+", ""}) {
    INFO(text);
    Reading reading(text);
    CHECK_FALSE(read_constant(reading).has_value());
    CHECK(reading.problems.take().size() == 1);
  }
}

TEST_CASE("a deep expression ends in an error, not in a crash") {
  Reading reading(
      std::string_view("((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1"));
  CHECK_FALSE(read_constant(reading).has_value());
  const std::string minuses(100000, '-');
  Reading deep(minuses);
  CHECK_FALSE(read_constant(deep).has_value());
  CHECK(deep.problems.take().at(0).code == fuseboard::Code::ptx_limit);
}

TEST_CASE("a constant becomes what its slot's type wants, or nothing") {
  const Constant one_and_half = *value("1.5"), all_bits = *value("0xffffffff"), big = *value("0x1ffffffff");
  CHECK(constant_as(one_and_half, Type::f32) == 0x3fc00000);
  CHECK(constant_as(one_and_half, Type::f64) == 0x3ff8000000000000);
  CHECK_FALSE(constant_as(one_and_half, Type::s32).has_value());
  CHECK_FALSE(constant_as(one_and_half, Type::b32).has_value());
  CHECK(constant_as(one_and_half, Type::b64) == 0x3ff8000000000000);
  CHECK(constant_as(*value("0f3F800000"), Type::b32) == 0x3f800000);
  CHECK(constant_as(*value("0f3F800000"), Type::f64) == 0x3ff0000000000000);
  CHECK(constant_as(all_bits, Type::s32) == -1);
  CHECK(constant_as(all_bits, Type::u32) == 0xffffffff);
  CHECK(constant_as(big, Type::u16) == 0xffff);
  CHECK_FALSE(constant_as(*value("1"), Type::f32).has_value());
  CHECK_FALSE(constant_as(*value("1"), Type::f16).has_value());
}
