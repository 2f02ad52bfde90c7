// Every row, with registers and with immediates as operands, assembles for every target without a word from
// ptxas. It must not know how templates are read.
#include "catch.h"
#include "emit/ptx.h"
#include "graph_reference.h"
#include "launch/lower.h"
#include "plan/fusion_planner.h"
#include "ptxas.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

/// An op whose operands are inputs, but where a bit of `constants` is set: there a constant.
FusionGraph graph_of(OpKind kind, DType operands, uint32_t constants) {
  FusionGraph graph;
  FusionOp op;
  op.kind = kind;
  op.dtype = op_info(kind).dtype_rule == DTypeRule::Bool ? DType::boolean : operands;
  op.dtype_bytes = dtype_bytes(op.dtype);
  op.output_shape = {1000};
  if (kind == OpKind::reduce_precision) {
    op.attributes.push_back({"exponent_bits", int64_t{5}});
    op.attributes.push_back({"mantissa_bits", int64_t{10}});
  }
  for (uint32_t i = 0; i < op_info(kind).least_arity; ++i) {
    FusionOp operand;
    operand.kind = OpKind::input;
    operand.dtype = kind == OpKind::select && i == 0 ? DType::boolean : operands;
    operand.dtype_bytes = dtype_bytes(operand.dtype);
    operand.output_shape = {1000};
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

}  // namespace

TEST_CASE("every row assembles for seven targets, whatever its operands are") {
  PtxasBatch batch;
  for (uint32_t k = 0; k < op_kind_count(); ++k) {
    const OpKind kind = static_cast<OpKind>(k);
    if (op_info(kind).op_class != OpClass::Point || is_for_integers(kind)) continue;
    for (const DType dtype : {DType::f32, DType::boolean}) {
      for (const Math math : {Math::fast, Math::precise}) {
        for (uint32_t constants = 0; constants < 1U << op_info(kind).least_arity; ++constants) {
          const FusionGraph graph = graph_of(kind, dtype, constants);
          const FusionPlan plan = FusionPlanner::plan_unfused(graph);
          const Kernel kernel = lower(graph, plan, {math}).back();
          if (!kernel.emittable) continue;
          const std::vector<SourceLine> lines(graph.size(), SourceLine{3, 5});
          for (const Target& target : targets()) {
            if (constants != 0 && target.sm != 75 && target.sm != 90) continue;
            batch.add(target, emit(graph, kernel, {target, math, lines, "pasted"}).text, kernel.entry);
          }
        }
      }
    }
  }
  CHECK(batch.kernels() > 1500);
  CHECK(batch.assemble() == "");
}
