// How far a fold may be from the exact one, and what it must be where infinities and NaN meet.
// It must not know kernels.
#include "verify/fold_reference.h"

#include <cmath>
#include <limits>
#include <vector>

#include "catch.h"
#include "graph_builder.h"

using namespace fuseboard;
using namespace fuseboard_test;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNaN = std::numeric_limits<double>::quiet_NaN();

FoldReference reference(const std::string& reducer, uint64_t depth, DType dtype = DType::f32) {
  GraphBuilder builder;
  const uint32_t x = builder.add("x", OpKind::input, {}, {64}, dtype);
  const uint32_t y = builder.add("y", OpKind::reduce, {x}, {}, dtype, {{"reducer", reducer}});
  std::string fault;
  std::optional<FoldReference> made = FoldReference::make(builder.graph, y, depth, fault);
  REQUIRE(made);
  return *made;
}

bool holds(const std::string& reducer, const std::vector<double>& values, double got,
           DType dtype = DType::f32) {
  FoldReference fold = reference(reducer, 10, dtype);
  fold.begin();
  for (size_t i = 0; i < values.size(); ++i) fold.take({values[i], 0}, i);
  return fold.hold({got, 0}).holds;
}

}  // namespace

TEST_CASE("a float sum may differ by its depth's roundings of the sum of magnitudes, and no more") {
  const double unit = 0x1p-24;
  const std::vector<double> values = {1, 2, -3, 4};  // magnitudes sum to 10
  CHECK(holds("sum", values, 4));
  CHECK(holds("sum", values, 4 + 90 * unit));
  CHECK_FALSE(holds("sum", values, 4 + 110 * unit));
  CHECK(holds("mean", values, 1 + 20 * unit));
  CHECK_FALSE(holds("mean", values, 1 + 40 * unit));
  CHECK(holds("prod", values, -24 * (1 + 3.5 * unit)));  // of four, however they are multiplied
  CHECK_FALSE(holds("prod", values, -24 * (1 + 6 * unit)));
  CHECK_FALSE(holds("prod", values, 24));
  CHECK(holds("sum", values, 4 + 90 * 0x1p-53, DType::f64));
  CHECK_FALSE(holds("sum", values, 4 + 110 * 0x1p-53, DType::f64));
}

TEST_CASE("a sum whose parts cancel is measured against its parts") {
  CHECK(holds("sum", {1e8, 1, -1e8}, 0));
  CHECK_FALSE(holds("sum", {1e3, 1, -1e3}, 0));
  CHECK_FALSE(holds("max", {1, 2}, 2.0000002384185791));
}

TEST_CASE("infinities and NaN are as any order makes them") {
  const double most = static_cast<double>(std::numeric_limits<float>::max());
  CHECK(holds("sum", {1, kNaN}, kNaN));
  CHECK_FALSE(holds("sum", {1, kNaN}, 1));
  CHECK(holds("sum", {kInfinity, -kInfinity}, kNaN));
  CHECK_FALSE(holds("sum", {kInfinity, 1}, kNaN));
  CHECK(holds("sum", {kInfinity, 1}, kInfinity));
  CHECK_FALSE(holds("sum", {kInfinity, 1}, 3e38));
  CHECK(holds("sum", {most, most, -most}, kInfinity));
  CHECK(holds("sum", {most, most, -most}, most));
  CHECK_FALSE(holds("sum", {most, most, -most}, -kInfinity));
  CHECK_FALSE(holds("sum", {1, 2}, kInfinity));
  CHECK(holds("prod", {most, 2, 0}, kNaN));
  CHECK(holds("prod", {most, 2, 0.5}, kInfinity));
  CHECK_FALSE(holds("prod", {most, 2, 0.5}, -kInfinity));
  CHECK_FALSE(holds("prod", {2, 0}, kNaN));
  CHECK(holds("prod", {2, -0.0}, -0.0));
  CHECK(holds("prod", {1e-30, 1e-30, 1e30, 1e30}, 0));
}

TEST_CASE("a result that is no float is what any float within the bound gives") {
  const auto gives = [](const std::string& reducer, const std::vector<double>& values, DType result,
                        uint64_t bits) {
    GraphBuilder builder;
    const uint32_t x = builder.add("x", OpKind::input, {}, {64});
    const uint32_t y = builder.add("y", OpKind::reduce, {x}, {}, result, {{"reducer", reducer}});
    std::string fault;
    std::optional<FoldReference> fold = FoldReference::make(builder.graph, y, 10, fault);
    REQUIRE(fold);
    fold->begin();
    for (size_t i = 0; i < values.size(); ++i) fold->take({values[i], 0}, i);
    return fold->hold({0, bits}).holds;
  };
  const double most = static_cast<double>(std::numeric_limits<float>::max());
  CHECK(gives("sum", {1e8, 1, -1e8}, DType::i32, 0));
  CHECK(gives("sum", {1e3, 1, -1e3}, DType::i32, 0));  // 0.999 is cut to 0
  CHECK_FALSE(gives("sum", {1e3, 1, -1e3}, DType::i32, 2));
  CHECK(gives("sum", {1e8, 1, -1e8}, DType::boolean, 0));
  CHECK(gives("sum", {most, most, -most}, DType::i32, 0x7fffffff));
  CHECK_FALSE(gives("sum", {1, 2}, DType::boolean, 0));
  CHECK(gives("prod", {1e-30, 1e-30, -1e30, 1e30}, DType::boolean, 0));
  CHECK(gives("prod", {1e-30, 1e-30, -1e30, 1e30}, DType::boolean, 1));
  CHECK_FALSE(gives("prod", {-2, 3}, DType::boolean, 0));
  CHECK_FALSE(gives("prod", {-2, 0}, DType::i32, 1));
}

TEST_CASE("a reducer without a reference is refused") {
  GraphBuilder builder;
  const uint32_t x = builder.add("x", OpKind::input, {}, {64});
  const uint32_t y = builder.add("y", OpKind::reduce, {x}, {}, DType::f32, {{"reducer", std::string("xor")}});
  std::string fault;
  CHECK_FALSE(FoldReference::make(builder.graph, y, 10, fault));
  CHECK(fault.find("y folds by a reducer") == 0);
}
