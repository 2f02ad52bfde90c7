// Building a graph, and the plain facts about its ops.
// It must not know the text it came from; faults are validate.test.cpp's.
#include "graph/fusion_graph.h"

#include "catch.h"
#include "graph_builder.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

}  // namespace

TEST_CASE("an op's id is its insertion index, its size that of its elements") {
  FusionGraph graph;
  CHECK(graph.size() == 0);
  CHECK(graph.add_op(OpKind::input, {}, {3, 5}, 2) == 0);
  CHECK(graph.add_op(OpKind::relu, {0}, {}, 3) == 1);
  CHECK(graph.op(0).dtype == DType::f16);
  CHECK(graph.op(1).dtype == DType::foreign);
  CHECK(graph.output_bytes(0) == 30);
  CHECK(graph.output_bytes(1) == 3);
  CHECK(graph.name_of(1) == "%1");
  graph.op(1).name = "y";
  CHECK(graph.name_of(1) == "y");
}

TEST_CASE("the DAG holds distinct inputs as listed, without what dangles and what reads itself") {
  GraphBuilder b;
  b.add("a", OpKind::input, {}, {});
  b.add("b", OpKind::add, {2, 0, 2, 1, 9, kNoOp}, {});
  b.add("c", OpKind::input, {}, {});
  const Dag dag = b.graph.dag();
  CHECK(std::vector<uint32_t>(dag.predecessors[1].begin(), dag.predecessors[1].end()) ==
        std::vector<uint32_t>{2, 0});
  CHECK(dag.successors[2].size() == 1);
  CHECK(dag.predecessors.values.size() == 2);
}

TEST_CASE("a source or view of a wrong arity is opaque, a Point stays one") {
  GraphBuilder b;
  const auto kind_of = [&](OpKind kind, size_t arity) {
    return b.graph.op(b.add("", kind, std::vector<uint32_t>(arity, 0), {})).op_class();
  };
  CHECK(kind_of(OpKind::input, 0) == OpClass::Source);
  CHECK(kind_of(OpKind::input, 1) == OpClass::Opaque);
  CHECK(kind_of(OpKind::reshape, 1) == OpClass::View);
  CHECK(kind_of(OpKind::reshape, 0) == OpClass::Opaque);
  CHECK(kind_of(OpKind::broadcast, 2) == OpClass::Opaque);
  CHECK(kind_of(OpKind::relu, 3) == OpClass::Point);
  CHECK(kind_of(OpKind::reduce, 0) == OpClass::Reduce);
  CHECK(kind_of(OpKind::concat, 5) == OpClass::Move);
}

TEST_CASE("what has no operands is resident, but for iota") {
  GraphBuilder b;
  CHECK(b.graph.op(b.add("", OpKind::relu, {}, {})).is_resident());
  CHECK(b.graph.op(b.add("", OpKind::input, {}, {})).is_resident());
  CHECK_FALSE(b.graph.op(b.add("", OpKind::iota, {}, {})).is_resident());
  CHECK_FALSE(b.graph.op(b.add("", OpKind::relu, {0}, {})).is_resident());
}

TEST_CASE("attributes are found by name and type") {
  GraphBuilder b;
  const FusionOp& op = b.graph.op(
      b.add("", OpKind::reduce, {}, {}, DType::f32, {{"axes", std::vector<int64_t>{1}}, {"keepdims", true}}));
  REQUIRE(op.ints("axes") != nullptr);
  CHECK(*op.ints("axes") == std::vector<int64_t>{1});
  CHECK(op.ints("keepdims") == nullptr);
  CHECK(op.ints("perm") == nullptr);
  CHECK(op.attribute("keepdims") != nullptr);
}

TEST_CASE("a place is the token where one is known, and a path in any case") {
  GraphBuilder b;
  b.add("x", OpKind::input, {}, {});
  b.add("", OpKind::add, {0, 0}, {});
  OpPlaces places;
  CHECK(places.of_op(b.graph, 0).path == "x");
  CHECK(places.of_op(b.graph, 1).path == "/ops/1");
  CHECK(places.of_op(b.graph, 1).length == 0);
  places.ops = {{5, 3}, {20, 30}};
  places.start = {0, 0};
  places.inputs = {{31, 1}, {34, 1}};
  places.json_pointers = true;
  CHECK(places.of_op(b.graph, 0).path == "/ops/0");
  CHECK(places.of_op(b.graph, 0).offset == 5);
  CHECK(places.of_input(b.graph, 1, 1).path == "/ops/1/inputs/1");
  CHECK(places.of_input(b.graph, 1, 1).offset == 34);
  CHECK(places.of_input(b.graph, 1, 7).offset == 20);  // unknown: the op's own
}
