// Element maps: the same elements as operand_offset gives, for broadcasts, reshapes and exchanged axes.
// It must not know kernels.
#include "verify/element_map.h"

#include "catch.h"
#include "graph/evaluate.h"
#include "graph_builder.h"

using namespace fuseboard;
using namespace fuseboard_test;

namespace {

/// Whether the map gives what the reference gives, for every element.
bool agrees(const FusionGraph& graph, uint32_t op, uint32_t input) {
  const ElementMap map = element_map(graph, op, input);
  const uint64_t elements = element_count(graph.op(op).output_shape).value();
  for (uint64_t i = 0; i < elements; ++i) {
    if (operand_offset(graph, op, input, i) != map.at(i)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("maps of Points follow NumPy's broadcasting") {
  const std::vector<Shape> shapes = {{},        {5},       {1},       {3, 1},   {3, 5},
                                     {2, 1, 5}, {2, 3, 1}, {1, 1, 1}, {2, 3, 5}};
  for (const Shape& shape : shapes) {
    GraphBuilder builder;
    const uint32_t whole = builder.add("a", OpKind::input, {}, {2, 3, 5});
    const uint32_t part = builder.add("b", OpKind::input, {}, shape);
    const uint32_t sum = builder.add("c", OpKind::add, {whole, part}, {2, 3, 5});
    INFO(shape_text(shape));
    CHECK(agrees(builder.graph, sum, 0));
    CHECK(agrees(builder.graph, sum, 1));
    CHECK(element_map(builder.graph, sum, 0).is_identity);
    CHECK(element_map(builder.graph, sum, 1).is_identity == (shape == Shape{2, 3, 5}));
  }
}

TEST_CASE("maps of views follow their axes; reshapes keep every offset") {
  GraphBuilder builder;
  const uint32_t x = builder.add("x", OpKind::input, {}, {4, 3});
  const uint32_t turned =
      builder.add("t", OpKind::broadcast, {x}, {3, 2, 4}, DType::f32, {{"axes", std::vector<int64_t>{2, 0}}});
  const uint32_t flat = builder.add("f", OpKind::reshape, {x}, {2, 6});
  const uint32_t row = builder.add("r", OpKind::input, {}, {1, 3});
  const uint32_t wide = builder.add("w", OpKind::broadcast, {row}, {7, 3});
  CHECK(agrees(builder.graph, turned, 0));
  CHECK(agrees(builder.graph, wide, 0));
  CHECK(element_map(builder.graph, flat, 0).is_identity);
  CHECK_FALSE(element_map(builder.graph, turned, 0).is_identity);
}

TEST_CASE("digits that are one in truth are one") {
  GraphBuilder builder;
  const uint32_t x = builder.add("x", OpKind::input, {}, {6, 7});
  const uint32_t y = builder.add("y", OpKind::broadcast, {x}, {5, 6, 7});
  const ElementMap map = element_map(builder.graph, y, 0);
  REQUIRE(map.digits.size() == 1);
  CHECK(map.digits[0] == ElementMap::Digit{1, 42, 1});
}
