// Comments and places of ops, and the one instruction that rounds two of them once.
// It must not know loops, rows or index maps.
#include "emit/kernel_parts.h"

#include <span>
#include <utility>

#include "launch/names.h"

namespace fuseboard {

void KernelParts::begin_op(uint32_t op, const std::string& comment) const {
  writer.belong_to(op);
  writer.line("    // " + comment);
  const std::span<const SourceLine> lines = options.source_lines;
  if (op >= lines.size() || lines[op].line == 0) return;
  writer.line("    .loc 1 " + std::to_string(lines[op].line) + " " + std::to_string(lines[op].column));
}

std::string KernelParts::title(uint32_t op) const { return comment_of(graph.name_of(op), 32); }

std::string KernelParts::formula(uint32_t op) const {
  const FusionOp& own = graph.op(op);
  std::string text = title(op) + " = " + comment_of(own.kind_text(), 24) + "(";
  for (size_t i = 0; i < own.inputs.size(); ++i) text += (i == 0 ? "" : ", ") + title(own.inputs[i]);
  return text + ")";
}

std::string KernelParts::reading(uint32_t op) const {
  const FusionOp& own = graph.op(op);
  return title(op) + ": " + comment_of(own.dtype_name(), 8) + comment_of(shape_text(own.output_shape), 48) +
         " is read";
}

/// A sign goes to a known value where there is one.
PtxValue KernelParts::fused(PtxValue* a, PtxValue* b, PtxValue* c, bool negates_product,
                            bool negates_c) const {
  constexpr Arithmetic kF32 = Arithmetic::f32;
  const auto signed_value = [&](PtxValue& operand, bool is_negated) {
    if (!is_negated) return ops.as(operand, kF32);
    if (operand.immediate) {
      PtxValue opposite = operand;
      opposite.immediate->real = -opposite.immediate->real;
      return ops.as(opposite, kF32);
    }
    std::string reg = writer.fresh(RegisterClass::f32);
    writer.instruction("neg.f32", {reg, ops.as(operand, kF32)});
    return reg;
  };
  if (a->immediate) std::swap(a, b);
  const std::string first = ops.as(*a, kF32);
  const std::string second = signed_value(*b, negates_product);
  const std::string third = signed_value(*c, negates_c);
  PtxValue result;
  result.arithmetic = kF32;
  result.in(kF32) = writer.fresh(RegisterClass::f32);
  writer.instruction("fma.rn.f32", {result.in(kF32), first, second, third});
  return result;
}

}  // namespace fuseboard
