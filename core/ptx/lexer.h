// The tokens of PTX text: words, numbers, strings and marks, with their lines.
// It must not know directives nor instructions.
#pragma once

#include <cstdint>
#include <string_view>

#include "ptx/problems.h"

namespace fuseboard::ptx {

enum class TokenKind : uint8_t {
  word,       ///< add.s32, %tid.x, $L__BB0_1, _
  directive,  ///< .reg; ends before the next dot
  number,
  string,   ///< with its quotes
  mark,     ///< one character, or one of << >> <= >= == != && ||
  foreign,  ///< a character that no PTX text has
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  uint32_t offset = 0;
  uint32_t line = 1;
  uint32_t column = 1;  ///< in bytes

  bool is(std::string_view wanted) const { return text == wanted && kind != TokenKind::string; }
  Span span() const { return {offset, static_cast<uint32_t>(text.size())}; }
};

/// Blanks and both kinds of comments are skipped. The text must outlive it, and be under 4 GiB. All in linear
/// time.
class Lexer {
 public:
  explicit Lexer(std::string_view text);

  const Token& peek() const { return token_; }
  Token take();
  uint32_t last_end() const { return last_end_; }    ///< where the token that was taken last ended
  uint32_t last_line() const { return last_line_; }  ///< and on which line it began
  /// Whether a word follows right behind the next token.
  bool next_is_word() const;
  /// Whether `c` is the next thing but blanks behind the next token.
  bool followed_by(char c) const;
  /// With a `{` next: whether its `}` comes before any `;`.
  bool block_is_vector() const;
  /// Takes the token when it is `wanted`.
  bool accept(std::string_view wanted);
  /// Past the next `}` that closes an open `{`, where the next token is just behind that `{`; false at the
  /// end of the text. What stands between need not be PTX.
  bool skip_block();

 private:
  void skip_blanks();
  void read();
  uint32_t word_end(uint32_t position) const;
  uint32_t number_end(uint32_t position) const;
  char at(uint32_t position) const { return position < text_.size() ? text_[position] : '\0'; }

  std::string_view text_;
  uint32_t position_ = 0;
  uint32_t line_ = 1;
  uint32_t line_start_ = 0;
  uint32_t last_end_ = 0;
  uint32_t last_line_ = 1;
  Token token_;
};

}  // namespace fuseboard::ptx
