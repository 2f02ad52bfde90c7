// Reads operands and looks up their names.
// It must not know instructions.
#include "ptx/operand.h"

#include <utility>

#include "base/in_quotes.h"
#include "base/nearest_word.h"

namespace fuseboard::ptx {
namespace {

constexpr uint32_t kMostElements = 256;

Span up_to(Span from, const Reading& reading) {
  // The next token begins behind the operand; blanks between the two are not worth a second position.
  return {from.offset, reading.lexer.last_end() - from.offset};
}

int component(std::string_view name) {
  if (name.size() < 3 || name[name.size() - 2] != '.') return -1;
  switch (name.back()) {
    case 'x':
    case 'r':
      return 0;
    case 'y':
    case 'g':
      return 1;
    case 'z':
    case 'b':
      return 2;
    case 'w':
    case 'a':
      return 3;
    default:
      return -1;
  }
}

void set_register(WrittenOperand& out, const Function& function, uint32_t index) {
  out.kind = WrittenOperand::Kind::reg;
  out.index = index;
  out.type = function.registers[index].type;
}

/// A register of .reg .v4 by itself stands for {x, y, z, w}.
void set_vector(WrittenOperands& all, WrittenOperand& out, const Function& function, const Symbol& symbol) {
  out.kind = WrittenOperand::Kind::vector;
  out.index = static_cast<uint32_t>(all.elements.size());
  out.count = symbol.count;
  for (uint32_t i = 0; i < symbol.count; ++i) {
    WrittenOperand element;
    element.name = out.name;
    element.span = out.span;
    set_register(element, function, symbol.index + i);
    all.elements.push_back(element);
  }
}

/// What a name stands for; unknown names are for the slot to judge: a label may still come.
void look_up(const Reading& reading, const Function& function, WrittenOperands& all, WrittenOperand& out) {
  out.kind = WrittenOperand::Kind::unknown;
  if (out.name == "_") {
    out.kind = WrittenOperand::Kind::sink;
    return;
  }
  if (const std::optional<Symbol> symbol = reading.scopes.find(out.name)) {
    switch (symbol->kind) {
      case Symbol::Kind::reg:
        set_register(out, function, symbol->index);
        return;
      case Symbol::Kind::vector_reg:
        set_vector(all, out, function, *symbol);
        return;
      case Symbol::Kind::variable:
        out.kind = WrittenOperand::Kind::variable;
        out.index = symbol->index;
        return;
      case Symbol::Kind::function:
        out.kind = WrittenOperand::Kind::function;
        out.index = symbol->index;
        return;
      case Symbol::Kind::label:
      case Symbol::Kind::targets:
      case Symbol::Kind::prototype:
        out.kind = WrittenOperand::Kind::symbol;
        out.symbol = *symbol;
        return;
    }
  }
  if (out.name.front() == '%') {
    if (const auto special = special_register_from_text(out.name.substr(1))) {
      out.kind = WrittenOperand::Kind::special;
      out.index = static_cast<uint32_t>(*special);
      out.type = special_register_type(*special);
      return;
    }
  }
  const int which = component(out.name);
  if (which < 0) return;
  const auto base = reading.scopes.find(out.name.substr(0, out.name.size() - 2));
  if (base && base->kind == Symbol::Kind::vector_reg && static_cast<uint32_t>(which) < base->count)
    set_register(out, function, base->index + static_cast<uint32_t>(which));
}

bool read_constant_operand(Reading& reading, WrittenOperand& out) {
  const std::optional<Constant> constant = read_constant(reading);
  if (!constant) return false;
  out.kind = WrittenOperand::Kind::constant;
  out.constant = *constant;
  return true;
}

/// Behind a `+`.
bool read_addend(Reading& reading, int64_t& addend) {
  const Span at = reading.lexer.peek().span();
  const std::optional<Constant> constant = read_constant(reading);
  if (!constant) return false;
  if (constant->kind != Constant::Kind::integer)
    return reading.failed_at(Code::ptx_operand, at, "an offset of an address is an integer");
  addend = static_cast<int64_t>(constant->bits);
  return true;
}

bool is_name(const Token& token) { return token.kind == TokenKind::word && !token.is("WARP_SZ"); }

bool read_address(Reading& reading, const Function& function, WrittenOperands& all, WrittenOperand& out) {
  reading.lexer.take();
  if (is_name(reading.lexer.peek())) {
    const Token token = reading.lexer.take();
    WrittenOperand base;
    base.name = token.text;
    base.span = token.span();
    look_up(reading, function, all, base);
    const bool is_register = base.kind == WrittenOperand::Kind::reg;
    if (!is_register && base.kind != WrittenOperand::Kind::variable) {
      if (base.kind != WrittenOperand::Kind::unknown)
        return reading.failed_at(Code::ptx_operand, base.span,
                                 "an address begins with a register, a variable or a number");
      return reading.failed_at(Code::ptx_unknown_name, base.span,
                               "no register or variable is named " + in_quotes(base.name) + " here");
    }
    out.is_variable = !is_register;
    out.index = base.index;
    out.type = base.type;
    out.name = base.name;
    if (reading.lexer.accept("+") && !read_addend(reading, out.addend)) return false;
  } else if (!read_addend(reading, out.addend)) {
    return false;
  }
  out.kind = WrittenOperand::Kind::address;
  if (reading.lexer.peek().is("-"))
    return reading.failed_at(Code::ptx_syntax, reading.lexer.peek().span(),
                             "an offset is added: write `+ -4` for `- 4`");
  return reading.require("]");
}

bool read_vector(Reading& reading, const Function& function, WrittenOperands& all, WrittenOperand& out) {
  const Token open = reading.lexer.take();
  std::vector<WrittenOperand> elements;
  do {
    WrittenOperand element;
    element.span = reading.lexer.peek().span();
    if (is_name(reading.lexer.peek())) {
      element.name = reading.lexer.take().text;
      look_up(reading, function, all, element);
      if (element.kind == WrittenOperand::Kind::unknown)
        return reading.failed_at(Code::ptx_unknown_name, element.span,
                                 "no register is named " + in_quotes(element.name) + " here");
    } else if (!read_constant_operand(reading, element)) {
      return false;
    }
    elements.push_back(element);
  } while (reading.lexer.accept(",") && elements.size() < kMostElements);
  if (elements.size() >= kMostElements)
    return reading.failed_at(Code::ptx_limit, open.span(), "a vector of more than 255 elements");
  if (!reading.require("}")) return false;
  out.kind = WrittenOperand::Kind::vector;
  out.index = static_cast<uint32_t>(all.elements.size());
  out.count = static_cast<uint32_t>(elements.size());
  all.elements.insert(all.elements.end(), elements.begin(), elements.end());
  return true;
}

}  // namespace

bool read_operand(Reading& reading, const Function& function, WrittenOperands& out) {
  WrittenOperand operand;
  operand.span = reading.lexer.peek().span();
  bool read = true;
  if (reading.lexer.peek().is("[")) {
    read = read_address(reading, function, out, operand);
  } else if (reading.lexer.peek().is("{")) {
    read = read_vector(reading, function, out, operand);
  } else {
    // `!` before a register; before a number it belongs to the expression.
    const bool negated = reading.lexer.peek().is("!") && reading.lexer.next_is_word();
    if (negated) reading.lexer.take();
    operand.negated = negated;
    if (is_name(reading.lexer.peek())) {
      const Token token = reading.lexer.take();
      operand.name = token.text;
      look_up(reading, function, out, operand);
      const bool has_address =
          operand.kind == WrittenOperand::Kind::variable || operand.kind == WrittenOperand::Kind::function;
      if (has_address && reading.lexer.accept("+")) read = read_addend(reading, operand.addend);
    } else {
      const TokenKind kind = reading.lexer.peek().kind;
      if (kind != TokenKind::number && kind != TokenKind::mark && kind != TokenKind::word)
        return reading.expected("an operand");
      read = read_constant_operand(reading, operand);
    }
  }
  operand.span = up_to(operand.span, reading);
  if (read) out.all.push_back(operand);
  return read;
}

bool read_operands(Reading& reading, const Function& function, WrittenOperands& out) {
  if (reading.lexer.peek().is(";")) return true;
  bool is_second = false;
  while (true) {
    if (!read_operand(reading, function, out)) return false;
    out.all.back().is_second = is_second;
    is_second = reading.lexer.accept("|");
    if (!is_second && !reading.lexer.accept(",")) break;
  }
  if (reading.lexer.peek().is(";")) return true;
  return reading.missing("`,` or `;`");
}

}  // namespace fuseboard::ptx
