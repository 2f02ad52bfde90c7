// Which memory a value lives in, and what ops read and write alone.
// It must not know plans.
#include "graph/storage.h"

#include "catch.h"
#include "graph_builder.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

Storages of(const GraphBuilder& b) {
  REQUIRE_FALSE(has_errors(b.graph.validate()));
  return storages(b.graph);
}

}  // namespace

TEST_CASE("a view of a view of a value lives in the value's memory, whatever the order of ids") {
  GraphBuilder b;
  b.add("wide", OpKind::broadcast, {1}, {4, 8});
  b.add("flat", OpKind::reshape, {2}, {8});
  b.add("x", OpKind::relu, {3}, {2, 4});
  b.add("in", OpKind::input, {}, {2, 4});
  const Storages s = of(b);
  CHECK(s.root == std::vector<uint32_t>{2, 2, 2, 3});
  CHECK(s.read_bytes(0) == 32);  // 8 elements of x, not the 32 of the view
  CHECK(s.written_bytes(0) == 0);
  CHECK(s.written_bytes(1) == 0);
  CHECK(s.written_bytes(2) == 32);
  CHECK(s.written_bytes(3) == 0);  // resident
}

TEST_CASE("a result is a part of its own, and views of it live there") {
  GraphBuilder b;
  const uint32_t call = b.add("pair", OpKind::call, {}, {100});
  const uint32_t first = b.add("first", OpKind::result, {call}, {60}, DType::f32, {{"index", int64_t{0}}});
  const uint32_t second = b.add("second", OpKind::result, {call}, {40}, DType::f32, {{"index", int64_t{1}}});
  const uint32_t view = b.add("view", OpKind::reshape, {second}, {4, 10});
  const Storages s = of(b);
  CHECK(s.root == std::vector<uint32_t>{call, first, second, second});
  CHECK(s.read_bytes(view) == 160);
  CHECK(s.written_bytes(call) == 400);
  CHECK(s.written_bytes(first) == 0);
}

TEST_CASE(
    "a scalar constant of known value is an immediate and costs nothing, alone or seen through a view") {
  GraphBuilder b;
  const uint32_t known = b.add("known", OpKind::constant, {}, {}, DType::f32, {{"value", 2.0}});
  const uint32_t one = b.add("one", OpKind::constant, {}, {1, 1}, DType::f32, {{"value", 2.0}});
  const uint32_t unknown = b.add("unknown", OpKind::constant, {}, {});
  const uint32_t many = b.add("many", OpKind::constant, {}, {8}, DType::f32, {{"value", 2.0}});
  const uint32_t wide = b.add("wide", OpKind::broadcast, {known}, {4, 8});
  CHECK(is_immediate(b.graph.op(known)));
  CHECK(is_immediate(b.graph.op(one)));
  CHECK_FALSE(is_immediate(b.graph.op(unknown)));
  CHECK_FALSE(is_immediate(b.graph.op(many)));
  const Storages s = of(b);
  CHECK(s.read_bytes(known) == 0);
  CHECK(s.read_bytes(one) == 0);
  CHECK(s.read_bytes(unknown) == 4);
  CHECK(s.read_bytes(many) == 32);
  CHECK(s.read_bytes(wide) == 0);
}

TEST_CASE("reading an empty view touches nothing") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {8});
  const uint32_t none = b.add("none", OpKind::broadcast, {x}, {0, 8});
  const Storages s = of(b);
  CHECK(s.root[none] == x);
  CHECK(s.read_bytes(none) == 0);
  CHECK(s.read_bytes(x) == 32);
}

TEST_CASE("a view of nothing or of two values has memory of its own") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {8});
  const uint32_t two = b.add("two", OpKind::reshape, {x, x}, {8});
  const uint32_t none = b.add("none", OpKind::broadcast, {}, {8});
  const Storages s = of(b);
  CHECK(s.root[two] == two);
  CHECK(s.root[none] == none);
  CHECK(s.written_bytes(two) == 32);
}

TEST_CASE("alone, an op reads each distinct storage once and writes its own") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {2, 4});
  const uint32_t flat = b.add("flat", OpKind::reshape, {x}, {8});
  const uint32_t row = b.add("row", OpKind::reshape, {x}, {1, 8});
  const uint32_t sum = b.add("sum", OpKind::fma, {flat, row, flat}, {1, 8});
  const Dag dag = b.graph.dag();
  const Storages s = of(b);
  UnfusedBytes alone(dag, s);
  CHECK(alone.of(x) == 0U);
  CHECK(alone.of(flat) == 0U);
  CHECK(alone.of(sum) == 64U);
  CHECK(alone.of(sum) == 64U);  // asked again
  CHECK(unfused_bytes(dag, s) == 64U);
}

TEST_CASE("a sum that leaves 64 bits is none") {
  GraphBuilder b;
  const uint64_t half = uint64_t{1} << 63;
  const uint32_t x = b.add("x", OpKind::input, {}, {half}, DType::i8);
  const uint32_t y = b.add("y", OpKind::neg, {x}, {half - 1}, DType::i8);
  CHECK(unfused_bytes(b.graph.dag(), storages(b.graph)) == UINT64_MAX);
  b.add("z", OpKind::neg, {x, y}, {half}, DType::i8);
  const Dag dag = b.graph.dag();
  const Storages s = storages(b.graph);
  CHECK_FALSE(UnfusedBytes(dag, s).of(2).has_value());
  CHECK_FALSE(unfused_bytes(dag, s).has_value());
}

TEST_CASE("a chain of a million views is followed without a stack") {
  FusionGraph graph;
  graph.add_op(OpKind::input, {}, {4}, 4);
  for (uint32_t i = 1; i < 1'000'000; ++i) graph.add_op(OpKind::reshape, {i - 1}, {4}, 4);
  CHECK(storages(graph).root.back() == 0);
}
