// Cuts PTX text into tokens (PTX ISA, Syntax).
// It must not know directives nor instructions.
#include "ptx/lexer.h"

namespace fuseboard::ptx {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// What may follow in an identifier.
bool is_follow(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; }

bool is_mark(char c) {
  return std::string_view("()[]{}<>,;:=+-*/|&^!~@?%").find(c) != std::string_view::npos;
}

bool is_double_mark(char first, char second) {
  if (second == '=') return first == '<' || first == '>' || first == '=' || first == '!';
  return first == second && (first == '<' || first == '>' || first == '&' || first == '|');
}

}  // namespace

Lexer::Lexer(std::string_view text) : text_(text) { read(); }

void Lexer::skip_blanks() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '\n') {
      ++line_;
      line_start_ = ++position_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++position_;
    } else if (c == '/' && at(position_ + 1) == '/') {
      while (position_ < text_.size() && text_[position_] != '\n') ++position_;
    } else if (c == '/' && at(position_ + 1) == '*') {
      position_ += 2;
      while (position_ < text_.size() && !(text_[position_] == '*' && at(position_ + 1) == '/')) {
        if (text_[position_] == '\n') {
          ++line_;
          line_start_ = position_ + 1;
        }
        ++position_;
      }
      position_ = position_ + 2 < text_.size() ? position_ + 2 : static_cast<uint32_t>(text_.size());
    } else {
      return;
    }
  }
}

/// Words hold dots (add.s32) and double colons (L2::evict_last) where a letter or digit follows.
uint32_t Lexer::word_end(uint32_t position) const {
  while (true) {
    const char c = at(position);
    if (is_follow(c))
      ++position;
    else if (c == '.' && is_follow(at(position + 1)))
      position += 2;
    else if (c == ':' && at(position + 1) == ':' && is_follow(at(position + 2)))
      position += 3;
    else
      return position;
  }
}

/// Decimal fractions with a signed exponent too; what is no number is for whoever reads its value.
uint32_t Lexer::number_end(uint32_t position) const {
  const bool is_prefixed = at(position) == '0' && is_letter(at(position + 1)) && at(position + 1) != 'e' &&
                           at(position + 1) != 'E';
  while (true) {
    const char c = at(position);
    if (!is_letter(c) && !is_digit(c) && c != '.' && c != '_') return position;
    ++position;
    const bool is_exponent = !is_prefixed && (c == 'e' || c == 'E');
    if (is_exponent && (at(position) == '+' || at(position) == '-')) ++position;
  }
}

void Lexer::read() {
  skip_blanks();
  const uint32_t start = position_;
  const char c = at(start);
  const char next = at(start + 1);
  TokenKind kind = TokenKind::end;
  if (start < text_.size()) {
    if (is_letter(c) || c == '_' || c == '$' || (c == '%' && (is_follow(next) && !is_digit(next)))) {
      kind = TokenKind::word;
      position_ = word_end(start + 1);
    } else if (c == '.' && (is_letter(next) || next == '_')) {
      kind = TokenKind::directive;
      ++position_;
      while (is_follow(at(position_))) ++position_;
      if (at(position_) == ':' && at(position_ + 1) == ':' && is_letter(at(position_ + 2))) {
        position_ += 2;
        while (is_follow(at(position_))) ++position_;
      }
    } else if (is_digit(c)) {
      kind = TokenKind::number;
      position_ = number_end(start);
    } else if (c == '"') {
      kind = TokenKind::string;
      ++position_;
      while (position_ < text_.size() && text_[position_] != '"' && text_[position_] != '\n')
        position_ +=
            text_[position_] == '\\' && at(position_ + 1) != '\n' && position_ + 1 < text_.size() ? 2 : 1;
      if (at(position_) == '"')
        ++position_;
      else
        kind = TokenKind::foreign;
    } else if (is_mark(c)) {
      kind = TokenKind::mark;
      position_ += is_double_mark(c, next) ? 2 : 1;
    } else {
      kind = TokenKind::foreign;
      ++position_;
      while (position_ < text_.size() && (static_cast<uint8_t>(text_[position_]) & 0xc0) == 0x80) ++position_;
    }
  }
  token_ = {kind, text_.substr(start, position_ - start), start, line_, start - line_start_ + 1};
}

bool Lexer::next_is_word() const {
  return at(position_) == '%' || at(position_) == '_' || at(position_) == '$' || is_letter(at(position_));
}

bool Lexer::followed_by(char c) const {
  uint32_t position = position_;
  while (at(position) == ' ' || at(position) == '\t' || at(position) == '\n' || at(position) == '\r')
    ++position;
  return at(position) == c;
}

bool Lexer::block_is_vector() const {
  Lexer ahead = *this;
  while (ahead.token_.kind != TokenKind::end && !ahead.token_.is(";")) {
    if (ahead.token_.is("}")) return true;
    ahead.read();
  }
  return false;
}

Token Lexer::take() {
  const Token taken = token_;
  last_end_ = position_;
  last_line_ = taken.line;
  read();
  return taken;
}

bool Lexer::accept(std::string_view wanted) {
  if (!token_.is(wanted)) return false;
  take();
  return true;
}

bool Lexer::skip_block() {
  uint32_t open = 1;
  while (token_.kind != TokenKind::end) {
    if (token_.is("{")) ++open;
    if (token_.is("}") && --open == 0) {
      read();
      return true;
    }
    read();
  }
  return false;
}

}  // namespace fuseboard::ptx
