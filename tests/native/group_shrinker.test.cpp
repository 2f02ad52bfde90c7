// A group at smaller sizes: what was equal stays equal, reshapes still fit, storages become inputs.
// It must not know kernels.
#include "verify/group_shrinker.h"

#include "catch.h"
#include "graph_builder.h"
#include "plan/fusion_planner.h"

using namespace fuseboard;

namespace {

FusionOp op_of(OpKind kind, std::vector<uint32_t> inputs, Shape shape) {
  FusionOp op;
  op.kind = kind;
  op.inputs = std::move(inputs);
  op.output_shape = std::move(shape);
  return op;
}

std::optional<ShrunkGroup> shrunk(const FusionGraph& graph, uint32_t op, bool ragged, std::string& why) {
  const FusionPlan plan = FusionPlanner().plan(graph);
  return shrink_group(graph, plan.groups[plan.group_of[op]], ragged, why);
}

}  // namespace

TEST_CASE("a bias over a matrix shrinks with the row that it is added to") {
  FusionGraph graph;
  const uint32_t x = graph.add_op(op_of(OpKind::input, {}, {8192, 4096}));
  const uint32_t b = graph.add_op(op_of(OpKind::input, {}, {4096}));
  const uint32_t sum = graph.add_op(op_of(OpKind::add, {x, b}, {8192, 4096}));
  const uint32_t out = graph.add_op(op_of(OpKind::relu, {sum}, {8192, 4096}));
  for (const bool ragged : {false, true}) {
    std::string why;
    const std::optional<ShrunkGroup> small = shrunk(graph, out, ragged, why);
    REQUIRE(small);
    CHECK_FALSE(has_errors(small->graph.validate()));
    REQUIRE(small->graph.size() == 4);
    const Shape shape = small->graph.op(0).output_shape;
    CHECK(shape[0] > 1);
    CHECK(shape[0] * shape[1] < 1000);
    CHECK((shape[1] % 16 == 0) == !ragged);
    for (uint32_t id = 0; id < 4; ++id) {
      const uint32_t original = small->original[id];
      const Shape& each = small->graph.op(id).output_shape;
      CHECK(each == (original == b ? Shape{shape[1]} : shape));
      CHECK((small->graph.op(id).kind == OpKind::input) == (original == x || original == b));
      CHECK((small->label[id] == 0) == (original == sum || original == out));
    }
    CHECK(small->shapes.find("[8192,4096] as [") == 0);
  }
}

TEST_CASE("reshapes and dimensions of 1 keep their meaning") {
  FusionGraph graph;
  const uint32_t x = graph.add_op(op_of(OpKind::input, {}, {64, 1, 4096}));
  const uint32_t heads = graph.add_op(op_of(OpKind::reshape, {x}, {64, 32, 128}));
  const uint32_t scale = graph.add_op(op_of(OpKind::input, {}, {32, 1}));
  const uint32_t out = graph.add_op(op_of(OpKind::mul, {heads, scale}, {64, 32, 128}));
  std::string why;
  const std::optional<ShrunkGroup> small = shrunk(graph, out, false, why);
  REQUIRE(small);
  CHECK_FALSE(has_errors(small->graph.validate()));
  for (const Diagnostic& each : small->graph.validate()) FAIL(each.message);
  for (uint32_t id = 0; id < small->graph.size(); ++id) {
    if (small->original[id] == x) CHECK(small->graph.op(id).output_shape[1] == 1);
    if (small->original[id] == out) CHECK(element_count(small->graph.op(id).output_shape).value() < 5000);
  }
}

TEST_CASE("what cannot be shrunk says why") {
  FusionGraph graph;
  const uint32_t x = graph.add_op(op_of(OpKind::input, {}, {1000, 1001}));
  const uint32_t y = graph.add_op(op_of(OpKind::reshape, {x}, {1001, 1000}));
  const uint32_t out = graph.add_op(op_of(OpKind::relu, {y}, {1001, 1000}));
  std::string why;
  CHECK_FALSE(shrunk(graph, out, false, why));
  CHECK(why.find("reshape") != std::string::npos);
}

TEST_CASE("what a reduce folds and what it keeps shrink apart, and stay what they were") {
  for (const bool keepdims : {false, true}) {
    FusionGraph graph;
    const uint32_t x = graph.add_op(op_of(OpKind::input, {}, {512, 64, 4096}));
    FusionOp fold = op_of(OpKind::reduce, {x}, keepdims ? Shape{512, 1, 4096} : Shape{512, 4096});
    fold.attributes = {
        {"reducer", std::string("sum")}, {"axes", std::vector<int64_t>{-2}}, {"keepdims", keepdims}};
    const uint32_t sum = graph.add_op(std::move(fold));
    FusionGroup group;
    const std::vector<uint32_t> members = {sum};
    group.members = members;
    group.external_outputs = members;
    std::string why;
    const std::optional<ShrunkGroup> small = shrink_group(graph, group, true, why);
    REQUIRE(small);
    CHECK_FALSE(has_errors(small->graph.validate()));
    const Shape& result = small->graph.op(0).output_shape;
    const Shape& from = small->graph.op(1).output_shape;
    REQUIRE(from.size() == 3);
    CHECK(from[0] == result[0]);
    CHECK(from[2] == result.back());
    CHECK(from[1] > 1);
    CHECK(from[0] * from[1] * from[2] < 10000);
  }
}

TEST_CASE("reductions of one kernel walk the same rows at small sizes, though nothing else binds them") {
  FusionGraph graph;
  const auto fold = [&](uint32_t of) {
    FusionOp op = op_of(OpKind::reduce, {of}, {512});
    op.attributes = {{"reducer", std::string("sum")}, {"axes", std::vector<int64_t>{1}}};
    return graph.add_op(std::move(op));
  };
  const uint32_t x = graph.add_op(op_of(OpKind::input, {}, {512, 4096}));
  const uint32_t y = graph.add_op(op_of(OpKind::input, {}, {512, 64, 64}));
  const uint32_t flat = graph.add_op(op_of(OpKind::reshape, {y}, {512, 4096}));
  const std::vector<uint32_t> members = {fold(x), fold(flat)};
  FusionGroup group;
  group.members = members;
  group.external_outputs = members;
  for (const bool ragged : {false, true}) {
    std::string why;
    const std::optional<ShrunkGroup> small = shrink_group(graph, group, ragged, why);
    REQUIRE(small);
    CHECK_FALSE(has_errors(small->graph.validate()));
    CHECK(small->graph.op(small->graph.op(0).inputs[0]).output_shape ==
          small->graph.op(small->graph.op(1).inputs[0]).output_shape);
  }
}
