// What every part of the reader does with a token that is not the wanted one.
// It must not know what is read.
#include "ptx/reading.h"

#include "base/in_quotes.h"

namespace fuseboard::ptx {

namespace {

std::string expected_text(const Token& token, std::string_view what) {
  std::string message = "expected ";
  message.append(what).append(", not ");
  if (token.kind == TokenKind::end)
    message += "the end of the text";
  else
    message += in_quotes(token.text);
  return message;
}

}  // namespace

bool Reading::expected(std::string_view what) {
  return failed_at(Code::ptx_syntax, lexer.peek().span(), expected_text(lexer.peek(), what));
}

bool Reading::missing(std::string_view what) {
  if (lexer.peek().line == lexer.last_line() || lexer.last_end() == 0) return expected(what);
  std::string message = "expected ";
  message.append(what).append(" behind this");
  return failed_at(Code::ptx_syntax, {lexer.last_end() - 1, 1}, std::move(message));
}

bool Reading::require(std::string_view mark) {
  if (lexer.accept(mark)) return true;
  std::string what = "`";
  what.append(mark).append("`");
  return mark == ";" ? missing(what) : expected(what);
}

std::optional<Token> Reading::require_name(std::string_view what) {
  if (lexer.peek().kind == TokenKind::word) return lexer.take();
  expected(what);
  return std::nullopt;
}

std::optional<uint64_t> Reading::require_number(std::string_view what, uint64_t most) {
  const Span span = lexer.peek().span();
  const std::optional<Constant> constant = read_constant(*this);
  if (!constant) return std::nullopt;
  const bool is_negative = !constant->is_unsigned && constant->bits >> 63 != 0;
  if (constant->kind == Constant::Kind::integer && !is_negative && constant->bits <= most)
    return constant->bits;
  std::string message(what);
  message.append(" is an integer from 0 to ").append(std::to_string(most));
  failed_at(Code::ptx_limit, span, std::move(message));
  return std::nullopt;
}

std::optional<uint64_t> Reading::require_count(uint64_t most) {
  const Token token = lexer.peek();
  if (token.kind != TokenKind::number) {
    expected("a number");
    return std::nullopt;
  }
  lexer.take();
  const std::optional<Constant> constant = number_from_text(token.text);
  if (constant && constant->kind == Constant::Kind::integer && constant->bits <= most) return constant->bits;
  failed_at(Code::ptx_limit, token.span(), "expected an integer up to " + std::to_string(most));
  return std::nullopt;
}

void Reading::skip_statement() {
  while (lexer.peek().kind != TokenKind::end) {
    // The end of a vector, in whose middle the error stood, or that of a scope?
    if (lexer.peek().is("}") && !lexer.followed_by(',') && !lexer.followed_by(';')) return;
    if (lexer.peek().is("{")) {
      if (!lexer.block_is_vector()) return;
      while (!lexer.peek().is("}")) lexer.take();
    }
    if (lexer.take().is(";")) return;
  }
}

}  // namespace fuseboard::ptx
