// Binding templates to an op's operands and attributes.
// It must not know loops or parameters.
#include "emit/op_code.h"

#include <utility>

#include "graph/infer.h"

namespace fuseboard {
namespace {

Element converted_between(Arithmetic from, Arithmetic to, const Element& element) {
  return converted(dtype_of(from), dtype_of(to), element);
}

}  // namespace

std::string OpCode::register_of(PtxValue& value, Arithmetic wanted) {
  if (!value.in(wanted).empty()) return value.in(wanted);
  ConversionCode conversion(writer_, target_);
  if (!value.immediate)
    return value.in(wanted) = conversion.to_arithmetic(value.arithmetic, value.own(), wanted);
  const Element element = converted_between(value.arithmetic, wanted, *value.immediate);
  std::string reg = writer_.fresh(register_class_of(wanted));
  if (wanted == Arithmetic::pred) {
    const std::string word = writer_.fresh(RegisterClass::b32);
    writer_.instruction("mov.b32", {word, literal(wanted, element)});
    writer_.instruction("setp.ne.s32", {reg, word, "0"});
  } else {
    writer_.instruction("mov." + std::string(arithmetic_text(wanted)), {reg, literal(wanted, element)});
  }
  return value.in(wanted) = reg;
}

std::string OpCode::as(PtxValue& value, Arithmetic wanted) {
  if (!value.immediate || wanted == Arithmetic::pred) return register_of(value, wanted);
  return literal(wanted, converted_between(value.arithmetic, wanted, *value.immediate));
}

TemplateOperand OpCode::operand_of(PtxValue& value, DType from, const Lowering& lowering) {
  const Arithmetic wanted = lowering.operands;
  // A scalar takes the dtype of the tensors beside it: it may have to be wrapped to fewer than 32 bits.
  const bool wraps = from != lowering.dtype && wanted == arithmetic_of(lowering.dtype) && !is_float(wanted) &&
                     wanted != Arithmetic::pred && dtype_bytes(lowering.dtype) < 4;
  if (value.immediate) {
    const DType to = wraps ? lowering.dtype : dtype_of(wanted);
    return {{}, converted(dtype_of(value.arithmetic), to, *value.immediate), wanted};
  }
  if (!wraps) return {register_of(value, wanted), {}, wanted};
  return {
      ConversionCode(writer_, target_).to_dtype(value.arithmetic, value.own(), lowering.dtype), {}, wanted};
}

TemplateOperand OpCode::attribute(uint32_t op, Arithmetic arithmetic, std::string_view name) const {
  for (const AttributeUse& use : attribute_uses(graph_.op(op))) {
    if (use.name != name || !use.value) continue;
    const Element element{*use.value, 0};
    return {{}, converted(DType::f64, dtype_of(arithmetic), element), arithmetic};
  }
  if (scalars_.contains(op)) return {scalars_.at(op), {}, arithmetic};
  return {{}, Element{}, arithmetic};
}

/// The second operand's value, where it is known and the op computes in floats.
std::optional<double> OpCode::known_divisor(const FusionOp& op, std::span<PtxValue* const> operands) const {
  if (operands.size() != 2 || !operands[1]->immediate) return std::nullopt;
  const Arithmetic arithmetic = arithmetic_of(computing_dtype(graph_, op));
  if (!is_float(arithmetic)) return std::nullopt;
  return converted_between(operands[1]->arithmetic, arithmetic, *operands[1]->immediate).real;
}

/// A conversion to the op's dtype: of the value, or of its bits.
PtxValue OpCode::cast(const FusionOp& op, PtxValue& operand, DType from, bool keeps_bits) {
  ConversionCode conversion(writer_, target_);
  PtxValue own;
  own.arithmetic = arithmetic_of(op.dtype);
  const std::string reg = register_of(operand, arithmetic_of(from));
  own.in(own.arithmetic) = keeps_bits ? conversion.bitcast(from, reg, op.dtype)
                                      : conversion.to_dtype(arithmetic_of(from), reg, op.dtype);
  return own;
}

std::string OpCode::pair(OpKind kind, DType dtype, const std::string& a, const std::string& b,
                         std::optional<double> known_b) {
  const Arithmetic arithmetic = arithmetic_of(dtype);
  LoweringQuestion question{arithmetic, math_, dtype_bytes(dtype) < 4, known_b.has_value(), false, known_b};
  TemplateBinding binding;
  binding.arithmetic = arithmetic;
  binding.dtype = dtype;
  binding.operands = {{a, {}, arithmetic}, {b, {}, arithmetic}};
  if (known_b) binding.operands[1] = {{}, Element{*known_b, 0}, arithmetic};
  binding.operand_predicates = {a, b};
  binding.attribute = [&](std::string_view) -> TemplateOperand {
    return {{}, Element{1 / known_b.value_or(1), 0}, arithmetic};
  };
  TemplateCode(writer_, target_, functions_)
      .write(ptx_template(alternative(op_info(kind).ptx, question)), binding);
  return binding.result_predicate.empty() ? binding.results[0] : binding.result_predicate;
}

PtxValue OpCode::apply(uint32_t op, std::span<PtxValue* const> operands, const std::string& index,
                       bool wide) {
  const FusionOp& own_op = graph_.op(op);
  const Lowering lowering = lowering_of(graph_, own_op, math_, known_divisor(own_op, operands));
  const PtxTemplate& statements = ptx_template(lowering.statements);
  if (statements.size() == 1 && (statements[0].opcode == "cast" || statements[0].opcode == "bitcast")) {
    return cast(own_op, *operands[0], graph_.op(own_op.inputs[0]).dtype, statements[0].opcode == "bitcast");
  }
  TemplateBinding binding;
  binding.arithmetic = lowering.arithmetic;
  binding.dtype = lowering.arithmetic == arithmetic_of(lowering.dtype) ? lowering.dtype : DType::f32;
  binding.operands.resize(operands.size());
  binding.operand_predicates.resize(operands.size());
  binding.attribute = [&](std::string_view name) -> TemplateOperand {
    if (name != "inverse") return attribute(op, lowering.arithmetic, name);
    const Element b =
        converted_between(operands[1]->arithmetic, lowering.arithmetic, *operands[1]->immediate);
    return {{}, Element{1 / b.real, 0}, lowering.arithmetic};
  };
  binding.index = index;
  binding.wide_index = wide;
  ConversionCode conversion(writer_, target_);
  for (const Statement& statement : statements) {  // conversions first: a template may branch around its uses
    for (const Token& token : statement.operands) {
      if (token.kind == TokenKind::operand_predicate) {
        binding.operand_predicates[token.index] = register_of(*operands[token.index], Arithmetic::pred);
      }
      if (token.kind != TokenKind::operand) continue;
      TemplateOperand& bound = binding.operands[token.index];
      if (!bound.reg.empty() || bound.immediate) continue;
      bound = operand_of(*operands[token.index], graph_.op(own_op.inputs[token.index]).dtype, lowering);
      if (lowering.operands == lowering.arithmetic) continue;
      bound = {conversion.total_order_key(lowering.operands,
                                          register_of(*operands[token.index], lowering.operands)),
               {},
               lowering.arithmetic};
    }
  }
  TemplateCode(writer_, target_, functions_).write(statements, binding);
  PtxValue own;
  own.arithmetic = arithmetic_of(own_op.dtype);
  std::string& result = own.in(own.arithmetic);
  if (!binding.result_predicate.empty()) {
    result = conversion.to_arithmetic(Arithmetic::pred, binding.result_predicate, own.arithmetic);
    return own;
  }
  if (binding.results.empty()) return own;
  const bool is_there = lowering.dtype == own_op.dtype && lowering.arithmetic == own.arithmetic;
  const bool is_same_float = is_float(own.arithmetic) && own.arithmetic == lowering.arithmetic;
  const DType to = is_float(own.arithmetic) ? dtype_of(own.arithmetic) : own_op.dtype;
  result = is_there || is_same_float ? binding.results[0]
                                     : conversion.to_dtype(lowering.arithmetic, binding.results[0], to);
  return own;
}

}  // namespace fuseboard
