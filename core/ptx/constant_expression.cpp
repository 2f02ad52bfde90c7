// Reads numbers and constant expressions (PTX ISA, Constants).
// It must not know where they stand.
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>

#include "ptx/reading.h"

namespace fuseboard::ptx {
namespace {

constexpr size_t kMostOperators = 64;

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

/// Digits to a base; empty where one is foreign or 64 bits do not hold it.
std::optional<uint64_t> digits(std::string_view text, uint64_t base) {
  if (text.empty()) return std::nullopt;
  uint64_t value = 0;
  for (const char c : text) {
    const int digit = digit_value(c);
    if (static_cast<uint64_t>(digit) >= base) return std::nullopt;
    if (__builtin_mul_overflow(value, base, &value)) return std::nullopt;
    if (__builtin_add_overflow(value, static_cast<uint64_t>(digit), &value)) return std::nullopt;
  }
  return value;
}

std::optional<Constant> fraction(std::string_view text) {
  constexpr size_t kLongest = 400;  // more digits than a double has
  if (text.size() > kLongest) return std::nullopt;
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (end != copy.c_str() + copy.size()) return std::nullopt;
  return Constant{Constant::Kind::f64, false, __builtin_bit_cast(uint64_t, value)};
}

double as_double(const Constant& constant) {
  if (constant.kind == Constant::Kind::f64) return __builtin_bit_cast(double, constant.bits);
  if (constant.kind == Constant::Kind::f32)
    return static_cast<double>(__builtin_bit_cast(float, static_cast<uint32_t>(constant.bits)));
  return constant.is_unsigned ? static_cast<double>(constant.bits)
                              : static_cast<double>(static_cast<int64_t>(constant.bits));
}

/// An operator that waits for its right side.
struct Operator {
  std::string_view text;  ///< "(", a binary operator, "u-" and the like for unary ones
  int precedence = 0;
};

int precedence_of(std::string_view text) {
  struct Row {
    std::string_view text;
    int precedence;
  };
  constexpr std::array<Row, 18> kRows = {{{"*", 10},
                                          {"/", 10},
                                          {"%", 10},
                                          {"+", 9},
                                          {"-", 9},
                                          {"<<", 8},
                                          {">>", 8},
                                          {"<", 7},
                                          {">", 7},
                                          {"<=", 7},
                                          {">=", 7},
                                          {"==", 6},
                                          {"!=", 6},
                                          {"&", 5},
                                          {"^", 4},
                                          {"|", 3},
                                          {"&&", 2},
                                          {"||", 1}}};
  for (const Row& row : kRows)
    if (row.text == text) return row.precedence;
  return 0;
}

Constant truth(bool value) { return {Constant::Kind::integer, false, value ? uint64_t{1} : uint64_t{0}}; }

std::optional<Constant> apply_unary(std::string_view op, Constant value) {
  const bool is_integer = value.kind == Constant::Kind::integer;
  if (op == "u+") return value;
  if (op == "u-") {
    if (is_integer)
      value.bits = 0 - value.bits;
    else
      value.bits ^= uint64_t{1} << (value.kind == Constant::Kind::f32 ? 31 : 63);
    if (is_integer && value.bits >> 63 != 0) value.is_unsigned = false;
    return value;
  }
  if (!is_integer) return std::nullopt;
  if (op == "u!") return truth(value.bits == 0);
  if (op == "u~") value.bits = ~value.bits;
  if (op == "s64") value.is_unsigned = false;
  if (op == "u64") value.is_unsigned = true;
  return value;
}

std::optional<Constant> apply_real(std::string_view op, double a, double b) {
  double value = 0;
  if (op == "+")
    value = a + b;
  else if (op == "-")
    value = a - b;
  else if (op == "*")
    value = a * b;
  else if (op == "/" && b != 0)
    value = a / b;
  else
    return std::nullopt;
  return Constant{Constant::Kind::f64, false, __builtin_bit_cast(uint64_t, value)};
}

std::optional<Constant> apply_division(bool is_rest, bool is_unsigned, uint64_t a, uint64_t b) {
  if (b == 0) return std::nullopt;
  if (is_unsigned) return Constant{Constant::Kind::integer, true, is_rest ? a % b : a / b};
  if (b == ~uint64_t{0}) return Constant{Constant::Kind::integer, false, is_rest ? 0 : 0 - a};
  const int64_t x = static_cast<int64_t>(a), y = static_cast<int64_t>(b);
  return Constant{Constant::Kind::integer, false, static_cast<uint64_t>(is_rest ? x % y : x / y)};
}

std::optional<Constant> apply_binary(std::string_view op, const Constant& left, const Constant& right) {
  if (left.kind != Constant::Kind::integer || right.kind != Constant::Kind::integer)
    return apply_real(op, as_double(left), as_double(right));
  const uint64_t a = left.bits, b = right.bits;
  const bool is_unsigned = left.is_unsigned || right.is_unsigned;
  const auto less = [&](uint64_t x, uint64_t y) {
    return is_unsigned ? x < y : static_cast<int64_t>(x) < static_cast<int64_t>(y);
  };
  const auto value = [&](uint64_t bits) { return Constant{Constant::Kind::integer, is_unsigned, bits}; };
  if (op == "*") return value(a * b);
  if (op == "/" || op == "%") return apply_division(op == "%", is_unsigned, a, b);
  if (op == "+") return value(a + b);
  if (op == "-") return value(a - b);
  if (op == "<<") return Constant{Constant::Kind::integer, left.is_unsigned, b < 64 ? a << b : 0};
  if (op == ">>") {
    const uint64_t by = b < 63 ? b : 63;
    const uint64_t shifted =
        left.is_unsigned ? (b < 64 ? a >> by : 0) : static_cast<uint64_t>(static_cast<int64_t>(a) >> by);
    return Constant{Constant::Kind::integer, left.is_unsigned, shifted};
  }
  if (op == "<") return truth(less(a, b));
  if (op == ">") return truth(less(b, a));
  if (op == "<=") return truth(!less(b, a));
  if (op == ">=") return truth(!less(a, b));
  if (op == "==") return truth(a == b);
  if (op == "!=") return truth(a != b);
  if (op == "&") return value(a & b);
  if (op == "^") return value(a ^ b);
  if (op == "|") return value(a | b);
  if (op == "&&") return truth(a != 0 && b != 0);
  return truth(a != 0 || b != 0);
}

/// The two stacks of an expression that is being read.
class Expression {
 public:
  explicit Expression(Reading& reading) : reading_(reading) {}

  bool push(std::string_view op, int precedence) {
    if (operators_.size() >= kMostOperators) {
      return reading_.failed_at(Code::ptx_limit, reading_.lexer.peek().span(),
                                "the constant expression has more than 64 open operators");
    }
    operators_.push_back({op, precedence});
    return true;
  }
  void push_value(const Constant& value) { values_.push_back(value); }
  bool has_open() const { return open_ > 0; }
  bool open() {
    ++open_;
    return push("(", 0);
  }
  bool close() {
    if (!reduce(1)) return false;
    operators_.pop_back();
    --open_;
    return true;
  }
  /// Applies every operator on top that binds at least as tightly.
  bool reduce(int precedence) {
    while (!operators_.empty() && operators_.back().precedence >= precedence) {
      const Operator op = operators_.back();
      operators_.pop_back();
      const Constant right = values_.back();
      values_.pop_back();
      std::optional<Constant> result;
      if (op.precedence == kUnary) {
        result = apply_unary(op.text, right);
      } else {
        result = apply_binary(op.text, values_.back(), right);
        values_.pop_back();
      }
      if (!result) {
        return reading_.failed_at(
            Code::ptx_syntax, reading_.lexer.peek().span(),
            "the constant expression before this has no value: a division by zero, or an "
            "operator that does not take fractions");
      }
      values_.push_back(*result);
    }
    return true;
  }
  Constant value() const { return values_.back(); }

  static constexpr int kUnary = 11;

 private:
  Reading& reading_;
  std::vector<Constant> values_;
  std::vector<Operator> operators_;
  size_t open_ = 0;
};

/// What may stand before a number: signs, casts and brackets; then the number.
bool read_left(Reading& reading, Expression& expression) {
  while (true) {
    const Token token = reading.lexer.peek();
    if (token.kind == TokenKind::number) {
      const std::optional<Constant> value = number_from_text(token.text);
      if (!value) {
        return reading.failed_at(Code::ptx_syntax, token.span(), "this is no number that 64 bits hold",
                                 "write 12, 0x1f, 0b101, 017, 1.5, 0f3F800000 or 0d3FF0000000000000");
      }
      reading.lexer.take();
      expression.push_value(*value);
      return true;
    }
    if (reading.lexer.accept("WARP_SZ")) {
      expression.push_value({Constant::Kind::integer, false, 32});
      return true;
    }
    bool pushed = true;
    if (reading.lexer.accept("(")) {
      const bool is_signed = reading.lexer.peek().is(".s64");
      if (is_signed || reading.lexer.peek().is(".u64")) {
        reading.lexer.take();
        pushed = reading.require(")") && expression.push(is_signed ? "s64" : "u64", Expression::kUnary);
      } else {
        pushed = expression.open();
      }
    } else if (reading.lexer.accept("-")) {
      pushed = expression.push("u-", Expression::kUnary);
    } else if (reading.lexer.accept("+")) {
      pushed = expression.push("u+", Expression::kUnary);
    } else if (reading.lexer.accept("!")) {
      pushed = expression.push("u!", Expression::kUnary);
    } else if (reading.lexer.accept("~")) {
      pushed = expression.push("u~", Expression::kUnary);
    } else {
      return reading.expected("a number");
    }
    if (!pushed) return false;
  }
}

}  // namespace

std::optional<Constant> number_from_text(std::string_view text) {
  const char prefix = text.size() > 1 && text[0] == '0' ? text[1] : '\0';
  if ((prefix == 'f' || prefix == 'F') && text.size() == 10) {
    const auto bits = digits(text.substr(2), 16);
    return bits ? std::optional(Constant{Constant::Kind::f32, false, *bits}) : std::nullopt;
  }
  if ((prefix == 'd' || prefix == 'D') && text.size() == 18) {
    const auto bits = digits(text.substr(2), 16);
    return bits ? std::optional(Constant{Constant::Kind::f64, false, *bits}) : std::nullopt;
  }
  const bool is_hex = prefix == 'x' || prefix == 'X';
  if (!is_hex && text.find_first_of(".eE") != std::string_view::npos) return fraction(text);
  Constant constant;
  if (text.ends_with('U') || text.ends_with('u')) {
    constant.is_unsigned = true;
    text.remove_suffix(1);
  }
  const bool is_binary = prefix == 'b' || prefix == 'B';
  const bool is_octal = text.size() > 1 && text[0] == '0' && !is_hex && !is_binary;
  if (is_hex || is_binary) text.remove_prefix(2);
  const auto bits = digits(text, is_hex ? 16 : is_binary ? 2 : is_octal ? 8 : 10);
  if (!bits) return std::nullopt;
  constant.bits = *bits;
  constant.is_unsigned = constant.is_unsigned || *bits >> 63 != 0;
  return constant;
}

std::optional<Constant> read_constant(Reading& reading) {
  Expression expression(reading);
  while (true) {
    if (!read_left(reading, expression)) return std::nullopt;
    while (expression.has_open() && reading.lexer.peek().is(")")) {
      reading.lexer.take();
      if (!expression.close()) return std::nullopt;
    }
    const std::string_view op = reading.lexer.peek().text;
    const int precedence = reading.lexer.peek().kind == TokenKind::mark ? precedence_of(op) : 0;
    if (precedence == 0) break;
    if (!expression.reduce(precedence) || !expression.push(op, precedence)) return std::nullopt;
    reading.lexer.take();
  }
  if (expression.has_open()) {
    reading.expected("`)`");
    return std::nullopt;
  }
  if (!expression.reduce(1)) return std::nullopt;
  return expression.value();
}

std::optional<int64_t> constant_as(const Constant& constant, Type type) {
  const bool is_integer = constant.kind == Constant::Kind::integer;
  const uint32_t bits = type_bits(type);
  if (type == Type::f32 && !is_integer) {
    if (constant.kind == Constant::Kind::f32) return static_cast<int64_t>(constant.bits);
    const float rounded = static_cast<float>(as_double(constant));
    return static_cast<int64_t>(__builtin_bit_cast(uint32_t, rounded));
  }
  if (type == Type::f64 && !is_integer) {
    if (constant.kind == Constant::Kind::f64) return static_cast<int64_t>(constant.bits);
    return static_cast<int64_t>(__builtin_bit_cast(uint64_t, as_double(constant)));
  }
  const TypeClass of = type_class(type);
  if (of == TypeClass::Float || of == TypeClass::Packed || of == TypeClass::None) return std::nullopt;
  if (!is_integer) {
    const uint32_t literal = constant.kind == Constant::Kind::f32 ? 32 : 64;
    if (of != TypeClass::Bits || bits != literal) return std::nullopt;
    return static_cast<int64_t>(constant.bits);
  }
  if (type == Type::pred) return constant.bits != 0 ? 1 : 0;
  if (bits >= 64) return static_cast<int64_t>(constant.bits);
  const uint64_t low = constant.bits << (64 - bits);
  return of == TypeClass::Unsigned ? static_cast<int64_t>(low >> (64 - bits))
                                   : static_cast<int64_t>(low) >> (64 - bits);
}

}  // namespace fuseboard::ptx
