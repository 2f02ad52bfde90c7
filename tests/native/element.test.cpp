// Elements in memory, as text and converted, against values worked out by hand or by Python.
// It must not know ops or graphs.
#include <cmath>
#include <limits>

#include "catch.h"
#include "graph/evaluate.h"

namespace {

using namespace fuseboard;

uint64_t stored(DType dtype, double value) {
  uint8_t bytes[8] = {};
  element_to_bytes(dtype, {value, 0}, bytes);
  uint64_t raw = 0;
  for (uint32_t i = dtype_bytes(dtype); i-- > 0;) raw = raw << 8 | bytes[i];
  return raw;
}

Element loaded(DType dtype, uint64_t raw) {
  uint8_t bytes[8];
  for (int i = 0; i < 8; ++i) bytes[i] = static_cast<uint8_t>(raw >> (8 * i));
  return element_from_bytes(dtype, bytes);
}

const double kInf = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("floats are stored to nearest, ties to even, subnormals and overflow as IEEE has them") {
  CHECK(stored(DType::f16, 1.0) == 0x3c00);
  CHECK(stored(DType::f16, 65504.0) == 0x7bff);
  CHECK(stored(DType::f16, 65519.99) == 0x7bff);
  CHECK(stored(DType::f16, 65520.0) == 0x7c00);
  CHECK(stored(DType::f16, 0x1p-24) == 1);
  CHECK(stored(DType::f16, 0x1p-25) == 0);          // a tie with 0
  CHECK(stored(DType::f16, 0x1.8p-24) == 2);        // a tie
  CHECK(stored(DType::f16, 0x1.ff8p-15) == 0x3ff);  // the largest subnormal ...
  CHECK(stored(DType::f16, 0x1.ffcp-15) == 0x400);  // ... and what rounds past it
  CHECK(stored(DType::f16, -2.0) == 0xc000);
  CHECK(stored(DType::f16, -0.0) == 0x8000);
  CHECK(stored(DType::bf16, 1.0) == 0x3f80);
  CHECK(stored(DType::bf16, 1.00390625) == 0x3f80);  // 1 + 2^-8, a tie
  CHECK(stored(DType::bf16, 1.01171875) == 0x3f82);  // 1 + 3 * 2^-8, a tie
  CHECK(stored(DType::bf16, 3.4e38) == 0x7f80);
  CHECK(stored(DType::f32, 0.1) == 0x3dcccccd);
  CHECK(stored(DType::f32, 1e-45) == 1);
  CHECK(stored(DType::f32, 3.5e38) == 0x7f800000);
  CHECK(stored(DType::f32, -kInf) == 0xff800000);
  CHECK(stored(DType::f64, 0.1) == 0x3fb999999999999a);
}

TEST_CASE("a NaN keeps its payload in f32 and f64, and is 7FFF in f16 and bf16") {
  CHECK(stored(DType::f32, loaded(DType::f32, 0xffa12345).real) == 0xffa12345);
  CHECK(stored(DType::f64, loaded(DType::f64, 0x7ff0000000000001).real) == 0x7ff0000000000001);
  CHECK(stored(DType::f16, loaded(DType::f16, 0xfe01).real) == 0x7fff);
  CHECK(stored(DType::bf16, std::nan("")) == 0x7fff);
}

TEST_CASE("every f16 and bf16 survives a load and a store") {
  for (uint64_t raw = 0; raw < 0x10000; ++raw) {
    for (const DType dtype : {DType::f16, DType::bf16}) {
      const double value = loaded(dtype, raw).real;
      if (value == value) REQUIRE(stored(dtype, value) == raw);
    }
  }
  CHECK(loaded(DType::f16, 0x3555).real == 0x1.554p-2);
  CHECK(loaded(DType::f16, 0x03ff).real == 0x1.ff8p-15);
  CHECK(loaded(DType::bf16, 0xc2f7).real == -123.5);
}

TEST_CASE("integers are extended as their dtype says; bool is not zero") {
  CHECK(loaded(DType::i8, 0xff).bits == ~uint64_t{0});
  CHECK(loaded(DType::u8, 0xff).bits == 255);
  CHECK(loaded(DType::i16, 0x8000).bits == 0xffffffffffff8000);
  CHECK(loaded(DType::i32, 0x80000000).bits == 0xffffffff80000000);
  CHECK(loaded(DType::u64, 0x8000000000000000).bits == 0x8000000000000000);
  CHECK(loaded(DType::boolean, 2).bits == 1);
}

TEST_CASE("casts to integers cut, saturate, and give 0 for NaN; integers wrap") {
  const auto cast = [](double value, DType to) {
    return static_cast<int64_t>(converted(DType::f64, to, {value, 0}).bits);
  };
  CHECK(cast(-1.9, DType::i32) == -1);
  CHECK(cast(127.9, DType::i8) == 127);
  CHECK(cast(128.0, DType::i8) == 127);
  CHECK(cast(-1000.0, DType::i8) == -128);
  CHECK(cast(-0.9, DType::u8) == 0);
  CHECK(cast(-5.0, DType::u32) == 0);
  CHECK(cast(1e20, DType::i64) == INT64_MAX);
  CHECK(cast(-1e20, DType::i64) == INT64_MIN);
  CHECK(converted(DType::f64, DType::u64, {1e20, 0}).bits == UINT64_MAX);
  CHECK(cast(std::nan(""), DType::i64) == 0);
  CHECK(converted(DType::i32, DType::u8, {0, static_cast<uint64_t>(-1)}).bits == 255);
  CHECK(converted(DType::u32, DType::i8, {0, 200}).bits == static_cast<uint64_t>(-56));
  CHECK(converted(DType::f32, DType::boolean, {0.001, 0}).bits == 1);
  CHECK(converted(DType::f32, DType::boolean, {-0.0, 0}).bits == 0);
}

TEST_CASE("integers become floats by one rounding") {
  const auto cast = [](uint64_t value, DType from, DType to) { return converted(from, to, {0, value}).real; };
  CHECK(cast(9007199791611905, DType::i64, DType::f32) ==
        0x1.000002p53);  // 2^53 + 2^29 + 1: double would tie, to even
  CHECK(cast(UINT64_MAX, DType::u64, DType::f32) == 0x1p64);
  CHECK(cast(UINT64_MAX, DType::i64, DType::f32) == -1);
  CHECK(cast(65520, DType::u16, DType::f16) == kInf);
  CHECK(cast(2049, DType::i32, DType::f16) == 2048);
  CHECK(cast(2051, DType::i32, DType::f16) == 2052);
  CHECK(cast(1, DType::boolean, DType::bf16) == 1);
  CHECK(converted(DType::f64, DType::f16, {1 + 0x1p-11 + 0x1p-40, 0}).real ==
        1 + 0x1p-10);  // not by way of f32
}

TEST_CASE("elements read as people write them") {
  CHECK(element_text(DType::f32, {0.25, 0}) == "0.25");
  CHECK(element_text(DType::f64, {0.1, 0}) == "0.1");
  CHECK(element_text(DType::f32, {0x1.99999ap-4, 0}) == "0.1");
  CHECK(element_text(DType::f64, {0x1.99999ap-4, 0}) == "0.10000000149011612");
  CHECK(element_text(DType::f32, {std::nan(""), 0}) == "nan");
  CHECK(element_text(DType::f32, {-kInf, 0}) == "-inf");
  CHECK(element_text(DType::i8, {0, static_cast<uint64_t>(-7)}) == "-7");
  CHECK(element_text(DType::u64, {0, UINT64_MAX}) == "18446744073709551615");
  CHECK(element_text(DType::boolean, {0, 1}) == "true");
}
