// Counting, byte sizes and NumPy's broadcasting.
// It must not know ops.
#include "graph/shape.h"

#include "catch.h"

namespace {

using namespace fuseboard;

constexpr uint64_t k32 = uint64_t{1} << 32;

}  // namespace

TEST_CASE("a scalar has one element, an empty dimension none") {
  CHECK(element_count(Shape{}) == 1U);
  CHECK(element_count(Shape{3, 4}) == 12U);
  CHECK(element_count(Shape{3, 0, 4}) == 0U);
}

TEST_CASE("a count that leaves 64 bits on the way is none, even where a zero follows") {
  CHECK(element_count(Shape{k32, k32 - 1}) == k32 * (k32 - 1));
  CHECK_FALSE(element_count(Shape{k32, k32}).has_value());
  CHECK_FALSE(element_count(Shape{k32, k32, 0}).has_value());
  CHECK(element_count(Shape{0, k32, k32}) == 0U);
  CHECK(tensor_bytes(Shape{k32, k32 / 2}, 1) == k32 * (k32 / 2));
  CHECK_FALSE(tensor_bytes(Shape{k32, k32 / 2}, 2).has_value());
  CHECK(tensor_bytes(Shape{UINT64_MAX}, 1) == UINT64_MAX);
  CHECK(tensor_bytes(Shape{}, 8) == 8U);
}

TEST_CASE("a producer stretches by trailing dimensions only, and never shrinks") {
  CHECK(broadcastable(Shape{}, Shape{}));
  CHECK(broadcastable(Shape{}, Shape{4, 8}));
  CHECK(broadcastable(Shape{8}, Shape{4, 8}));
  CHECK(broadcastable(Shape{1, 8}, Shape{4, 8}));
  CHECK(broadcastable(Shape{4, 1}, Shape{4, 8}));
  CHECK(broadcastable(Shape{1}, Shape{0}));
  CHECK_FALSE(broadcastable(Shape{4}, Shape{4, 8}));
  CHECK_FALSE(broadcastable(Shape{4, 8}, Shape{8}));
  CHECK_FALSE(broadcastable(Shape{1, 8}, Shape{8}));
  CHECK_FALSE(broadcastable(Shape{8}, Shape{1}));
  CHECK_FALSE(broadcastable(Shape{0}, Shape{4}));
}

TEST_CASE("two shapes broadcast to a common one, or contradict each other") {
  CHECK(broadcast_shapes(Shape{2, 1}, Shape{3}) == Shape{2, 3});
  CHECK(broadcast_shapes(Shape{3}, Shape{2, 1}) == Shape{2, 3});
  CHECK(broadcast_shapes(Shape{}, Shape{5}) == Shape{5});
  CHECK(broadcast_shapes(Shape{1}, Shape{0}) == Shape{0});
  CHECK_FALSE(broadcast_shapes(Shape{2}, Shape{3}).has_value());
  CHECK_FALSE(broadcast_shapes(Shape{0}, Shape{3}).has_value());
}

TEST_CASE("a shape is written in brackets") {
  CHECK(shape_text(Shape{}) == "[]");
  CHECK(shape_text(Shape{1024, 512}) == "[1024,512]");
}
