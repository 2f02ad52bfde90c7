// How kernels that reduce are launched: slots, threads, rows of a block, held or looped, what is read again.
// It must not know PTX.
#include "launch/row_launch.h"

#include "catch.h"
#include "fold_graph.h"
#include "launch/kernel.h"
#include "row_shape_check.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

struct LaunchGraph : FoldGraph {
  RowRefusal refusal;

  std::optional<RowLaunch> launch(uint32_t reduce, std::vector<uint32_t> stores) {
    const std::optional<RowDomain> domain = row_domain_of(b.graph, reduce);
    REQUIRE(domain.has_value());
    const auto made = row_launch(b.graph, {members, *domain, std::move(stores)}, refusal);
    INFO(refusal.why);
    if (made) CHECK(config_fault(made->shape, made->config) == "");
    return made;
  }
};

/// The launch of a sum.
RowLaunch sum_of(Shape shape, std::vector<int64_t> axes, DType dtype = DType::f32) {
  LaunchGraph r;
  Shape kept;
  for (size_t k = 0; k < shape.size(); ++k) {
    if (std::find(axes.begin(), axes.end(), static_cast<int64_t>(k)) == axes.end()) kept.push_back(shape[k]);
  }
  const uint32_t x = r.input("x", shape, dtype);
  const uint32_t s = r.member("s", OpKind::reduce, {x}, kept,
                              {{"reducer", std::string("sum")}, {"axes", std::move(axes)}}, dtype);
  const auto made = r.launch(s, {s});
  REQUIRE(made.has_value());
  return *made;
}

/// The launch of a softmax over one axis of a matrix.
RowLaunch softmax_of(uint64_t height, uint64_t width, int64_t axis = 1, DType dtype = DType::f32) {
  LaunchGraph r;
  const Shape full{height, width};
  const Shape kept{axis == 0 ? width : height};
  const auto fold = [&](const char* name, const char* reducer, uint32_t of) {
    return r.member(name, OpKind::reduce, {of}, kept,
                    {{"reducer", std::string(reducer)}, {"axes", std::vector<int64_t>{axis}}}, dtype);
  };
  const uint32_t x = r.input("x", full, dtype);
  const uint32_t m = fold("m", "max", x);
  const uint32_t d = r.member("d", OpKind::sub, {x, r.broadcast(m, full, {1 - axis})}, full, {}, dtype);
  const uint32_t e = r.member("e", OpKind::exp, {d}, full, {}, dtype);
  const uint32_t s = fold("s", "sum", e);
  const uint32_t y = r.member("y", OpKind::div, {e, r.broadcast(s, full, {1 - axis})}, full, {}, dtype);
  const auto made = r.launch(m, {y});
  REQUIRE(made.has_value());
  return *made;
}

/// "held: 32 threads x 4 slots x 1 passes, 4 rows, 1024 blocks".
std::string text(const RowLaunch& launch) {
  const RowShape& shape = launch.shape;
  return std::string(shape.walk == RowWalk::held ? "held" : "looped") +
         (shape.along_rows ? " along rows" : "") + ": " + std::to_string(shape.threads) + " threads x " +
         std::to_string(shape.slots) + " slots x " + std::to_string(shape.passes) + " passes, " +
         std::to_string(shape.rows_in_block) + " rows, " + std::to_string(launch.config.grid[0]) + " blocks";
}

}  // namespace

TEST_CASE("softmax holds its rows: more threads for longer rows, several short rows a block") {
  CHECK(text(softmax_of(4096, 128)) == "held: 32 threads x 4 slots x 1 passes, 4 rows, 1024 blocks");
  CHECK(text(softmax_of(4096, 512)) == "held: 32 threads x 4 slots x 4 passes, 4 rows, 1024 blocks");
  CHECK(text(softmax_of(4096, 4096)) == "held: 128 threads x 4 slots x 8 passes, 1 rows, 4096 blocks");
  CHECK(text(softmax_of(128, 32768)) == "held: 1024 threads x 4 slots x 8 passes, 1 rows, 128 blocks");
  CHECK(text(softmax_of(64, 4096)) == "held: 1024 threads x 4 slots x 1 passes, 1 rows, 64 blocks");
  CHECK(text(softmax_of(1 << 20, 8)) == "held: 2 threads x 4 slots x 1 passes, 64 rows, 16384 blocks");
}

TEST_CASE("f16 has eight slots, f64 two, a row of odd length one") {
  CHECK(text(softmax_of(4096, 128, 1, DType::f16)) ==
        "held: 16 threads x 8 slots x 1 passes, 8 rows, 512 blocks");
  CHECK(text(softmax_of(4096, 4096, 1, DType::f16)) ==
        "held: 128 threads x 8 slots x 4 passes, 1 rows, 4096 blocks");
  CHECK(text(softmax_of(128, 32768, 1, DType::f16)) ==
        "held: 1024 threads x 8 slots x 4 passes, 1 rows, 128 blocks");
  CHECK(text(softmax_of(4096, 4096, 1, DType::f64)) ==
        "held: 256 threads x 2 slots x 8 passes, 1 rows, 4096 blocks");
  CHECK(text(softmax_of(8192, 33)) == "held: 16 threads x 1 slots x 3 passes, 8 rows, 1024 blocks");
}

TEST_CASE("a row too long to hold is walked again, and says what it reads again") {
  const RowLaunch vocabulary = softmax_of(128, 50257);
  CHECK(text(vocabulary) == "looped: 1024 threads x 1 slots x 50 passes, 1 rows, 128 blocks");
  CHECK(vocabulary.bytes_reread >= 4 * uint64_t{128} * 50257);
  LaunchGraph r;
  const Shape full{128, 50257};
  const uint32_t x = r.input("x", full);
  const uint32_t gamma = r.input("gamma", {50257});
  const uint32_t s = r.reduce("s", {x}, {1}, {128});
  const uint32_t d = r.member("d", OpKind::sub, {x, r.broadcast(s, full, {0})}, full);
  const uint32_t g = r.member("g", OpKind::mul, {d, gamma}, full);
  const uint32_t v = r.reduce("v", {g}, {1}, {128});
  const uint32_t y = r.member("y", OpKind::add, {g, r.broadcast(v, full, {0})}, full);
  const auto norm = r.launch(s, {y});  // x is read in three walks, gamma in two
  REQUIRE(norm.has_value());
  CHECK(norm->bytes_reread == 2 * 4 * uint64_t{128} * 50257 + 4 * 50257);
  CHECK(softmax_of(2, 262144).shape.walk == RowWalk::looped);
  CHECK(softmax_of(128, 32768).bytes_reread == 0);
}

TEST_CASE("columns are folded in vectors along the rows, sectors whole") {
  CHECK(text(softmax_of(4096, 4096, 0)) ==
        "held along rows: 512 threads x 4 slots x 8 passes, 8 rows, 512 blocks");
  CHECK(text(softmax_of(4096, 4096, 0, DType::f16)) ==  // half a sector, rather than to read it twice
        "held along rows: 1024 threads x 8 slots x 4 passes, 8 rows, 512 blocks");
  CHECK(text(softmax_of(9000, 4096, 0)) ==
        "held along rows: 1024 threads x 4 slots x 9 passes, 4 rows, 1024 blocks");
  CHECK(text(softmax_of(20000, 4096, 0)) ==
        "looped along rows: 512 threads x 4 slots x 40 passes, 8 rows, 512 blocks");
  CHECK(text(sum_of({1024, 8192}, {0})) ==
        "held along rows: 128 threads x 4 slots x 8 passes, 16 rows, 512 blocks");
  CHECK(text(sum_of({8, 1 << 20}, {0})) ==
        "held along rows: 1 threads x 4 slots x 8 passes, 512 rows, 2048 blocks");
  CHECK(text(sum_of({64, 6, 35}, {0, 2})).find("along") == std::string::npos);
  const RowLaunch channels = sum_of({32, 56, 56, 64}, {0, 1, 2});  // as batch norm's statistics fold
  CHECK(channels.shape.along_rows);
  CHECK(channels.shape.slots * channels.config.block[0] / channels.shape.threads >= 8);
}

TEST_CASE("a sum alone is unrolled while it is short; a scalar is folded by one block") {
  CHECK(text(sum_of({4096, 4096}, {1})) == "held: 128 threads x 4 slots x 8 passes, 1 rows, 4096 blocks");
  const RowLaunch scalar = sum_of({1 << 20}, {0});
  CHECK(text(scalar) == "looped: 1024 threads x 4 slots x 256 passes, 1 rows, 1 blocks");
  CHECK(scalar.bytes_reread == 0);
  CHECK(text(sum_of({1}, {0})) == "held: 1 threads x 1 slots x 1 passes, 32 rows, 1 blocks");
  CHECK(text(sum_of({6, 1}, {1})).find("held along rows: 1 threads x 2 slots") == 0);
}

TEST_CASE("slots divide the innermost part and hold neighbours of every operand") {
  CHECK(sum_of({16, 30}, {1}).shape.slots == 2);
  CHECK(sum_of({16, 8, 30}, {0, 2}).shape.slots == 2);
  CHECK(sum_of({30, 6}, {0}).shape.slots == 2);
  LaunchGraph r;
  const Shape full{64, 8, 64};
  const uint32_t x = r.input("x", full);
  const uint32_t t = r.input("t", {8, 64, 2});  // its elements are 32 apart as seen from a row's neighbours
  const uint32_t v = r.member("v", OpKind::reshape, {t}, {16, 64});
  const uint32_t w = r.member("w", OpKind::reshape, {x}, {512, 64});
  const uint32_t y = r.member("y", OpKind::reshape, {w}, {32, 16, 64});
  const uint32_t a = r.member("a", OpKind::add, {y, v}, {32, 16, 64});
  const uint32_t s = r.reduce("s", {a}, {2}, {32, 16});
  const auto even = r.launch(s, {s});
  REQUIRE(even.has_value());
  CHECK(even->shape.slots == 4);
  const uint32_t narrow = r.input("narrow", {2});
  const uint32_t wide = r.broadcast(narrow, {32, 16, 32, 2}, {3});
  const uint32_t flat = r.member("flat", OpKind::reshape, {wide}, {32, 16, 64});
  const uint32_t b = r.member("b", OpKind::mul, {a, flat}, {32, 16, 64});
  const uint32_t q = r.reduce("q", {b}, {2}, {32, 16});
  const auto uneven = r.launch(q, {q});
  REQUIRE(uneven.has_value());
  CHECK(uneven->shape.slots == 2);
}

TEST_CASE("what is kept between walks decides how long a held row may be") {
  LaunchGraph r;
  const Shape full{128, 32768};
  std::vector<uint32_t> inputs;
  for (int i = 0; i < 3; ++i) inputs.push_back(r.input("x" + std::to_string(i), full));
  uint32_t sum = inputs[0];
  for (int i = 1; i < 3; ++i) sum = r.member("", OpKind::add, {sum, inputs[static_cast<size_t>(i)]}, full);
  const uint32_t s = r.reduce("s", {sum}, {1}, {128});
  const uint32_t wide = r.broadcast(s, full, {0});
  std::vector<uint32_t> stores;
  for (const uint32_t x : inputs) stores.push_back(r.member("", OpKind::mul, {x, wide}, full));
  const auto made = r.launch(s, stores);
  REQUIRE(made.has_value());
  CHECK(made->shape.walk == RowWalk::looped);
  CHECK(made->bytes_reread == 3 * 4 * uint64_t{128} * 32768);
}

TEST_CASE("a chain of folds on rows too long to hold is refused where it would be walked too often") {
  LaunchGraph r;
  const Shape full{2, 262144};
  uint32_t at = r.input("x", full);
  uint32_t first = 0;
  for (int i = 0; i < 300; ++i) {
    const uint32_t s = r.reduce("s" + std::to_string(i), {at}, {1}, {2});
    if (i == 0) first = s;
    at = r.member("d" + std::to_string(i), OpKind::sub, {at, r.broadcast(s, full, {0})}, full);
  }
  CHECK_FALSE(r.launch(first, {at}).has_value());
  CHECK(r.refusal.code == Code::kernel_too_large);
  CHECK(r.refusal.why.find("would walk its rows 301 times") == 0);
}

TEST_CASE("more blocks than a grid has are refused, as are values at too many indices") {
  LaunchGraph r;
  const uint32_t x = r.input("x", {uint64_t{1} << 40, 512});
  const uint32_t s = r.reduce("s", {x}, {1}, {uint64_t{1} << 40});
  CHECK_FALSE(r.launch(s, {s}).has_value());
  CHECK(r.refusal.code == Code::kernel_too_large);
  CHECK(r.refusal.why.find("would want 274877906944 blocks") == 0);
  const uint32_t other = r.reduce("other", {x}, {0}, {512});
  CHECK_FALSE(r.launch(s, {other, s}).has_value());
  CHECK(r.refusal.code == Code::not_emitted);
  CHECK(r.refusal.why.find("other (reduce) ") == 0);
}

TEST_CASE(
    "what warps leave to each other fits the shared memory that may be declared, however many the folds") {
  const Shape full{65536, 64};
  const auto places_of = [&](const char* reducer, uint32_t count, DType dtype, DType result) {
    LaunchGraph r;
    const uint32_t x = r.input("x", full, dtype);
    std::vector<uint32_t> stores;
    for (uint32_t i = 0; i < count; ++i) {
      stores.push_back(r.member("s" + std::to_string(i), OpKind::reduce, {x}, {64},
                                {{"reducer", std::string(reducer)}, {"axes", std::vector<int64_t>{0}}},
                                result));
    }
    const auto made = r.launch(stores[0], stores);
    REQUIRE(made.has_value());
    return uint64_t{made->shape.partial_places()} * made->shape.slots * count;
  };
  CHECK(places_of("argmax", 4, DType::u8, DType::i32) * 16 * 2 <= 48 * 1024);
  CHECK(places_of("sum", 60, DType::f32, DType::f32) * 8 * 2 <= 48 * 1024);
  CHECK(places_of("sum", 1, DType::f32, DType::f32) > 0);
}

TEST_CASE("every shape claims each element exactly once, in whole warps") {
  for (const DType dtype : {DType::f32, DType::f16, DType::i8, DType::f64}) {
    for (const Shape& shape :
         {Shape{1}, Shape{7}, Shape{3, 5}, Shape{8, 1}, Shape{1, 8}, Shape{33, 64}, Shape{5, 6, 7},
          Shape{4, 2, 3, 8}, Shape{2, 9000}, Shape{9000, 2}, Shape{300, 24}}) {
      for (uint32_t mask = 0; mask < uint32_t{1} << shape.size(); ++mask) {
        std::vector<int64_t> axes;
        for (size_t k = 0; k < shape.size(); ++k) {
          if ((mask >> k & 1) != 0) axes.push_back(static_cast<int64_t>(k));
        }
        const RowLaunch made = sum_of(shape, axes, dtype);
        INFO(shape_text(shape) << " of " << dtype_text(dtype) << " over " << mask << ": " << text(made));
        CHECK(claims_fault(made.shape, made.config) == "");
      }
    }
  }
}
