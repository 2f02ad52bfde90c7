// Bytes to tokens, from the front to the end.
// It must not know what a graph is.
#include "formats/dot_lexer.h"

#include <algorithm>

namespace fuseboard {
namespace {

using Kind = DotToken::Kind;

bool is_blank(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }
bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }
char lower(char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte; }

/// Letters, digits, underscores, points and all that is not ASCII: more than DOT's bare names, never less.
bool is_of_word(char byte) {
  return is_digit(byte) || (lower(byte) >= 'a' && lower(byte) <= 'z') || byte == '_' || byte == '.' ||
         static_cast<unsigned char>(byte) >= 0x80;
}

}  // namespace

bool DotToken::is_keyword(std::string_view word) const {
  return kind == Kind::word && std::equal(text.begin(), text.end(), word.begin(), word.end(),
                                          [](char a, char b) { return lower(a) == b; });
}

DotLexer::DotLexer(std::string_view text) : text_(text) {
  if (text.starts_with("\xef\xbb\xbf")) at_ = 3;
}

bool DotLexer::pass_separators() {
  for (;;) {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    const std::string_view rest = text_.substr(at_);
    const bool is_line_start = at_ == 0 || text_[at_ - 1] == '\n';
    if (rest.starts_with("//") || (rest.starts_with('#') && is_line_start)) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (rest.starts_with("/*")) {
      const size_t close = text_.find("*/", at_ + 2);
      if (close == std::string_view::npos) return false;
      at_ = close + 2;
    } else {
      return true;
    }
  }
}

DotToken DotLexer::token(Kind kind, size_t length, size_t quotes) {
  const std::string_view inside = text_.substr(at_ + quotes, length - 2 * quotes);
  const DotToken made{kind, static_cast<uint32_t>(at_), static_cast<uint32_t>(length), inside};
  at_ += length;
  return made;
}

DotToken DotLexer::quoted() {
  size_t end = at_ + 1;
  while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
  if (end >= text_.size()) return token(Kind::unterminated, text_.size() - at_, 0);
  return token(Kind::quoted, end + 1 - at_, 1);
}

DotToken DotLexer::html() {
  uint64_t depth = 0;
  for (size_t end = at_; end < text_.size(); ++end) {
    if (text_[end] == '<') ++depth;
    if (text_[end] == '>' && --depth == 0) return token(Kind::html, end + 1 - at_, 1);
  }
  return token(Kind::unterminated, text_.size() - at_, 0);
}

DotToken DotLexer::next() {
  if (!pass_separators()) return token(Kind::unterminated, text_.size() - at_, 0);
  if (at_ == text_.size()) return token(Kind::end, 0, 0);
  const char byte = text_[at_];
  if (byte == '"') return quoted();
  if (byte == '<') return html();
  if (std::string_view("{}[]=;,:+").find(byte) != std::string_view::npos) return token(Kind::mark, 1, 0);
  const std::string_view rest = text_.substr(at_);
  if (rest.starts_with("->") || rest.starts_with("--")) return token(Kind::arrow, 2, 0);
  size_t length = byte == '-' ? 1 : 0;
  while (length < rest.size() && is_of_word(rest[length])) ++length;
  if (length > (byte == '-' ? 1 : 0)) return token(Kind::word, length, 0);
  const bool is_half_arrow = rest == "-";
  return token(is_half_arrow ? Kind::unterminated : Kind::unknown, 1, 0);
}

}  // namespace fuseboard
