// Folds an element at a time, in whatever order.
// It must not know graphs or kernels.
#include "graph/reducer.h"

#include <cmath>
#include <limits>
#include <vector>

#include "catch.h"

using namespace fuseboard;

namespace {

Element folded(std::string_view name, DType dtype, const std::vector<Element>& values, bool backwards) {
  Reducer reducer(name, dtype);
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t at = backwards ? values.size() - 1 - i : i;
    reducer.take(values[at], at);
  }
  return reducer.result(name.starts_with("arg") ? DType::i64 : dtype);
}

Element real(double value) { return {value, 0}; }
Element whole(int64_t value) { return {0, static_cast<uint64_t>(value)}; }

}  // namespace

TEST_CASE("of equal elements the first is the place of the extreme, whatever the order") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const bool backwards : {false, true}) {
    CHECK(folded("argmax", DType::f32, {real(1), real(3), real(3), real(2)}, backwards).bits == 1);
    CHECK(folded("argmin", DType::i32, {whole(-1), whole(-5), whole(-5)}, backwards).bits == 1);
    CHECK(folded("argmax", DType::f32, {real(1), real(nan), real(9), real(nan)}, backwards).bits == 1);
    CHECK(folded("argmin", DType::f32, {real(0.0), real(-0.0)}, backwards).bits == 0);
  }
}

TEST_CASE("extremes let NaN win and tell the zeros apart, whatever the order") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const bool backwards : {false, true}) {
    CHECK(std::isnan(folded("max", DType::f32, {real(1), real(nan), real(2)}, backwards).real));
    CHECK_FALSE(std::signbit(folded("max", DType::f32, {real(-0.0), real(0.0)}, backwards).real));
    CHECK(std::signbit(folded("min", DType::f32, {real(-0.0), real(0.0)}, backwards).real));
    CHECK(folded("max", DType::u8, {whole(3), whole(200)}, backwards).bits == 200);
    CHECK(folded("min", DType::i8, {whole(3), whole(-100)}, backwards).bits ==
          static_cast<uint64_t>(int64_t{-100}));
  }
}

TEST_CASE("integers wrap, truths meet, and nothing has its identity") {
  CHECK(folded("sum", DType::i8, {whole(127), whole(1)}, false).bits == static_cast<uint64_t>(int64_t{-128}));
  CHECK(folded("prod", DType::u8, {whole(16), whole(17)}, false).bits == 16);
  CHECK(folded("all", DType::boolean, {whole(1), whole(0)}, false).bits == 0);
  CHECK(folded("any", DType::boolean, {whole(0), whole(1)}, false).bits == 1);
  CHECK(folded("mean", DType::f32, {real(1), real(2)}, false).real == 1.5);
  CHECK(folded("max", DType::f32, {}, false).real == -std::numeric_limits<double>::infinity());
  CHECK(folded("prod", DType::f32, {}, false).real == 1);
}
