// Counting each product's readers and pairing it with the sum.
// It must not know registers or loops.
#include "emit/contraction.h"

#include <string>
#include <utility>

#include "emit/ptx_template.h"
#include "graph/reducer_of.h"
#include "launch/lowering.h"

namespace fuseboard {
namespace {

enum class Form : uint8_t { other, product, sum, difference };

/// What one f32 instruction on two operands the op's row lowers to.
Form form_of(const FusionGraph& graph, const FusionOp& op) {
  if (op.inputs.size() != 2 || arithmetic_of(op.dtype) != Arithmetic::f32) return Form::other;
  for (const uint32_t input : op.inputs) {
    if (arithmetic_of(graph.op(input).dtype) != Arithmetic::f32) return Form::other;
  }
  const Lowering lowering = lowering_of(graph, op, Math::fast);
  if (lowering.arithmetic != Arithmetic::f32) return Form::other;
  const PtxTemplate& statements = ptx_template(lowering.statements);
  if (statements.size() != 1 || statements[0].operands.size() != 3) return Form::other;
  for (uint32_t i = 0; i < 2; ++i) {
    const Token& operand = statements[0].operands[1 + i];
    if (operand.kind != TokenKind::operand || operand.index != i) return Form::other;
  }
  const std::string_view opcode = statements[0].opcode;
  for (const auto& [name, form] : {std::pair{"mul.", Form::product}, std::pair{"add.", Form::sum},
                                   std::pair{"sub.", Form::difference}}) {
    if (opcode == std::string(name) + "type" || opcode == std::string(name) + "f32") return form;
  }
  return Form::other;
}

/// Of every step whether it is a mul that one step reads, and not of known values alone.
std::vector<bool> lone_products(const FusionGraph& graph, const LoopSchedule& schedule) {
  const size_t n = schedule.steps.size();
  std::vector<uint32_t> readers(n, 0);
  for (const uint32_t operand : schedule.operands) ++readers[operand];
  for (const uint32_t stored : schedule.stored) ++readers[stored];
  std::vector<bool> out(n, false);
  for (uint32_t i = 0; i < n; ++i) {
    const Step& step = schedule.steps[i];
    if (step.kind != StepKind::compute || readers[i] != 1) continue;
    bool is_known = true;
    for (uint32_t k = 0; k < step.operand_count; ++k) {
      is_known = is_known && schedule.steps[schedule.operands[step.operands + k]].kind == StepKind::immediate;
    }
    out[i] = !is_known && form_of(graph, graph.op(step.op)) == Form::product;
  }
  return out;
}

bool is_f32_sum(const FusionGraph& graph, const FusionOp& fold) {
  const std::string_view reducer = reducer_of(fold);
  return (reducer == "sum" || reducer == "mean") &&
         arithmetic_of(graph.op(fold.inputs[0]).dtype) == Arithmetic::f32;
}

Contractions contracted(const FusionGraph& graph, const LoopSchedule& schedule, Math math,
                        const std::vector<bool>& is_product) {
  const size_t n = schedule.steps.size();
  Contractions out{std::vector<uint32_t>(n, kNoStep), std::vector<bool>(n, false),
                   std::vector<bool>(n, false)};
  for (uint32_t i = 0; math == Math::fast && i < n; ++i) {
    const Step& step = schedule.steps[i];
    if (step.kind != StepKind::compute) continue;
    const Form form = form_of(graph, graph.op(step.op));
    if (form != Form::sum && form != Form::difference) continue;
    out.is_difference[i] = form == Form::difference;
    for (uint32_t k = 0; k < 2 && out.product_of[i] == kNoStep; ++k) {
      const uint32_t operand = schedule.operands[step.operands + k];
      if (schedule.steps[operand].map != step.map || !is_product[operand]) continue;
      out.product_of[i] = operand;
      out.is_contracted[operand] = true;
    }
  }
  return out;
}

}  // namespace

Contractions contractions_of(const FusionGraph& graph, const LoopSchedule& schedule, Math math) {
  return contracted(graph, schedule, math, lone_products(graph, schedule));
}

Contractions contractions_of(const FusionGraph& graph, const RowSchedule& schedule, Math math) {
  const LoopSchedule& loop = schedule.loop;
  const std::vector<bool> is_product = lone_products(graph, loop);
  Contractions out = contracted(graph, loop, math, is_product);
  for (uint32_t i = 0; math == Math::fast && i < loop.steps.size(); ++i) {
    const Step& step = loop.steps[i];
    if (step.kind != StepKind::fold || !is_f32_sum(graph, graph.op(step.op))) continue;
    const uint32_t operand = loop.operands[step.operands];
    if (!is_product[operand] || schedule.steps[operand].by_row) continue;
    const Step& product = loop.steps[operand];
    bool is_made_here = false;
    for (uint32_t k = 0; k < product.operand_count; ++k) {
      const RowStep& factor = schedule.steps[loop.operands[product.operands + k]];
      is_made_here = is_made_here || (!factor.by_row && factor.walk == schedule.steps[i].walk);
    }
    if (!is_made_here) continue;
    out.product_of[i] = operand;
    out.is_contracted[operand] = true;
  }
  return out;
}

}  // namespace fuseboard
