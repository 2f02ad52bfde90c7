// Reads declarations of registers, variables and parameters, with their initialisers.
// It must not know instructions.
#include <algorithm>
#include <array>
#include <utility>

#include "base/checked.h"
#include "base/in_quotes.h"
#include "ptx/reading.h"

namespace fuseboard::ptx {
namespace {

constexpr uint64_t kMostAlign = 1 << 20;
constexpr size_t kMostDimensions = 16;
constexpr uint64_t kMostNameBytes = uint64_t{1} << 24;  ///< of one declaration's registers

std::optional<Type> read_type(Reading& reading) {
  const Token token = reading.lexer.peek();
  if (token.kind == TokenKind::directive) {
    const std::optional<Type> type = type_from_text(token.text.substr(1));
    if (type && type_bits(*type) >= 1 && *type != Type::b1) {
      reading.lexer.take();
      return type;
    }
  }
  reading.expected("a type such as .b32");
  return std::nullopt;
}

/// .v2 or .v4 before the type.
uint32_t read_vector_width(Reading& reading) {
  if (reading.lexer.accept(".v2")) return 2;
  return reading.lexer.accept(".v4") ? 4 : 1;
}

bool read_align(Reading& reading, uint32_t& align) {
  const Span span = reading.lexer.peek().span();
  const std::optional<uint64_t> value = reading.require_number("an alignment", kMostAlign);
  if (!value) return false;
  if (*value == 0 || (*value & (*value - 1)) != 0)
    return reading.failed_at(Code::ptx_syntax, span, "an alignment is a power of two");
  align = static_cast<uint32_t>(*value);
  return true;
}

bool duplicate(Reading& reading, const Token& name) {
  return reading.failed_at(Code::ptx_duplicate_name, name.span(),
                           in_quotes(name.text) + " is declared twice in this scope");
}

/// What a declaration says before its names.
struct Shape {
  Type type{};
  uint32_t align = 0;  ///< 0: the natural one
  uint32_t vector = 1;
};

/// .align N, .v4, .ptr .global .align N, the type, in any order that ptxas takes.
bool read_shape(Reading& reading, Shape& shape) {
  while (true) {
    const Token token = reading.lexer.peek();
    if (reading.lexer.accept(".align")) {
      if (!read_align(reading, shape.align)) return false;
    } else if (token.is(".attribute")) {
      reading.lexer.take();
      if (!reading.require("(")) return false;
      while (!reading.lexer.peek().is(")") && reading.lexer.peek().kind != TokenKind::end)
        reading.lexer.take();
      if (!reading.require(")")) return false;
    } else if (token.is(".v2") || token.is(".v4")) {
      shape.vector = read_vector_width(reading);
    } else {
      break;
    }
  }
  const std::optional<Type> type = read_type(reading);
  if (!type) return false;
  shape.type = *type;
  return true;
}

/// [4][3] behind a name; `bytes` becomes the whole's. An empty [] is 0.
bool read_dimensions(Reading& reading, Variable& variable, std::vector<uint64_t>& dimensions) {
  uint64_t bytes = variable.bytes;
  while (reading.lexer.peek().is("[")) {
    const Span span = reading.lexer.take().span();
    uint64_t count = 0;
    if (!reading.lexer.peek().is("]")) {
      const std::optional<uint64_t> value =
          reading.require_number("a number of elements", kMostVariableBytes);
      if (!value) return false;
      count = *value;
    }
    if (!reading.require("]")) return false;
    bytes = checked_mul(bytes, count).value_or(kMostVariableBytes + 1);
    if (bytes > kMostVariableBytes || dimensions.size() >= kMostDimensions)
      return reading.failed_at(Code::ptx_limit, span, "a variable has at most 2^32 bytes and 16 dimensions");
    dimensions.push_back(count);
  }
  variable.bytes = bytes;
  return true;
}

/// A value of an initialiser: a number, or an address with its addend, perhaps in generic( ) or 0xff( ).
class Initialiser {
 public:
  Initialiser(Reading& reading, Variable& variable, uint32_t element)
      : reading_(reading), variable_(variable), element_(element) {}

  /// Behind the `=`. Braces nest as the dimensions do; what they leave out is zero.
  bool read(const std::vector<uint64_t>& dimensions) {
    if (reading_.lexer.peek().kind == TokenKind::string) return read_string();
    if (!reading_.lexer.peek().is("{")) return read_value();
    std::vector<uint64_t> begin;  // of each open brace: where its part of the variable begins
    std::vector<uint64_t> size;   // and its bytes
    uint64_t inner = variable_.bytes;
    while (true) {
      if (reading_.lexer.peek().is("{")) {
        const Span span = reading_.lexer.take().span();
        if (begin.size() >= std::max<size_t>(dimensions.size(), 1))
          return reading_.failed_at(Code::ptx_syntax, span, "there are more braces than dimensions");
        if (!begin.empty() && dimensions[begin.size() - 1] != 0)
          inner = size.back() / dimensions[begin.size() - 1];
        begin.push_back(offset_);
        size.push_back(begin.size() == 1 ? variable_.bytes : inner);
        if (!reading_.lexer.peek().is("}")) continue;
      } else if (reading_.lexer.peek().kind == TokenKind::string) {
        if (!read_string()) return false;
      } else if (!read_value()) {
        return false;
      }
      while (reading_.lexer.accept("}")) {
        if (size.size() > 1) offset_ = begin.back() + size.back();
        begin.pop_back();
        size.pop_back();
        if (begin.empty()) return true;
      }
      if (!reading_.lexer.accept(",")) return reading_.expected("`,` or `}`");
    }
  }

 private:
  /// Room in the variable, and in what all initial values of a module may take: {{}, {1}} skips bytes
  /// unwritten.
  bool room(Span span, uint64_t bytes) {
    const uint64_t end = offset_ + bytes;
    if (variable_.bytes != 0 && end > variable_.bytes)
      return reading_.failed_at(Code::ptx_syntax, span, "there are more values than the variable holds");
    if (end > variable_.initial.size()) reading_.initial_bytes += end - variable_.initial.size();
    if (reading_.initial_bytes <= kMostInitialBytes) return true;
    return reading_.failed_at(Code::ptx_limit, span,
                              "the initial values of a module have at most 2^26 bytes");
  }

  void put(uint64_t bits, uint32_t bytes) {
    if (variable_.initial.size() < offset_ + bytes) variable_.initial.resize(offset_ + bytes);
    for (uint32_t i = 0; i < bytes; ++i)
      variable_.initial[offset_ + i] = static_cast<uint8_t>(i < 8 ? bits >> (8 * i) : 0);
    offset_ += bytes;
  }

  bool read_string() {
    const Token token = reading_.lexer.take();
    if (element_ != 1)
      return reading_.failed_at(Code::ptx_syntax, token.span(), "a string initialises bytes");
    if (!room(token.span(), token.text.size() - 2)) return false;
    for (const char c : token.text.substr(1, token.text.size() - 2)) put(static_cast<uint8_t>(c), 1);
    return true;
  }

  bool read_value() {
    const Token token = reading_.lexer.peek();
    if (token.kind == TokenKind::word && !token.is("WARP_SZ")) return read_pointer(0, element_);
    const std::optional<Constant> constant = read_constant(reading_);
    if (!constant) return false;
    if (constant->kind == Constant::Kind::integer && reading_.lexer.accept("("))
      return read_masked(*constant, token);
    const Type type = variable_.type;
    const bool is_whole_float =
        (type == Type::f32 || type == Type::f64) && constant->kind == Constant::Kind::integer;
    const std::optional<int64_t> bits =
        is_whole_float ? std::optional<int64_t>() : constant_as(*constant, type);
    if (!bits) {
      return reading_.failed_at(Code::ptx_operand, token.span(),
                                "a value of type ." + std::string(type_text(type)) + " is not written so");
    }
    if (!room(token.span(), element_)) return false;
    put(static_cast<uint64_t>(*bits), element_);
    return true;
  }

  /// 0xff00(address): one byte of it.
  bool read_masked(const Constant& mask, const Token& token) {
    uint32_t shift = 0;
    while (shift < 64 && mask.bits >> shift != 0xff) shift += 8;
    if (shift >= 64 || element_ != 1)
      return reading_.failed_at(Code::ptx_syntax, token.span(),
                                "a mask of an address chooses one of its bytes");
    return read_pointer(shift, 1) && reading_.require(")");
  }

  bool read_pointer(uint32_t shift, uint32_t bytes) {
    const Span span = reading_.lexer.peek().span();
    const bool is_generic = reading_.lexer.accept("generic");
    if (is_generic && !reading_.require("(")) return false;
    const std::optional<Token> name = reading_.require_name("a variable");
    if (!name) return false;
    const std::optional<Symbol> symbol = reading_.scopes.find(name->text);
    const bool is_function = symbol && symbol->kind == Symbol::Kind::function;
    if (!is_function && !(symbol && symbol->kind == Symbol::Kind::variable)) {
      return reading_.failed_at(
          Code::ptx_unknown_name, name->span(),
          "no variable or function is named " + in_quotes(name->text) + " before this place");
    }
    if (is_generic && !reading_.require(")")) return false;
    Variable::Pointer pointer;
    pointer.offset = offset_;
    pointer.variable = symbol->index;
    pointer.is_function = is_function;
    pointer.shift = static_cast<uint8_t>(shift);
    pointer.bytes = static_cast<uint8_t>(std::min<uint32_t>(bytes, 8));
    if (reading_.lexer.peek().is("+") || reading_.lexer.peek().is("-")) {
      const std::optional<Constant> addend = read_constant(reading_);
      if (!addend) return false;
      pointer.addend = static_cast<int64_t>(addend->bits);
    }
    if (!room(span, bytes)) return false;
    put(0, bytes);
    variable_.pointers.push_back(pointer);
    return true;
  }

  Reading& reading_;
  Variable& variable_;
  uint32_t element_;  ///< bytes
  uint64_t offset_ = 0;
};

/// The name and what follows it: dimensions and an initialiser.
bool read_declarator(Reading& reading, StateSpace space, const Shape& shape, Variable& out, Token& name) {
  const std::optional<Token> taken = reading.require_name("a name");
  if (!taken) return false;
  name = *taken;
  const uint32_t element = std::max<uint32_t>(type_bits(shape.type) / 8, 1);
  out.name = name.text;
  out.space = space;
  out.type = shape.type;
  out.line = name.line;
  out.bytes = uint64_t{element} * shape.vector;
  out.align = shape.align != 0 ? shape.align : static_cast<uint32_t>(out.bytes);
  std::vector<uint64_t> dimensions;
  if (!read_dimensions(reading, out, dimensions)) return false;
  if (shape.vector > 1) dimensions.push_back(shape.vector);
  if (!reading.lexer.peek().is("=")) return true;
  const Span at = reading.lexer.take().span();
  if (space != StateSpace::global && space != StateSpace::constant)
    return reading.failed_at(Code::ptx_syntax, at, "only global and constant variables have initial values");
  if (!Initialiser(reading, out, element).read(dimensions)) return false;
  const bool is_sized_by_values = out.bytes == 0 && !dimensions.empty() && dimensions[0] == 0;
  if (is_sized_by_values) out.bytes = out.initial.size();
  return true;
}

bool declare_registers(Reading& reading, Function& function, const Shape& shape) {
  const std::optional<Token> name = reading.require_name("a register's name");
  if (!name) return false;
  uint64_t count = 1;
  const bool is_range = reading.lexer.accept("<");
  if (is_range) {
    const Token number = reading.lexer.peek();
    const std::optional<uint64_t> value = reading.require_count(kMostFunctionRegisters);
    if (!value || !reading.require(">")) return false;
    count = *value;
    if (count == 0) return reading.failed_at(Code::ptx_syntax, number.span(), "a range of no registers");
  }
  const uint64_t added = count * shape.vector;
  reading.registers += added;
  if (function.registers.size() + added > kMostFunctionRegisters || reading.registers > kMostRegisters) {
    return reading.failed_at(Code::ptx_limit, name->span(),
                             "a function has at most 262144 registers, and a module 1048576");
  }
  if (name->text.size() * added > kMostNameBytes)
    return reading.failed_at(Code::ptx_limit, name->span(), "the names of a range have at most 2^24 bytes");
  if (is_range && shape.vector > 1)
    return reading.failed_at(Code::ptx_syntax, name->span(), "a range of vector registers is not read here");
  const auto first = static_cast<uint32_t>(function.registers.size());
  const std::string text(name->text);
  constexpr std::array<const char*, 4> kComponents = {".x", ".y", ".z", ".w"};
  for (uint64_t i = 0; i < added; ++i)
    function.registers.push_back({is_range           ? text + std::to_string(i)
                                  : shape.vector > 1 ? text + kComponents[i]
                                                     : text,
                                  shape.type});
  const bool is_new = is_range
                          ? reading.scopes.declare_range(name->text, first, static_cast<uint32_t>(count))
                          : reading.scopes.declare(
                                name->text, {shape.vector > 1 ? Symbol::Kind::vector_reg : Symbol::Kind::reg,
                                             first, shape.vector, 0});
  return is_new || duplicate(reading, *name);
}

}  // namespace

bool read_register_declaration(Reading& reading, Function& function) {
  Shape shape;
  if (!read_shape(reading, shape)) return false;
  do {
    if (!declare_registers(reading, function, shape)) return false;
  } while (reading.lexer.accept(","));
  return reading.require(";");
}

bool read_variable(Reading& reading, StateSpace space, bool is_extern, bool in_body) {
  Shape shape;
  if (!read_shape(reading, shape)) return false;
  do {
    Variable variable;
    Token name;
    variable.is_extern = is_extern;
    if (!read_declarator(reading, space, shape, variable, name)) return false;
    variable.in_frame = in_body && space == StateSpace::param;
    if (in_body) variable.function = reading.open_function;
    const auto index = static_cast<uint32_t>(reading.module.variables.size());
    const std::optional<Symbol> before = reading.scopes.find(name.text);
    const bool completes = before && before->kind == Symbol::Kind::variable && !in_body &&
                           reading.module.variables[before->index].is_extern;
    if (completes) {
      reading.module.variables[before->index] = std::move(variable);
      continue;
    }
    if (!reading.scopes.declare(name.text, {Symbol::Kind::variable, index, 1, 0}))
      return duplicate(reading, name);
    reading.module.variables.push_back(std::move(variable));
  } while (reading.lexer.accept(","));
  return reading.require(";");
}

std::optional<uint32_t> read_parameter(Reading& reading) {
  if (reading.lexer.peek().is(".reg")) {
    reading.problems.add(Code::ptx_syntax, reading.lexer.peek().span(),
                         "parameters in registers are not read here: write .param");
    return std::nullopt;
  }
  if (!reading.require(".param")) return std::nullopt;
  Shape shape;
  if (!read_shape(reading, shape)) return std::nullopt;
  // .ptr and what it points to: nothing that a run needs.
  if (reading.lexer.accept(".ptr")) {
    while (reading.lexer.peek().kind == TokenKind::directive) {
      uint32_t align = 0;
      if (reading.lexer.take().is(".align") && !read_align(reading, align)) return std::nullopt;
    }
  }
  Variable variable;
  Token name;
  if (!read_declarator(reading, StateSpace::param, shape, variable, name)) return std::nullopt;
  variable.function = reading.open_function;
  const auto index = static_cast<uint32_t>(reading.module.variables.size());
  if (!name.is("_") && !reading.scopes.declare(name.text, {Symbol::Kind::variable, index, 1, 0})) {
    duplicate(reading, name);
    return std::nullopt;
  }
  reading.module.variables.push_back(std::move(variable));
  return index;
}

}  // namespace fuseboard::ptx
