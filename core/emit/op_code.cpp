// Binding templates.
// It must not know loops or parameters.
#include "emit/op_code.h"

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "launch/lowering.h"

namespace fuseboard {
namespace {

/// Rounded as IEEE says; the language leaves a double past float's range undefined.
float to_f32(double value) {
  if (std::fabs(value) < 0x1.ffffffp127 || std::isnan(value)) return static_cast<float>(value);
  return std::copysign(std::numeric_limits<float>::infinity(),
                       static_cast<float>(std::signbit(value) ? -1 : 1));
}

std::string_view type_of(std::string_view opcode) {
  const size_t dot = opcode.rfind('.');
  return dot == std::string_view::npos ? std::string_view{} : opcode.substr(dot + 1);
}

std::string literal(double value, std::string_view type) {
  if (type == "f32") return f32_literal(value);
  return std::to_string(std::isfinite(value) ? static_cast<int64_t>(value) : 0);
}

}  // namespace

std::string f32_literal(double value) {
  constexpr char kHex[] = "0123456789ABCDEF";
  const uint32_t bits = std::isnan(value) ? 0x7FC00000U : __builtin_bit_cast(uint32_t, to_f32(value));
  std::string text = "0f";
  for (int shift = 28; shift >= 0; shift -= 4) text += kHex[bits >> shift & 15U];
  return text;
}

struct OpCode::Binding {
  const FusionOp& op;
  std::span<PtxValue* const> operands;
  const std::string& index;
  bool wide;
  uint32_t id;
  PtxValue result;
  std::map<std::pair<RegisterClass, uint32_t>, std::string> temporaries;
  std::map<uint32_t, std::string> labels;
};

std::string OpCode::as_f32(PtxValue& value) {
  if (value.is_immediate) return f32_literal(value.number);
  if (value.f32.empty()) {
    value.f32 = writer_.fresh(RegisterClass::f32);
    writer_.instruction("selp.f32", {value.f32, "0f3F800000", "0f00000000", value.pred});
  }
  return value.f32;
}

std::string OpCode::as_pred(PtxValue& value) {
  if (value.pred.empty()) {
    value.pred = writer_.fresh(RegisterClass::pred);
    if (value.is_immediate) {
      const std::string word = writer_.fresh(RegisterClass::b32);
      writer_.instruction("mov.b32", {word, value.number != 0 ? "1" : "0"});
      writer_.instruction("setp.ne.s32", {value.pred, word, "0"});
    } else {
      writer_.instruction("setp.neu.f32", {value.pred, value.f32, "0f00000000"});
    }
  }
  return value.pred;
}

std::string OpCode::temporary(Binding& binding, RegisterClass register_class, uint32_t index) {
  std::string& name = binding.temporaries[{register_class, index}];
  if (name.empty()) name = writer_.fresh(register_class);
  return name;
}

std::string OpCode::bound(Binding& binding, const Token& token, std::string_view type) {
  switch (token.kind) {
    case TokenKind::operand: {
      PtxValue& value = *binding.operands[token.index];
      std::string text = as_f32(value);
      if (value.is_immediate && type != "f32") text.replace(0, 2, "0x");
      return text;
    }
    case TokenKind::operand_predicate:
      return as_pred(*binding.operands[token.index]);
    case TokenKind::result:
      if (binding.result.f32.empty()) binding.result.f32 = writer_.fresh(RegisterClass::f32);
      return binding.result.f32;
    case TokenKind::result_predicate:
      if (binding.result.pred.empty()) binding.result.pred = writer_.fresh(RegisterClass::pred);
      return binding.result.pred;
    case TokenKind::temporary:
      return temporary(binding, RegisterClass::f32, token.index);
    case TokenKind::predicate:
      return temporary(binding, RegisterClass::pred, token.index);
    case TokenKind::bits:
      return temporary(binding, RegisterClass::b32, token.index);
    case TokenKind::label: {
      std::string& name = binding.labels[token.index];
      if (name.empty()) name = writer_.fresh_label();
      return name;
    }
    case TokenKind::iota_index:
      return binding.index;
    case TokenKind::number:
      return literal(token.value, type);
    case TokenKind::attribute:
      for (const AttributeUse& use : attribute_uses(binding.op)) {
        if (use.name == token.text && use.value) return literal(*use.value, type);
      }
      return scalars_.contains(binding.id) ? scalars_.at(binding.id) : literal(0, type);
  }
  return {};
}

/// min.NaN and max.NaN as below sm_80: by a select.
void OpCode::write_nan_propagating(std::string_view opcode, const std::vector<std::string>& operands) {
  const std::string either = writer_.fresh(RegisterClass::f32);
  const std::string unordered = writer_.fresh(RegisterClass::pred);
  writer_.instruction(std::string(opcode.substr(0, 3)) + ".f32", {either, operands[1], operands[2]});
  writer_.instruction("setp.nan.f32", {unordered, operands[1], operands[2]});
  writer_.instruction(
      "selp.f32", {operands[0], f32_literal(std::numeric_limits<double>::quiet_NaN()), either, unordered});
}

void OpCode::write(Binding& binding, const Statement& statement) {
  if (statement.label >= 0) {
    Token label;
    label.kind = TokenKind::label;
    label.index = static_cast<uint32_t>(statement.label);
    writer_.label(bound(binding, label, {}));
  }
  if (statement.opcode.empty()) return;
  std::vector<std::string> operands;
  operands.reserve(statement.operands.size());
  for (const Token& token : statement.operands)
    operands.push_back(bound(binding, token, type_of(statement.opcode)));
  if (statement.opcode.substr(3) == ".NaN.f32" && target_.sm < 80) {
    write_nan_propagating(statement.opcode, operands);
    return;
  }
  std::string text;
  if (statement.has_guard) {
    text = statement.guard_negated ? "@!" : "@";
    text += temporary(binding, RegisterClass::pred, statement.guard) + " ";
  }
  text += statement.opcode;
  if (text.ends_with(".index")) text.replace(text.size() - 6, 6, binding.wide ? ".u64" : ".u32");
  for (size_t i = 0; i < operands.size(); ++i) text += (i == 0 ? " " : ", ") + operands[i];
  writer_.instruction(text);
}

PtxValue OpCode::apply(uint32_t op, std::span<PtxValue* const> operands, const std::string& index,
                       bool wide) {
  Binding binding{graph_.op(op), operands, index, wide, op, {}, {}, {}};
  const PtxTemplate& statements = ptx_template(lowering_of(graph_, binding.op, math_).statements);
  for (const Statement& statement : statements) {  // conversions first: a template may branch around its uses
    for (const Token& token : statement.operands) {
      if (token.kind == TokenKind::operand) as_f32(*operands[token.index]);
      if (token.kind == TokenKind::operand_predicate) as_pred(*operands[token.index]);
    }
  }
  for (const Statement& statement : statements) write(binding, statement);
  PtxValue& result = binding.result;
  PtxValue own;  // in the class of the op's dtype alone: a bool computed in f32 is 0 or 1 for its readers
  if (binding.op.dtype == DType::boolean) {
    own.pred = as_pred(result);
  } else {
    own.f32 = as_f32(result);
  }
  return own;
}

}  // namespace fuseboard
