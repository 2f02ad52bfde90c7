// Result shapes and dtypes by each rule of the table, and what contradicts them.
// It must not know the text.
#include "graph/infer.h"

#include "catch.h"
#include "graph_builder.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;
using Ints = std::vector<int64_t>;

/// One op over inputs of the given shapes.
struct OneOp {
  GraphBuilder b;
  uint32_t id;

  OneOp(OpKind kind, const std::vector<Shape>& operands, std::vector<Attribute> attributes = {},
        Shape given = {}) {
    std::vector<uint32_t> inputs;
    for (const Shape& shape : operands) inputs.push_back(b.add("", OpKind::input, {}, shape));
    id = b.add("", kind, inputs, std::move(given), DType::f32, std::move(attributes));
  }
  InferredShape inferred() const { return infer_shape(b.graph, b.graph.op(id)); }
  std::string contradiction() const { return shape_contradiction(b.graph, b.graph.op(id)); }
};

void gives(const OneOp& op, const Shape& expected) {
  INFO(op.inferred().contradiction);
  REQUIRE(op.inferred().shape.has_value());
  CHECK(*op.inferred().shape == expected);
}

void contradicts(const OneOp& op, const std::string& words) {
  CHECK_FALSE(op.inferred().shape.has_value());
  CHECK(op.inferred().contradiction == words);
}

std::optional<DType> dtype_of(OpKind kind, const std::vector<DType>& operands) {
  GraphBuilder b;
  std::vector<uint32_t> inputs;
  for (const DType dtype : operands) inputs.push_back(b.add("", OpKind::input, {}, {4}, dtype));
  return infer_dtype(b.graph, b.graph.op(b.add("", kind, inputs, {4})));
}

}  // namespace

TEST_CASE("Points broadcast their operands") {
  gives(OneOp(OpKind::add, {{4, 1}, {8}}), {4, 8});
  gives(OneOp(OpKind::select, {{}, {3}, {2, 1}}), {2, 3});
  gives(OneOp(OpKind::relu, {{0, 5}}), {0, 5});
  contradicts(OneOp(OpKind::add, {{4}, {8}}), "operands of shapes [4] and [8] do not broadcast");
}

TEST_CASE("what no operand determines is not inferred") {
  for (const OneOp& op : {OneOp(OpKind::input, {}), OneOp(OpKind::relu, {}), OneOp(OpKind::broadcast, {{4}}),
                          OneOp(OpKind::reshape, {{4}}), OneOp(OpKind::gather, {{4}, {2}})}) {
    CHECK_FALSE(op.inferred().shape.has_value());
    CHECK(op.inferred().contradiction.empty());
  }
}

TEST_CASE("a reduce drops its axes, all of them where none are named, or keeps them as 1") {
  gives(OneOp(OpKind::reduce, {{2, 3, 4}}), {});
  gives(OneOp(OpKind::reduce, {{2, 3, 4}}, {{"axes", Ints{1}}}), {2, 4});
  gives(OneOp(OpKind::reduce, {{2, 3, 4}}, {{"axes", Ints{-1, 0}}}), {3});
  gives(OneOp(OpKind::reduce, {{2, 3, 4}}, {{"axes", Ints{1}}, {"keepdims", true}}), {2, 1, 4});
  gives(OneOp(OpKind::reduce, {{2, 3}}, {{"keepdims", true}}), {1, 1});
  contradicts(OneOp(OpKind::reduce, {{2, 3}}, {{"axes", Ints{2}}}),
              "axis 2 is outside the operand's shape [2,3]");
  contradicts(OneOp(OpKind::reduce, {{2}}, {{"axes", Ints{INT64_MIN}}}),
              "axis -9223372036854775808 is outside the operand's shape [2]");
}

TEST_CASE("a transpose permutes, and reverses where no order is given") {
  gives(OneOp(OpKind::transpose, {{2, 3, 4}}), {4, 3, 2});
  gives(OneOp(OpKind::transpose, {{2, 3, 4}}, {{"perm", Ints{1, -1, 0}}}), {3, 4, 2});
  contradicts(OneOp(OpKind::transpose, {{2, 3}}, {{"perm", Ints{0, 0}}}), "perm names axis 0 twice");
  contradicts(OneOp(OpKind::transpose, {{2, 3}}, {{"perm", Ints{1}}}),
              "perm names 1 of the operand's 2 dimensions");
}

TEST_CASE("a concat sums one axis") {
  gives(OneOp(OpKind::concat, {{2, 3}, {5, 3}}), {7, 3});
  gives(OneOp(OpKind::concat, {{2, 3}, {2, 4}, {2, 1}}, {{"axis", int64_t{-1}}}), {2, 8});
  contradicts(OneOp(OpKind::concat, {{2, 3}, {2, 4}}), "operand [2,4] cannot be concatenated to [2,3]");
  contradicts(OneOp(OpKind::concat, {{2}, {}}), "operand [] cannot be concatenated to [2]");
  contradicts(OneOp(OpKind::concat, {{UINT64_MAX}, {1}}),
              "operand [1] cannot be concatenated to [18446744073709551615]");
  contradicts(OneOp(OpKind::concat, {{}, {}}), "axis 0 is outside the operand's shape []");
}

TEST_CASE("a slice counts its steps") {
  gives(OneOp(OpKind::slice, {{10, 4}},
              {{"starts", Ints{1, 0}}, {"limits", Ints{8, 4}}, {"strides", Ints{3, 1}}}),
        {3, 4});
  gives(OneOp(OpKind::slice, {{10}}, {{"starts", Ints{4}}, {"limits", Ints{4}}}), {0});
  contradicts(OneOp(OpKind::slice, {{10}}, {{"starts", Ints{4}}, {"limits", Ints{11}}}),
              "[4:11:1] does not lie in dimension 0 of [10]");
  contradicts(OneOp(OpKind::slice, {{10}}, {{"starts", Ints{4}}, {"limits", Ints{6}}, {"strides", Ints{0}}}),
              "[4:6:0] does not lie in dimension 0 of [10]");
  contradicts(OneOp(OpKind::slice, {{10}}, {{"starts", Ints{}}, {"limits", Ints{6}}}),
              "starts, limits and strides must name every dimension of [10]");
}

TEST_CASE("a pad adds around and between, and takes away where it is negative") {
  gives(OneOp(OpKind::pad, {{4}, {}}, {{"low", Ints{1}}, {"high", Ints{2}}}), {7});
  gives(OneOp(OpKind::pad, {{4}, {}}, {{"low", Ints{0}}, {"high", Ints{0}}, {"interior", Ints{2}}}), {10});
  gives(OneOp(OpKind::pad, {{0}, {}}, {{"low", Ints{3}}, {"high", Ints{0}}, {"interior", Ints{5}}}), {3});
  gives(OneOp(OpKind::pad, {{4}, {}}, {{"low", Ints{-1}}, {"high", Ints{-3}}}), {0});
  contradicts(OneOp(OpKind::pad, {{4}, {}}, {{"low", Ints{-1}}, {"high", Ints{-4}}}),
              "padding leaves no valid size in dimension 0 of [4]");
  contradicts(OneOp(OpKind::pad, {{4}, {}}, {{"low", Ints{1, 1}}, {"high", Ints{0}}}),
              "low, high and interior must name every dimension of [4]");
  CHECK_FALSE(OneOp(OpKind::pad, {{4}, {}}).inferred().shape.has_value());
  contradicts(OneOp(OpKind::pad, {{UINT64_MAX}, {}},
                    {{"low", Ints{INT64_MAX}}, {"high", Ints{INT64_MAX}}, {"interior", Ints{INT64_MAX}}}),
              "padding leaves no valid size in dimension 0 of [18446744073709551615]");
}

TEST_CASE("what only moves or orders elements keeps its operand's shape") {
  gives(OneOp(OpKind::reverse, {{4, 8}}), {4, 8});
  gives(OneOp(OpKind::sort, {{4, 8}, {4, 8}}), {4, 8});
  CHECK(OneOp(OpKind::reverse, {{4, 8}}, {}, {8, 4}).contradiction() == "its operands give [4,8], not [8,4]");
}

TEST_CASE("a matmul is NumPy's") {
  gives(OneOp(OpKind::matmul, {{2, 3}, {3, 4}}), {2, 4});
  gives(OneOp(OpKind::matmul, {{3}, {3, 4}}), {4});
  gives(OneOp(OpKind::matmul, {{2, 3}, {3}}), {2});
  gives(OneOp(OpKind::matmul, {{3}, {3}}), {});
  gives(OneOp(OpKind::matmul, {{7, 1, 2, 3}, {5, 3, 4}}), {7, 5, 2, 4});
  contradicts(OneOp(OpKind::matmul, {{2, 3}, {4, 3}}), "matmul of [2,3] and [4,3] does not fit");
  contradicts(OneOp(OpKind::matmul, {{}, {3}}), "matmul of [] and [3] does not fit");
  contradicts(OneOp(OpKind::matmul, {{2, 2, 3}, {5, 3, 4}}), "matmul of [2,2,3] and [5,3,4] does not fit");
}

TEST_CASE("a given shape that the operands contradict is told in words; a Point may stretch its operands") {
  CHECK(OneOp(OpKind::add, {{8}, {}}, {}, {4, 8}).contradiction().empty());
  CHECK(OneOp(OpKind::add, {{8}, {4}}, {}, {4, 8}).contradiction() ==
        "operand 1 of shape [4] does not stretch to [4,8]");
  CHECK(OneOp(OpKind::reshape, {{8}}, {}, {2, 4}).contradiction().empty());
  CHECK(OneOp(OpKind::reshape, {{8}}, {}, {2, 5}).contradiction() ==
        "[8] has another number of elements than [2,5]");
  CHECK(OneOp(OpKind::transpose, {{2, 3}}, {}, {2, 3}).contradiction() ==
        "its operands give [3,2], not [2,3]");
  CHECK(OneOp(OpKind::matmul, {{2, 3}, {9, 9}}, {}, {1}).contradiction().empty());
  CHECK(OneOp(OpKind::add, {{2}}, {}, {3}).contradiction().empty());  // of a wrong arity: told as such
}

TEST_CASE("a broadcast stretches by trailing dimensions, or lays its operand's dimensions on axes") {
  CHECK(OneOp(OpKind::broadcast, {{8}}, {}, {4, 8}).contradiction().empty());
  CHECK(OneOp(OpKind::broadcast, {{4}}, {}, {4, 8}).contradiction() ==
        "operand 0 of shape [4] does not stretch to [4,8]");
  CHECK(OneOp(OpKind::broadcast, {{4}}, {{"axes", Ints{0}}}, {4, 8}).contradiction().empty());
  CHECK(OneOp(OpKind::broadcast, {{4, 1}}, {{"axes", Ints{0, 2}}}, {4, 8, 2}).contradiction().empty());
  for (const Ints& axes : {Ints{1}, Ints{0, 1}, Ints{}, Ints{2}, Ints{-3}}) {
    CHECK(OneOp(OpKind::broadcast, {{4}}, {{"axes", axes}}, {4, 8}).contradiction() ==
          "axes do not lay [4] onto [4,8]");
  }
  CHECK(OneOp(OpKind::broadcast, {{8, 4}}, {{"axes", Ints{1, 0}}}, {4, 8})
            .contradiction()
            .empty());  // in any order
  CHECK(OneOp(OpKind::broadcast, {{4, 4}}, {{"axes", Ints{0, 0}}}, {4, 8}).contradiction() ==
        "axes do not lay [4,4] onto [4,8]");
}

TEST_CASE("a reduce counts places and truths in i64, tells truths as bool, and divides in floats") {
  const auto folded = [](const char* reducer, DType operand) {
    GraphBuilder b;
    const uint32_t x = b.add("", OpKind::input, {}, {4}, operand);
    return *infer_dtype(b.graph, b.graph.op(b.add("", OpKind::reduce, {x}, {}, DType::f32,
                                                  {{"reducer", std::string(reducer)}})));
  };
  CHECK(folded("argmax", DType::f32) == DType::i64);
  CHECK(folded("argmin", DType::u8) == DType::i64);
  CHECK(folded("any", DType::f32) == DType::boolean);
  CHECK(folded("all", DType::i32) == DType::boolean);
  CHECK(folded("mean", DType::i32) == DType::f32);
  CHECK(folded("mean", DType::boolean) == DType::f32);
  CHECK(folded("mean", DType::bf16) == DType::bf16);
  CHECK(folded("sum", DType::boolean) == DType::i64);
  CHECK(folded("prod", DType::boolean) == DType::i64);
  CHECK(folded("max", DType::boolean) == DType::boolean);
  CHECK(folded("sum", DType::i32) == DType::i32);
  CHECK(folded("sum", DType::f16) == DType::f16);
  CHECK(folded("mean", DType::foreign) == DType::foreign);
  CHECK(folded("argmax", DType::foreign) == DType::i64);
}

TEST_CASE("a reduce over no axes, and over dimensions of size zero, has the shape that is left") {
  gives(OneOp(OpKind::reduce, {{2, 3}}, {{"axes", Ints{}}}), {2, 3});
  gives(OneOp(OpKind::reduce, {{2, 3}}, {{"axes", Ints{}}, {"keepdims", true}}), {2, 3});
  gives(OneOp(OpKind::reduce, {{2, 0, 3}}, {{"axes", Ints{1}}}), {2, 3});
  gives(OneOp(OpKind::reduce, {{2, 0, 3}}, {{"axes", Ints{0}}, {"keepdims", true}}), {1, 0, 3});
  gives(OneOp(OpKind::reduce, {{}}), {});
}

TEST_CASE("result dtypes follow the row's rule") {
  CHECK(dtype_of(OpKind::add, {DType::f16, DType::bf16}) == DType::f32);
  CHECK(dtype_of(OpKind::relu, {DType::i32}) == DType::i32);
  CHECK(dtype_of(OpKind::exp, {DType::i32}) == DType::f32);
  CHECK(dtype_of(OpKind::exp, {DType::boolean}) == DType::f32);
  CHECK(dtype_of(OpKind::exp, {DType::f16}) == DType::f16);
  CHECK(dtype_of(OpKind::lt, {DType::f64, DType::f64}) == DType::boolean);
  CHECK(dtype_of(OpKind::select, {DType::boolean, DType::i8, DType::i16}) == DType::i16);
  CHECK(dtype_of(OpKind::clamp, {DType::f64, DType::f32, DType::f64}) == DType::f32);
  CHECK(dtype_of(OpKind::transpose, {DType::u8}) == DType::u8);
  CHECK(dtype_of(OpKind::gather, {DType::f32, DType::i64}) == DType::f32);
  CHECK(dtype_of(OpKind::reduce, {DType::f16}) == DType::f16);
  CHECK_FALSE(dtype_of(OpKind::cast, {DType::f32}).has_value());
  CHECK_FALSE(dtype_of(OpKind::input, {}).has_value());
  CHECK_FALSE(dtype_of(OpKind::add, {}).has_value());
  CHECK_FALSE(dtype_of(OpKind::select, {DType::boolean}).has_value());
}

TEST_CASE("a scalar operand promotes only where its class is above that of the others, as in PyTorch") {
  const auto result = [](DType with_dims, DType scalar) {
    GraphBuilder b;
    const uint32_t x = b.add("", OpKind::input, {}, {4}, with_dims);
    const uint32_t s = b.add("", OpKind::input, {}, {}, scalar);
    return *infer_dtype(b.graph, b.graph.op(b.add("", OpKind::add, {x, s}, {4})));
  };
  CHECK(result(DType::f16, DType::f64) == DType::f16);
  CHECK(result(DType::i8, DType::i64) == DType::i8);
  CHECK(result(DType::i32, DType::f64) == DType::f64);
  CHECK(result(DType::boolean, DType::i32) == DType::i32);
  CHECK(result(DType::f32, DType::i64) == DType::f32);
}
