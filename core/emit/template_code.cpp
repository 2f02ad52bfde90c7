// Writing templates.
// It must not know ops, graphs or loops.
#include "emit/template_code.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/words.h"
#include "emit/math/sequence.h"

namespace fuseboard {
namespace {

std::string_view type_of(std::string_view opcode) {
  const size_t dot = opcode.rfind('.');
  return dot == std::string_view::npos ? std::string_view{} : opcode.substr(dot + 1);
}

/// A number as the instruction's type wants it.
std::string number_literal(const Token& token, std::string_view type) {
  if (type == "f32") return literal(Arithmetic::f32, {token.value, 0});
  if (type == "f64") return literal(Arithmetic::f64, {token.value, 0});
  if (token.is_whole) return literal(Arithmetic::s64, {0, token.bits});
  return std::to_string(std::isfinite(token.value) ? static_cast<int64_t>(token.value) : 0);
}

std::string operand_literal(const TemplateOperand& operand, std::string_view type) {
  const Element& element = *operand.immediate;
  std::string text = literal(operand.arithmetic, element);
  if (is_float(operand.arithmetic) && type != "f32" && type != "f64") text.replace(0, 2, "0x");
  return text;
}

RegisterClass class_of_letter(char letter) {
  switch (letter) {
    case 's':
      return RegisterClass::f32;
    case 'w':
      return RegisterClass::f64;
    case 'j':
      return RegisterClass::b64;
    default:
      return RegisterClass::b32;
  }
}

/// ".f64": how a parameter of a device function is moved.
std::string_view move_type(RegisterClass register_class) { return register_type(register_class); }

std::string_view parameter_type(char letter) { return letter == 'w' || letter == 'j' ? ".b64" : ".b32"; }

/// ".param .b32 result", or for several results 8 bytes for each.
std::string results_parameter(const Sequence& sequence, std::string_view name) {
  std::string text = ".param ";
  const size_t count = sequence.results.size();
  text += count == 1 ? parameter_type(sequence.results[0]) : ".align 8 .b8";
  text += ' ';
  text += name;
  if (count != 1) text += "[" + std::to_string(8 * count) + "]";
  return text;
}

std::string result_place(std::string_view name, size_t number) {
  std::string text = "[";
  text += name;
  if (number != 0) text += "+" + std::to_string(8 * number);
  return text += "]";
}

}  // namespace

std::string TemplateCode::numbered(TokenKind kind, RegisterClass register_class, uint32_t index) {
  std::string& name = names_[{kind, index}];
  if (name.empty()) name = writer_.fresh(register_class);
  return name;
}

std::string TemplateCode::bound(const Token& token, std::string_view type) {
  switch (token.kind) {
    case TokenKind::operand: {
      const TemplateOperand& operand = binding_->operands[token.index];
      return operand.immediate ? operand_literal(operand, type) : operand.reg;
    }
    case TokenKind::operand_predicate:
      return binding_->operand_predicates[token.index];
    case TokenKind::result: {
      if (binding_->results.size() <= token.index) binding_->results.resize(token.index + 1);
      std::string& name = binding_->results[token.index];
      if (name.empty()) {
        name = writer_.fresh(token.index < binding_->result_classes.size()
                                 ? binding_->result_classes[token.index]
                                 : register_class_of(binding_->arithmetic));
      }
      return name;
    }
    case TokenKind::result_predicate:
      if (binding_->result_predicate.empty()) binding_->result_predicate = writer_.fresh(RegisterClass::pred);
      return binding_->result_predicate;
    case TokenKind::temporary:
      return numbered(token.kind, register_class_of(binding_->arithmetic), token.index);
    case TokenKind::predicate:
      return numbered(token.kind, RegisterClass::pred, token.index);
    case TokenKind::bits32:
      return numbered(token.kind, RegisterClass::b32, token.index);
    case TokenKind::bits64:
      return numbered(token.kind, RegisterClass::b64, token.index);
    case TokenKind::single:
      return numbered(token.kind, RegisterClass::f32, token.index);
    case TokenKind::wide:
      return numbered(token.kind, RegisterClass::f64, token.index);
    case TokenKind::label: {
      std::string& name = names_[{token.kind, token.index}];
      if (name.empty()) name = writer_.fresh_label();
      return name;
    }
    case TokenKind::iota_index:
      return binding_->index;
    case TokenKind::number:
      return number_literal(token, type);
    case TokenKind::attribute: {
      if (token.text == "bits") return std::to_string(8 * dtype_bytes(binding_->dtype));
      const TemplateOperand value = binding_->attribute(token.text);
      if (!value.immediate) return value.reg;
      if (binding_->arithmetic == Arithmetic::f32 || binding_->arithmetic == Arithmetic::f64) {
        Token number;  // an attribute of a float op may count bits: then it is the number that is meant
        number.value = value.immediate->real;
        return number_literal(number, type);
      }
      return operand_literal(value, type);
    }
    case TokenKind::table: {
      std::string name = "$";
      name += token.text;
      add_function(functions_, name);
      return std::string(token.text);
    }
  }
  return {};
}

/// min.NaN and max.NaN as below sm_80: by a select.
void TemplateCode::write_nan_propagating(std::string_view opcode, const std::vector<std::string>& operands) {
  const std::string either = writer_.fresh(RegisterClass::f32);
  const std::string unordered = writer_.fresh(RegisterClass::pred);
  writer_.instruction(std::string(opcode.substr(0, 3)) + ".f32", {either, operands[1], operands[2]});
  writer_.instruction("setp.nan.f32", {unordered, operands[1], operands[2]});
  writer_.instruction("selp.f32",
                      {operands[0], literal(Arithmetic::f32, {std::numeric_limits<double>::quiet_NaN(), 0}),
                       either, unordered});
}

/// As nvcc calls: parameters in a block of its own, several results as one of 8 bytes each.
void TemplateCode::write_call(const Statement& statement) {
  const Sequence* sequence = sequence_named(statement.name);
  if (sequence == nullptr) return;
  add_function(functions_, statement.name);
  writer_.line("    {");
  writer_.instruction(results_parameter(*sequence, "result"));
  std::string arguments;
  for (size_t i = 0; i < sequence->operands.size(); ++i) {
    const std::string name = "argument" + std::to_string(i);
    const std::string type(move_type(class_of_letter(sequence->operands[i])));
    writer_.instruction(".param " + std::string(parameter_type(sequence->operands[i])) + " " + name);
    writer_.instruction(
        "st.param" + type,
        {"[" + name + "]", bound(statement.operands[sequence->results.size() + i], type.substr(1))});
    arguments += (i == 0 ? "" : ", ") + name;
  }
  writer_.instruction("call.uni (result), " + std::string(statement.name) + ", (" + arguments + ")");
  for (size_t i = 0; i < sequence->results.size(); ++i) {
    writer_.instruction("ld.param" + std::string(move_type(class_of_letter(sequence->results[i]))),
                        {bound(statement.operands[i], {}), result_place("result", i)});
  }
  writer_.line("    }");
}

/// The opcode with .type .bits .uint .sint .index as this arithmetic has them.
std::string TemplateCode::typed(std::string_view opcode) const {
  const std::string_view own = arithmetic_text(binding_->arithmetic);
  const bool wide = own.ends_with("64");
  std::string out(take_until(opcode, '.'));
  while (!opcode.empty()) {
    const std::string_view part = take_until(opcode, '.');
    out += '.';
    if (part == "type") {
      out += own;
    } else if (part == "bits") {
      out += wide ? "b64" : "b32";
    } else if (part == "uint") {
      out += wide ? "u64" : "u32";
    } else if (part == "sint") {
      out += wide ? "s64" : "s32";
    } else if (part == "index") {
      out += binding_->wide_index ? "u64" : "u32";
    } else {
      out += part;
    }
  }
  return out;
}

void TemplateCode::write_statement(const Statement& statement) {
  if (statement.label >= 0) {
    Token label;
    label.kind = TokenKind::label;
    label.index = static_cast<uint32_t>(statement.label);
    writer_.label(bound(label, {}));
  }
  if (statement.opcode.empty()) return;
  if (statement.opcode == "call") return write_call(statement);
  const std::string opcode = typed(statement.opcode);
  if (opcode == "wrap") return conversion_.wrap(binding_->dtype, bound(statement.operands[0], {}));
  std::vector<std::string> operands;
  operands.reserve(statement.operands.size());
  for (const Token& token : statement.operands) {
    std::string text = bound(token, type_of(opcode));
    if (token.is_memory) {
      text.insert(0, 1, '[');
      text += '+';
      text += std::to_string(token.offset);
      text += ']';
    }
    operands.push_back(std::move(text));
  }
  if (opcode.substr(3) == ".NaN.f32" && target_.sm < 80) return write_nan_propagating(opcode, operands);
  std::string text;
  if (statement.has_guard) {
    text = statement.guard_negated ? "@!" : "@";
    text += numbered(TokenKind::predicate, RegisterClass::pred, statement.guard);
    text += ' ';
  }
  text += opcode;
  for (size_t i = 0; i < operands.size(); ++i) {
    text += i == 0 ? " " : ", ";
    text += operands[i];
  }
  writer_.instruction(text);
}

void TemplateCode::write(const PtxTemplate& statements, TemplateBinding& binding) {
  binding_ = &binding;
  names_.clear();
  for (const Statement& statement : statements) write_statement(statement);
}

// NOLINTNEXTLINE(misc-no-recursion): the table of sequences has no cycle, and is shallow
void add_function(FunctionList& functions, std::string_view name) {
  if (std::find(functions.begin(), functions.end(), name) != functions.end()) return;
  const Sequence* sequence = sequence_named(name);
  if (sequence != nullptr) {
    for (const Statement& statement : ptx_template(sequence->text)) {
      if (statement.opcode == "call") add_function(functions, statement.name);
      for (const Token& token : statement.operands) {
        if (token.kind == TokenKind::table) add_function(functions, "$" + std::string(token.text));
      }
    }
  }
  functions.emplace_back(name);
}

std::string math_function_text(std::string_view name, const Target& target) {
  if (name.starts_with('$')) {
    const ConstantTable* table = constant_table_named(name.substr(1));
    if (table == nullptr) return {};
    return ".const .align 8 ." + std::string(table->type) + " " + std::string(table->name) + "[" +
           std::to_string(table->count) + "] = {" + std::string(table->values) + "};\n";
  }
  const Sequence* sequence = sequence_named(name);
  if (sequence == nullptr) return {};
  PtxWriter writer;
  FunctionList needed;
  TemplateBinding binding;
  std::string parameters;
  for (const char letter : sequence->results) binding.result_classes.push_back(class_of_letter(letter));
  for (size_t i = 0; i < sequence->operands.size(); ++i) {
    const RegisterClass own = class_of_letter(sequence->operands[i]);
    const std::string taken = "taken" + std::to_string(i);
    parameters += i == 0 ? ".param " : ", .param ";
    parameters += parameter_type(sequence->operands[i]);
    parameters += " " + taken;
    binding.operands.push_back({writer.fresh(own), {}, Arithmetic::f32});
    writer.instruction("ld.param" + std::string(move_type(own)),
                       {binding.operands.back().reg, "[" + taken + "]"});
  }
  TemplateCode(writer, target, needed).write(ptx_template(sequence->text), binding);
  for (size_t i = 0; i < binding.results.size(); ++i) {
    writer.instruction("st.param" + std::string(move_type(binding.result_classes[i])),
                       {result_place("given", i), binding.results[i]});
  }
  writer.instruction("ret");
  std::string text = ".func (" + results_parameter(*sequence, "given") + ") " + std::string(name) + "(" +
                     parameters + ")\n{\n";
  text += register_declarations(writer);
  return text + writer.text() + "}\n";
}

}  // namespace fuseboard
