// How Moves walk: merged dimensions, widths of accesses, tiles, blocks of parts.
// It must not know PTX.
#include "launch/move_shape.h"

#include "catch.h"
#include "graph_builder.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;
using Ints = std::vector<int64_t>;

MoveShape shape_of(const GraphBuilder& b) {
  const std::optional<MovePlan> planned = plan_move(b.graph, graph_facts(b.graph), b.graph.size() - 1);
  REQUIRE(planned);
  INFO(planned->fault);
  REQUIRE(planned->shape);
  return *planned->shape;
}

MoveShape transpose_of(Shape from, Shape to, Ints perm, DType dtype) {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, std::move(from), dtype);
  b.add("t", OpKind::transpose, {x}, std::move(to), dtype, {{"perm", std::move(perm)}});
  return shape_of(b);
}

}  // namespace

TEST_CASE("neighbours whose strides run on become one dimension, those of 1 go") {
  std::vector<MoveDim> dims = {{2, 60, 60, {}}, {1, 9, 9, {}}, {3, 20, 20, {}}, {4, 5, 5, {}}, {5, 1, 1, {}}};
  merge_dims(dims);
  REQUIRE(dims.size() == 1);
  CHECK(dims[0].extent == 120);
  std::vector<MoveDim> turned = {{4, 1, 5, {}}, {5, 4, 1, {}}};
  merge_dims(turned);
  CHECK(turned.size() == 2);
  std::vector<MoveDim> back = {{4, 0 - uint64_t{5}, 5, {}}, {5, 0 - uint64_t{1}, 1, {}}};
  merge_dims(back);
  CHECK(back.size() == 1);
  std::vector<MoveDim> padded = {{4, 5, 5, MovePadding{1, 1, 2}}, {5, 1, 1, {}}};
  merge_dims(padded);
  CHECK(padded.size() == 2);
}

TEST_CASE("tiles pack narrow elements into words where both sides are aligned and long") {
  CHECK(transpose_of({128, 128}, {128, 128}, {1, 0}, DType::i8).tile->pack == 4);
  CHECK(transpose_of({128, 128}, {128, 128}, {1, 0}, DType::f16).tile->pack == 2);
  CHECK(transpose_of({128, 128}, {128, 128}, {1, 0}, DType::f32).tile->pack == 1);
  CHECK(transpose_of({128, 127}, {127, 128}, {1, 0}, DType::f16).tile->pack == 1);
  CHECK(transpose_of({32, 32}, {32, 32}, {1, 0}, DType::i8).tile->pack == 1);
  CHECK(transpose_of({128, 3}, {3, 128}, {1, 0}, DType::f32).walk == MoveWalk::elements);
  CHECK(transpose_of({128, 96}, {96, 128}, {1, 0}, DType::f32).blocks == 12);
  CHECK(transpose_of({128, 96}, {96, 128}, {1, 0}, DType::f64).shared_bytes == 32 * 33 * 8);
}

TEST_CASE("a transpose that keeps the elements' order is a copy in wide accesses") {
  const MoveShape shape = transpose_of({4, 1, 64}, {1, 4, 64}, {1, 0, 2}, DType::f32);
  CHECK(shape.walk == MoveWalk::elements);
  REQUIRE(shape.parts[0].dims.size() == 1);
  CHECK(shape.parts[0].slots == 4);
  CHECK(shape.parts[0].passes == 64);
}

TEST_CASE("an access is as wide as both sides are aligned") {
  const auto slots = [](int64_t start, int64_t limit) {
    GraphBuilder b;
    const uint32_t x = b.add("x", OpKind::input, {}, {6, 64}, DType::f16);
    b.add("s", OpKind::slice, {x}, {6, static_cast<uint64_t>(limit - start)}, DType::f16,
          {{"starts", Ints{0, start}}, {"limits", Ints{6, limit}}});
    return shape_of(b).parts[0].slots;
  };
  CHECK(slots(0, 64) == 8);
  CHECK(slots(8, 56) == 8);
  CHECK(slots(4, 56) == 4);
  CHECK(slots(2, 56) == 2);
  CHECK(slots(1, 57) == 1);
  CHECK(slots(8, 59) == 1);
}

TEST_CASE("each operand of a concat has blocks of its own; empty ones have none") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {1000});
  const uint32_t none = b.add("none", OpKind::input, {}, {0});
  const uint32_t y = b.add("y", OpKind::input, {}, {3000});
  b.add("c", OpKind::concat, {x, none, y, x}, {5000}, DType::f32, {{"axis", int64_t{0}}});
  const MoveShape shape = shape_of(b);
  REQUIRE(shape.parts.size() == 3);
  CHECK(shape.parts[1].operand == 2);
  CHECK(shape.parts[1].first_block == 1);
  CHECK(shape.parts[1].blocks == 3);
  CHECK(shape.parts[2].to == 4000);
  CHECK(shape.blocks == 5);
  CHECK(plan_move(b.graph, graph_facts(b.graph), 3)->sources == std::vector<uint32_t>{x, y});
}
