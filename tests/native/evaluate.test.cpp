// Whole graphs and library calls by reference, against arrays worked out by hand.
// It must not know plans, kernels or PTX.
#include "graph/evaluate.h"

#include "catch.h"
#include "graph_builder.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

Tensor tensor(DType dtype, const std::vector<double>& values) {
  Tensor out;
  out.known = true;
  out.bytes.resize(values.size() * dtype_bytes(dtype));
  for (size_t i = 0; i < values.size(); ++i) {
    element_to_bytes(dtype, converted(DType::f64, dtype, {values[i], 0}),
                     out.bytes.data() + i * dtype_bytes(dtype));
  }
  return out;
}

std::vector<double> values(const Tensor& tensor, DType dtype) {
  std::vector<double> out;
  for (size_t at = 0; at < tensor.bytes.size(); at += dtype_bytes(dtype)) {
    out.push_back(converted(dtype, DType::f64, element_from_bytes(dtype, tensor.bytes.data() + at)).real);
  }
  return out;
}

using Values = std::vector<double>;
using Ints = std::vector<int64_t>;

/// inputs, then one op with attributes; its values.
struct One {
  FusionGraph graph;
  std::vector<Tensor> given;

  void input(DType dtype, Shape shape, const Values& content) {
    FusionOp op;
    op.kind = OpKind::input;
    op.dtype = dtype;
    op.dtype_bytes = dtype_bytes(dtype);
    op.output_shape = std::move(shape);
    graph.add_op(op);
    given.push_back(tensor(dtype, content));
  }

  std::optional<Values> ask(OpKind kind, DType dtype, Shape shape, std::vector<Attribute> attributes = {}) {
    FusionOp op;
    op.kind = kind;
    op.dtype = dtype;
    op.dtype_bytes = dtype_bytes(dtype);
    op.output_shape = std::move(shape);
    op.attributes = std::move(attributes);
    for (uint32_t i = 0; i < given.size(); ++i) op.inputs.push_back(i);
    const uint32_t id = graph.add_op(op);
    const std::vector<Tensor> all = evaluate(graph, given);
    return all[id].known ? std::optional(values(all[id], dtype)) : std::nullopt;
  }
};

One of(DType dtype, const Shape& shape, const Values& content) {
  One one;
  one.input(dtype, shape, content);
  return one;
}

const Values kSix = {1, 2, 3, 4, 5, 6};

}  // namespace

TEST_CASE("a chain with broadcasting and constants evaluates in any order of ids") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {2, 3});
  const uint32_t row = b.add("row", OpKind::input, {}, {3});
  const uint32_t sum = b.add("sum", OpKind::add, {x, row}, {2, 3});
  const uint32_t half = b.add("half", OpKind::constant, {}, {});
  b.graph.op(half).attributes.push_back({"value", 0.5});
  const uint32_t out = b.add("out", OpKind::mul, {sum, half}, {2, 3});
  std::vector<Tensor> given(2);
  given[0] = tensor(DType::f32, kSix);
  given[1] = tensor(DType::f32, {10, 20, 30});
  const std::vector<Tensor> all = evaluate(b.graph, given);
  CHECK(values(all[out], DType::f32) == Values{5.5, 11, 16.5, 7, 12.5, 18});
}

TEST_CASE("what has no reference, or is too large, leaves its readers empty too, unless it is given") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {4});
  const uint32_t sorted = b.add("sorted", OpKind::sort, {x}, {4});
  const uint32_t after = b.add("after", OpKind::neg, {sorted}, {4});
  std::vector<Tensor> given(3);
  given[x] = tensor(DType::f32, {4, 3, 2, 1});
  CHECK_FALSE(evaluate(b.graph, given)[after].known);
  given[sorted] = tensor(DType::f32, {1, 2, 3, 4});
  CHECK(values(evaluate(b.graph, given)[after], DType::f32) == Values{-1, -2, -3, -4});
  EvaluateOptions small;
  small.most_elements = 3;
  CHECK_FALSE(evaluate(b.graph, given, small)[after].known);
}

TEST_CASE("moves and views copy the elements that they name") {
  CHECK(of(DType::f32, {2, 3}, kSix).ask(OpKind::transpose, DType::f32, {3, 2}) == Values{1, 4, 2, 5, 3, 6});
  CHECK(of(DType::i8, {1, 2, 3}, kSix)
            .ask(OpKind::transpose, DType::i8, {3, 1, 2}, {{"perm", Ints{2, 0, 1}}}) ==
        Values{1, 4, 2, 5, 3, 6});
  CHECK(of(DType::f16, {2, 3}, kSix).ask(OpKind::reverse, DType::f16, {2, 3}, {{"axes", Ints{1}}}) ==
        Values{3, 2, 1, 6, 5, 4});
  CHECK(of(DType::f32, {2, 3}, kSix)
            .ask(OpKind::slice, DType::f32, {1, 2},
                 {{"starts", Ints{1, 0}}, {"limits", Ints{2, 3}}, {"strides", Ints{1, 2}}}) == Values{4, 6});
  CHECK(of(DType::f32, {3}, {1, 2, 3}).ask(OpKind::broadcast, DType::f32, {3, 2}, {{"axes", Ints{0}}}) ==
        Values{1, 1, 2, 2, 3, 3});
  CHECK(of(DType::f32, {2, 3}, kSix).ask(OpKind::reshape, DType::f32, {6}) == kSix);
  One pad = of(DType::f32, {2}, {1, 2});
  pad.input(DType::f32, {}, {9});
  CHECK(pad.ask(OpKind::pad, DType::f32, {6}, {{"low", Ints{1}}, {"high", Ints{2}}, {"interior", Ints{1}}}) ==
        Values{9, 1, 9, 2, 9, 9});
  One cropped = of(DType::f32, {3}, {1, 2, 3});
  cropped.input(DType::f32, {}, {9});
  CHECK(cropped.ask(OpKind::pad, DType::f32, {2}, {{"low", Ints{-1}}, {"high", Ints{0}}}) == Values{2, 3});
  One concat = of(DType::i32, {2, 1}, {1, 2});
  concat.input(DType::i32, {2, 2}, {3, 4, 5, 6});
  CHECK(concat.ask(OpKind::concat, DType::i32, {2, 3}, {{"axis", int64_t{1}}}) == Values{1, 3, 4, 2, 5, 6});
}

TEST_CASE("gather takes along its axis, and nothing past the ends") {
  One one = of(DType::f32, {3, 2}, kSix);
  one.input(DType::i64, {2}, {2, -3});
  CHECK(one.ask(OpKind::gather, DType::f32, {2, 2}, {{"axis", int64_t{0}}}) == Values{5, 6, 1, 2});
  One outside = of(DType::f32, {3, 2}, kSix);
  outside.input(DType::i64, {1}, {3});
  CHECK_FALSE(outside.ask(OpKind::gather, DType::f32, {1, 2}, {{"axis", int64_t{0}}}));
  One plain = of(DType::f32, {3, 2}, kSix);
  plain.input(DType::i64, {1}, {0});
  CHECK_FALSE(plain.ask(OpKind::gather, DType::f32, {1, 2}));
}

TEST_CASE("reduce folds by every reducer") {
  const auto fold = [](const char* reducer, DType dtype, const Values& content, DType result) {
    return *of(dtype, {2, 3}, content)
                .ask(OpKind::reduce, result, {2}, {{"reducer", std::string(reducer)}, {"axes", Ints{1}}});
  };
  CHECK(fold("sum", DType::f32, kSix, DType::f32) == Values{6, 15});
  CHECK(fold("prod", DType::f64, kSix, DType::f64) == Values{6, 120});
  CHECK(fold("mean", DType::f16, kSix, DType::f16) == Values{2, 5});
  CHECK(fold("max", DType::i8, {-1, -2, -3, 4, 5, -6}, DType::i8) == Values{-1, 5});
  CHECK(fold("min", DType::u8, {1, 2, 3, 4, 5, 250}, DType::u8) == Values{1, 4});
  CHECK(fold("argmax", DType::f32, {1, 3, 3, 9, 5, 6}, DType::i32) == Values{1, 0});
  CHECK(fold("argmin", DType::i64, {3, 1, 1, 9, 5, 6}, DType::i32) == Values{1, 1});
  CHECK(fold("any", DType::boolean, {0, 0, 0, 0, 1, 0}, DType::boolean) == Values{0, 1});
  CHECK(fold("all", DType::boolean, {1, 1, 1, 0, 1, 1}, DType::boolean) == Values{1, 0});
  CHECK(fold("sum", DType::i8, {100, 100, 0, 1, 2, 3}, DType::i8) == Values{-56, 6});  // wraps
  const Values with_nan = fold("max", DType::f32, {1, std::nan(""), 3, 4, 5, 6}, DType::f32);
  CHECK(with_nan[0] != with_nan[0]);
  CHECK(of(DType::f32, {2, 3}, kSix)
            .ask(OpKind::reduce, DType::f32, {1, 3},
                 {{"reducer", std::string("sum")}, {"axes", Ints{0}}, {"keepdims", true}}) ==
        Values{5, 7, 9});
  One begun = of(DType::f32, {2, 3}, kSix);
  begun.input(DType::f32, {}, {100});
  CHECK(begun.ask(OpKind::reduce, DType::f32, {}, {{"reducer", std::string("sum")}}) == Values{121});
  CHECK_FALSE(of(DType::f32, {2, 3}, kSix).ask(OpKind::reduce, DType::f32, {}));
}

TEST_CASE("reduce over any axes: none, all, several that are no neighbours, negative ones") {
  const auto fold = [](const char* reducer, Ints axes, Shape result, DType to = DType::f32) {
    return *of(DType::f32, {2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 11, 10})
                .ask(OpKind::reduce, to, std::move(result),
                     {{"reducer", std::string(reducer)}, {"axes", std::move(axes)}});
  };
  CHECK(fold("sum", {0, 2}, {2}) == Values{30, 48});
  CHECK(fold("sum", {-1, 0}, {2}) == Values{30, 48});
  CHECK(fold("mean", {0, 1}, {3}) == Values{6, 6.5, 7});
  CHECK(fold("max", {0, 1, 2}, {}) == Values{12});
  CHECK(fold("sum", {}, {2, 2, 3})[9] == 12);
  CHECK(fold("argmax", {}, {2, 2, 3}, DType::i64) == Values(12, 0));
  CHECK(fold("argmax", {0, 1, 2}, {}, DType::i64) == Values{9});  // counted row-major over what is folded
  CHECK(fold("argmax", {0, 2}, {2}, DType::i64) == Values{5, 3});
  CHECK(fold("argmin", {1}, {2, 3}, DType::i64) == Values(6, 0));
}

TEST_CASE("reduce of nothing is the reducer's own value; of no rows nothing") {
  const auto fold = [](const char* reducer, DType dtype, DType to) {
    return (*of(dtype, {2, 0}, {})
                 .ask(OpKind::reduce, to, {2}, {{"reducer", std::string(reducer)}, {"axes", Ints{1}}}))[1];
  };
  CHECK(fold("sum", DType::f32, DType::f32) == 0);
  CHECK(fold("prod", DType::f16, DType::f16) == 1);
  CHECK(fold("max", DType::f32, DType::f32) == -std::numeric_limits<double>::infinity());
  CHECK(fold("min", DType::bf16, DType::bf16) == std::numeric_limits<double>::infinity());
  CHECK(fold("max", DType::i8, DType::i8) == -128);
  CHECK(fold("min", DType::u8, DType::u8) == 255);
  CHECK(fold("any", DType::boolean, DType::boolean) == 0);
  CHECK(fold("all", DType::boolean, DType::boolean) == 1);
  CHECK(fold("argmax", DType::f32, DType::i64) == 0);
  CHECK(std::isnan(fold("mean", DType::f32, DType::f32)));
  CHECK(of(DType::f32, {0, 2}, {})
            .ask(OpKind::reduce, DType::f32, {0}, {{"reducer", std::string("sum")}, {"axes", Ints{1}}}) ==
        Values{});
}

TEST_CASE("variance and log-sum-exp, as graphs write them") {
  GraphBuilder b;
  const auto fold = [&](const char* reducer, uint32_t x) {
    return b.add("", OpKind::reduce, {x}, {2, 1}, DType::f64,
                 {{"reducer", std::string(reducer)}, {"axes", Ints{1}}, {"keepdims", true}});
  };
  const auto point = [&](OpKind kind, std::vector<uint32_t> inputs, Shape shape) {
    return b.add("", kind, std::move(inputs), std::move(shape), DType::f64);
  };
  const uint32_t x = b.add("x", OpKind::input, {}, {2, 3}, DType::f64);
  const uint32_t centred = point(OpKind::sub, {x, fold("mean", x)}, {2, 3});
  const uint32_t variance = fold("mean", point(OpKind::mul, {centred, centred}, {2, 3}));
  const uint32_t top = fold("max", x);
  const uint32_t powers = point(OpKind::exp, {point(OpKind::sub, {x, top}, {2, 3})}, {2, 3});
  const uint32_t total = point(OpKind::log, {fold("sum", powers)}, {2, 1});
  const uint32_t whole = point(OpKind::add, {total, top}, {2, 1});
  std::vector<Tensor> given(b.graph.size());
  given[x] = tensor(DType::f64, {1e6, 1e6 + 3, 1e6 + 6, -1e4, -1e4, -1e4});
  const std::vector<Tensor> all = evaluate(b.graph, given);
  CHECK(values(all[variance], DType::f64) == Values{6, 0});
  CHECK(values(all[whole], DType::f64)[0] == Approx(1e6 + 6 + std::log1p(std::exp(-3) + std::exp(-6))));
  CHECK(values(all[whole], DType::f64)[1] == Approx(-1e4 + std::log(3)));
}

TEST_CASE("sums are wider than their elements") {
  CHECK(of(DType::f32, {3}, {0x1p24, 1, 1})
            .ask(OpKind::reduce, DType::f32, {}, {{"reducer", std::string("sum")}}) == Values{0x1p24 + 2});
}

TEST_CASE("matmul multiplies vectors, matrices and batches as NumPy does") {
  One plain = of(DType::f32, {2, 3}, kSix);
  plain.input(DType::f32, {3, 2}, kSix);
  CHECK(plain.ask(OpKind::matmul, DType::f32, {2, 2}) == Values{22, 28, 49, 64});
  One vector = of(DType::i32, {3}, {1, 2, 3});
  vector.input(DType::i32, {3, 2}, kSix);
  CHECK(vector.ask(OpKind::matmul, DType::i32, {2}) == Values{22, 28});
  One batch = of(DType::f64, {2, 1, 2}, {1, 2, 3, 4});
  batch.input(DType::f64, {2, 1}, {10, 100});
  CHECK(batch.ask(OpKind::matmul, DType::f64, {2, 1, 1}) == Values{210, 430});
  One wrong = of(DType::f32, {2, 3}, kSix);
  wrong.input(DType::f32, {2, 3}, kSix);
  CHECK_FALSE(wrong.ask(OpKind::matmul, DType::f32, {2, 2}));
}
