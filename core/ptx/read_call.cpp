// Reads the operands of call, and the lists that calls and indexed branches name (PTX ISA, Control Flow).
// It must not know other instructions.
#include <utility>

#include "base/in_quotes.h"
#include "ptx/operand.h"

namespace fuseboard::ptx {
namespace {

constexpr size_t kMostTargets = 65536;

/// ( a, b, ... ): what follows a `(` that was taken, past the `)`.
bool read_group(Reading& reading, const Function& function, WrittenOperands& out) {
  if (reading.lexer.accept(")")) return true;
  do {
    if (!read_operand(reading, function, out)) return false;
  } while (reading.lexer.accept(","));
  return reading.require(")");
}

/// One value handed over: a .param variable, a register, a number.
std::optional<Operand> passed(Reading& reading, const WrittenOperand& written, bool is_return) {
  Operand out;
  out.index = written.index;
  switch (written.kind) {
    case WrittenOperand::Kind::variable:
      if (reading.module.variables[written.index].space != StateSpace::param) break;
      out.kind = OperandKind::variable;
      return out;
    case WrittenOperand::Kind::sink:
      if (!is_return) break;
      return out;
    case WrittenOperand::Kind::reg:
    case WrittenOperand::Kind::constant:
    case WrittenOperand::Kind::special:
    case WrittenOperand::Kind::address:
    case WrittenOperand::Kind::vector:
    case WrittenOperand::Kind::function:
    case WrittenOperand::Kind::symbol:
    case WrittenOperand::Kind::unknown:
      break;
  }
  const bool is_unknown = written.kind == WrittenOperand::Kind::unknown;
  reading.problems.add(
      is_unknown ? Code::ptx_unknown_name : Code::ptx_operand, written.span,
      (is_unknown ? "nothing is named " + in_quotes(written.name) + " here: " : std::string("not this: ")) +
          "call hands over variables of the space .param");
  return std::nullopt;
}

bool pass_all(Reading& reading, Function& function, const WrittenOperands& written, bool is_return) {
  Operand list;
  list.kind = OperandKind::vector;
  list.index = static_cast<uint32_t>(function.elements.size());
  list.count = static_cast<uint32_t>(written.all.size());
  for (const WrittenOperand& each : written.all) {
    const std::optional<Operand> element = passed(reading, each, is_return);
    if (!element) return false;
    function.elements.push_back(*element);
  }
  function.operands.push_back(list);
  return true;
}

/// The values handed over are as many, and as large, as the function's own.
bool agree(Reading& reading, const Function& function, const Operand& list, const std::vector<uint32_t>& own,
           std::string_view what, const Function& callee, Span opcode) {
  if (list.count != own.size()) {
    return reading.failed_at(Code::ptx_operand, opcode,
                             in_quotes(callee.name) + " has " + std::to_string(own.size()) + " " +
                                 std::string(what) + ", and the call " + std::to_string(list.count));
  }
  for (uint32_t i = 0; i < list.count; ++i) {
    const Operand& each = function.elements[list.index + i];
    if (each.kind != OperandKind::variable) continue;
    const Variable& given = reading.module.variables[each.index];
    const Variable& wanted = reading.module.variables[own[i]];
    if (given.bytes == wanted.bytes) continue;
    return reading.failed_at(Code::ptx_operand, opcode,
                             in_quotes(given.name) + " has " + std::to_string(given.bytes) + " bytes, and " +
                                 in_quotes(callee.name) + " wants " + std::to_string(wanted.bytes));
  }
  return true;
}

/// The function, or the register that holds one's address.
bool read_target(Reading& reading, Function& function, const WrittenOperand& written) {
  Operand out;
  out.index = written.index;
  if (written.kind == WrittenOperand::Kind::function) {
    out.kind = OperandKind::function;
  } else if (written.kind == WrittenOperand::Kind::reg && type_bits(written.type) >= 32 &&
             type_class(written.type) != TypeClass::Float) {
    out.kind = OperandKind::reg;
  } else if (written.kind == WrittenOperand::Kind::unknown) {
    return reading.failed_at(Code::ptx_unknown_name, written.span,
                             "no function is named " + in_quotes(written.name) + " before this place");
  } else {
    return reading.failed_at(Code::ptx_operand, written.span,
                             "call takes a function here, or a register with its address");
  }
  function.operands.push_back(out);
  return true;
}

/// The prototype, or the list of targets, of a call through a register.
bool read_prototype(Reading& reading) {
  const std::optional<Token> name = reading.require_name("a prototype or list of targets");
  if (!name) return false;
  const std::optional<Symbol> symbol = reading.scopes.find(name->text);
  if (symbol && (symbol->kind == Symbol::Kind::prototype || symbol->kind == Symbol::Kind::variable))
    return true;
  return reading.failed_at(Code::ptx_unknown_name, name->span(),
                           "no prototype is named " + in_quotes(name->text) + " before this place");
}

}  // namespace

bool read_call(Reading& reading, Function& function, Span opcode) {
  WrittenOperands returns, target, arguments;
  if (reading.lexer.accept("(") && !(read_group(reading, function, returns) && reading.require(",")))
    return false;
  if (!read_operand(reading, function, target)) return false;
  bool has_prototype = false;
  if (reading.lexer.accept(",")) {
    if (reading.lexer.accept("(")) {
      if (!read_group(reading, function, arguments)) return false;
      has_prototype = reading.lexer.accept(",");
    } else {
      has_prototype = true;
    }
  }
  if (has_prototype && !read_prototype(reading)) return false;
  const auto first = function.operands.size();
  if (!pass_all(reading, function, returns, true) || !read_target(reading, function, target.all[0]) ||
      !pass_all(reading, function, arguments, false))
    return false;
  const Operand& called = function.operands[first + 1];
  if (called.kind == OperandKind::reg) {
    if (has_prototype) return true;
    return reading.failed_at(Code::ptx_operand, opcode,
                             "a call through a register names a prototype at its end");
  }
  const Function& callee = reading.module.functions[called.index];
  return agree(reading, function, function.operands[first], callee.returns, "returns", callee, opcode) &&
         agree(reading, function, function.operands[first + 2], callee.parameters, "parameters", callee,
               opcode);
}

bool read_named_list(Reading& reading, Function& function, const Token& name) {
  const Token directive = reading.lexer.take();
  Symbol symbol{Symbol::Kind::prototype, 0, 0, 0};
  if (directive.is(".branchtargets")) {
    symbol = {Symbol::Kind::targets, static_cast<uint32_t>(function.elements.size()), 0, 0};
    do {
      const std::optional<Token> label = reading.require_name("a label");
      if (!label) return false;
      if (symbol.count >= kMostTargets)
        return reading.failed_at(Code::ptx_limit, label->span(), "a list of more than 65536 labels");
      Operand element;
      element.kind = OperandKind::label;
      reading.label_uses.push_back(
          {label->text, label->offset, true, static_cast<uint32_t>(function.elements.size())});
      function.elements.push_back(element);
      ++symbol.count;
    } while (reading.lexer.accept(","));
  } else {
    // Prototypes and call targets say nothing that a run needs: the callee has its own header.
    while (!reading.lexer.peek().is(";") && !reading.lexer.peek().is("}") &&
           reading.lexer.peek().kind != TokenKind::end)
      reading.lexer.take();
  }
  if (!reading.require(";")) return false;
  if (reading.scopes.declare(name.text, symbol)) return true;
  return reading.failed_at(Code::ptx_duplicate_name, name.span(),
                           in_quotes(name.text) + " is declared twice here");
}

}  // namespace fuseboard::ptx
