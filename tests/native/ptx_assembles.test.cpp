// Every row, in every dtype that it is written for, with registers and with immediates as operands, assembles
// for every target without a word from ptxas. It must not know how templates are read.
#include "catch.h"
#include "emit/ptx.h"
#include "launch/launch_shape.h"
#include "launch/lower.h"
#include "plan/fusion_planner.h"
#include "ptxas.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

constexpr DType kAll[] = {
#define DTYPE(identifier, ...) DType::identifier,
#include "graph/dtypes.def"
};

FusionOp op_of(OpKind kind, DType dtype, Shape shape) {
  FusionOp op;
  op.kind = kind;
  op.dtype = dtype;
  op.dtype_bytes = dtype_bytes(dtype);
  op.output_shape = std::move(shape);
  return op;
}

/// An op whose operands are inputs, but where a bit of `constants` is set: there a constant.
FusionGraph graph_of(OpKind kind, DType operands, uint32_t constants, const Shape& shape) {
  FusionGraph graph;
  FusionOp op = op_of(kind, op_info(kind).dtype_rule == DTypeRule::Bool ? DType::boolean : operands, shape);
  if (kind == OpKind::reduce_precision) {
    op.attributes.push_back({"exponent_bits", int64_t{5}});
    op.attributes.push_back({"mantissa_bits", int64_t{10}});
  }
  for (uint32_t i = 0; i < op_info(kind).least_arity; ++i) {
    FusionOp operand =
        op_of(OpKind::input, kind == OpKind::select && i == 0 ? DType::boolean : operands, shape);
    if ((constants >> i & 1U) != 0) {
      operand.kind = OpKind::constant;
      operand.output_shape = {};
      operand.attributes.push_back({"value", 0.75});
    }
    op.inputs.push_back(graph.add_op(operand));
  }
  graph.add_op(op);
  return graph;
}

/// One of the kernel for each target, or for the oldest and newest alone.
void add(PtxasBatch& batch, const FusionGraph& graph, Math math, bool all_targets) {
  const Kernel kernel = lower(graph, FusionPlanner::plan_unfused(graph), {math}).back();
  if (!kernel.emittable) return;
  const std::vector<SourceLine> lines(graph.size(), SourceLine{3, 5});
  for (const Target& target : targets()) {
    if (!all_targets && target.sm != 75 && target.sm != 90) continue;
    batch.add(target, emit(graph, kernel, {target, math, lines, "pasted"}).text, kernel.entry);
  }
}

}  // namespace

TEST_CASE("every row assembles for seven targets, whatever its operands are") {
  PtxasBatch batch;
  for (uint32_t k = 0; k < op_kind_count(); ++k) {
    const OpKind kind = static_cast<OpKind>(k);
    if (op_info(kind).op_class != OpClass::Point) continue;
    for (const Math math : {Math::fast, Math::precise}) {
      for (const DType dtype : kAll) {
        add(batch, graph_of(kind, dtype, 0, {1}), math, dtype == DType::f32 || dtype == DType::i32);
      }
      for (uint32_t constants = 0; constants < 1U << op_info(kind).least_arity; ++constants) {
        add(batch, graph_of(kind, DType::f32, constants, {1000}), math, false);
      }
    }
  }
  CHECK(batch.kernels() > 1500);
  CHECK(batch.assemble() == "");
}

TEST_CASE("every dtype assembles in loops of every shape: vectors, rests, rows, columns, 64-bit indices") {
  PtxasBatch batch;
  for (const DType dtype : kAll) {
    for (const Shape& shape :
         {Shape{1003}, Shape{1000, 6}, Shape{32, 512}, Shape{1U << 20, 768}, Shape{70000, 50257}}) {
      FusionGraph graph;
      const OpKind kind = dtype == DType::boolean ? OpKind::and_ : OpKind::add;
      const uint32_t x = graph.add_op(op_of(OpKind::input, dtype, shape));
      const uint32_t row = graph.add_op(op_of(OpKind::input, dtype, {shape.back()}));
      Shape column = shape;
      column.back() = 1;
      const uint32_t left = graph.add_op(op_of(OpKind::input, dtype, column));
      FusionOp sum = op_of(kind, dtype, shape);
      sum.inputs = {x, row};
      FusionOp total = op_of(kind, dtype, shape);
      total.inputs = {graph.add_op(sum), left};
      graph.add_op(total);
      const Kernel kernel = lower(graph, FusionPlanner().plan(graph)).back();
      REQUIRE(kernel.emittable);
      for (const Target& target : targets()) {
        batch.add(target, emit(graph, kernel, {target, Math::fast, {}, "pasted"}).text, kernel.entry);
      }
    }
  }
  CHECK(batch.kernels() == 7 * 13 * 5);
  CHECK(batch.assemble() == "");
}
