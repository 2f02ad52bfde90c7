// Which divisions by a value of the row are products with its reciprocal.
// It must not know PTX.
#include "emit/row_quotients.h"

#include <limits>

#include "catch.h"
#include "fold_graph.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

const Shape kFull{64, 32};
const Shape kRows{64};

uint32_t fold(FoldGraph& r, const char* reducer, uint32_t of, DType dtype = DType::f32) {
  return r.member(reducer, OpKind::reduce, {of}, kRows,
                  {{"reducer", std::string(reducer)}, {"axes", std::vector<int64_t>{1}}}, dtype);
}

/// Whether the op is divided so; it is the only store.
bool is_by_reciprocal(FoldGraph& r, uint32_t any_fold, uint32_t quotient, Math math = Math::fast) {
  const auto schedule = r.schedule(any_fold, {quotient});
  REQUIRE(schedule.has_value());
  const std::vector<bool> found = quotients_by_reciprocal(r.b.graph, *schedule, math);
  return found[schedule->loop.stored[0]];
}

/// exp(x - max(x)) / sum of it; `least` guards the maximum of an empty row.
bool softmax_is(Math math, std::optional<double> least = {}, bool subtracts_max = true) {
  FoldGraph r;
  const uint32_t x = r.input("x", kFull);
  const uint32_t top = fold(r, subtracts_max ? "max" : "min", x);
  uint32_t most = top;
  if (least) {
    const uint32_t bound = r.b.add("least", OpKind::constant, {}, {}, DType::f32, {{"value", *least}});
    most = r.member("most", OpKind::max, {top, bound}, kRows);
  }
  const uint32_t d = r.member("d", OpKind::sub, {x, r.broadcast(most, kFull, {0})}, kFull);
  const uint32_t e = r.member("e", OpKind::exp, {d}, kFull);
  const uint32_t s = fold(r, "sum", e);
  const uint32_t y = r.member("y", OpKind::div, {e, r.broadcast(s, kFull, {0})}, kFull);
  return is_by_reciprocal(r, top, y, math);
}

}  // namespace

TEST_CASE("softmax multiplies by one reciprocal a row, in math fast: one of its exponentials is 1") {
  CHECK(softmax_is(Math::fast));
  CHECK(softmax_is(Math::fast, -std::numeric_limits<double>::infinity()));
  CHECK_FALSE(softmax_is(Math::precise));
}

TEST_CASE("a sum of exponentials that may all be tiny is divided by") {
  CHECK_FALSE(softmax_is(Math::fast, 0.0));
  CHECK_FALSE(softmax_is(Math::fast, {}, false));
}

TEST_CASE("a root's reciprocal is normal or infinite, a sum's need not be") {
  for (const bool rooted : {true, false}) {
    FoldGraph r;
    const uint32_t x = r.input("x", kFull);
    const uint32_t s = fold(r, "sum", x);
    const uint32_t by = rooted ? r.member("root", OpKind::sqrt, {s}, kRows) : s;
    const uint32_t y = r.member("y", OpKind::div, {x, r.broadcast(by, kFull, {0})}, kFull);
    CHECK(is_by_reciprocal(r, s, y) == rooted);
  }
}

TEST_CASE("what is by row itself, or of f64, is divided") {
  FoldGraph r;
  const uint32_t x = r.input("x", kFull);
  const uint32_t s = fold(r, "sum", x);
  const uint32_t root = r.member("root", OpKind::sqrt, {s}, kRows);
  const uint32_t share = r.member("share", OpKind::div, {s, root}, kRows);
  CHECK_FALSE(is_by_reciprocal(r, s, share));

  FoldGraph wide;
  const uint32_t z = wide.input("z", kFull, DType::f64);
  const uint32_t sum = fold(wide, "sum", z, DType::f64);
  const uint32_t by = wide.member("by", OpKind::sqrt, {sum}, kRows, {}, DType::f64);
  const uint32_t y =
      wide.member("y", OpKind::div, {z, wide.broadcast(by, kFull, {0})}, kFull, {}, DType::f64);
  CHECK_FALSE(is_by_reciprocal(wide, sum, y));
}
