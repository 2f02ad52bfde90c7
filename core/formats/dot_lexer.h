// The tokens of Graphviz's DOT language.
// It must not know what a graph is.
#pragma once

#include <cstdint>
#include <string_view>

namespace fuseboard {

struct DotToken {
  enum class Kind : uint8_t {
    end,
    word,          ///< a bare identifier, a keyword or a numeral
    quoted,        ///< "..."
    html,          ///< <...>
    mark,          ///< one of { } [ ] = ; , : +
    arrow,         ///< -> or --
    unterminated,  ///< a quoted text, an HTML text, a comment or an arrow that the end of the text cuts off
    unknown,       ///< a byte that begins no token
  };
  Kind kind = Kind::end;
  uint32_t offset = 0;
  uint32_t length = 0;    ///< with its quotes
  std::string_view text;  ///< without its quotes, escapes as written

  bool is(char mark) const { return kind == Kind::mark && text[0] == mark; }
  /// A keyword, whose case DOT ignores; `word` in lower case.
  bool is_keyword(std::string_view word) const;
  /// What DOT calls an ID.
  bool is_name() const { return kind == Kind::word || kind == Kind::quoted || kind == Kind::html; }
};

/// Blanks, comments (//, /* */) and lines that begin with # are passed over, as is a byte order mark. A
/// backslash in quotes keeps the byte behind it from ending them. No token is read twice: O(text) in all.
class DotLexer {
 public:
  /// The text must be shorter than 4 GiB, and outlive the tokens.
  explicit DotLexer(std::string_view text);

  DotToken next();

 private:
  bool pass_separators();  ///< false where a comment is cut off, which then begins at at_
  DotToken token(DotToken::Kind kind, size_t length, size_t quotes);
  DotToken quoted();
  DotToken html();

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace fuseboard
