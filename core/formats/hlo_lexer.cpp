// The characters of HLO text: blanks, comments, words, strings, and which bracket closes which.
// It must not know instructions, shapes or graphs.
#include "formats/hlo_lexer.h"

#include <algorithm>
#include <array>
#include <utility>

namespace fuseboard {
namespace {

constexpr size_t kLongestMessage = 400;  ///< a name may be megabytes long

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '-';
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

/// 0 for (), 1 for [], 2 for {}; -1 for anything else.
int bracket_kind(char c) {
  switch (c) {
    case '(':
    case ')':
      return 0;
    case '[':
    case ']':
      return 1;
    case '{':
    case '}':
      return 2;
    default:
      return -1;
  }
}

bool starts_module(std::string_view text, uint32_t at) {
  constexpr std::string_view kWord = "HloModule";
  if (text.substr(at, kWord.size()) != kWord) return false;
  return at + kWord.size() >= text.size() || is_blank(text[at + kWord.size()]);
}

}  // namespace

void HloProblems::add(Severity severity, Code code, HloSpan span, std::string_view path, std::string message,
                      std::string hint) {
  if (full()) {
    left_out_ = true;
    return;
  }
  // A computation that is inlined often is wrong once.
  for (const Diagnostic& each : all_) {
    if (each.code == code && each.place.offset == span.offset && each.place.length == span.length) return;
  }
  if (all_.size() >= kMost) {
    left_out_ = true;
    // A value is absent exactly when an error stands in the list: the first one that comes late takes a seat.
    if (severity != Severity::error) return;
    all_.pop_back();
  }
  failed_ = failed_ || severity == Severity::error;
  if (message.size() > kLongestMessage) message = message.substr(0, kLongestMessage) + "...";
  Place place{span.offset, span.length, std::string(path.substr(0, kLongestMessage))};
  all_.push_back({severity, code, std::move(message), std::move(place), std::move(hint)});
}

std::vector<Diagnostic> HloProblems::take() {
  if (left_out_ && !all_.empty()) all_.back().message += " (more follow and are not listed)";
  return std::move(all_);
}

HloLexer::HloLexer(std::string_view text, HloProblems& problems)
    : text_(text), end_(static_cast<uint32_t>(text.size())) {
  match_brackets(problems);
}

bool HloLexer::at_line_start(uint32_t position) const {
  while (position > 0 && (text_[position - 1] == ' ' || text_[position - 1] == '\t')) --position;
  return position == 0 || text_[position - 1] == '\n' || text_[position - 1] == '\r';
}

/// Past the comment at `position`, or `position` where there is none. `#` is one at the beginning of a line
/// only.
uint32_t HloLexer::skip_comment(uint32_t position, uint32_t end) const {
  const char c = text_[position];
  const char next = position + 1 < end ? text_[position + 1] : '\0';
  if (c == '/' && next == '*') {
    const size_t close = text_.substr(0, end).find("*/", position + 2);
    return close == std::string_view::npos ? end : static_cast<uint32_t>(close + 2);
  }
  if ((c == '/' && next == '/') || (c == '#' && at_line_start(position))) return line_end(position);
  return position;
}

uint32_t HloLexer::skip_space(uint32_t position) const {
  while (position < end_) {
    const char c = text_[position];
    if (is_blank(c)) {
      ++position;
      continue;
    }
    if (c != '/' && c != '#') break;
    const uint32_t past = skip_comment(position, end_);
    if (past == position) break;
    position = past;
  }
  return std::min(position, end_);
}

uint32_t HloLexer::word_end(uint32_t position) const {
  while (position < end_ && is_word(text_[position])) ++position;
  return position;
}

uint32_t HloLexer::line_end(uint32_t position) const {
  const size_t found = text_.find('\n', position);
  return found == std::string_view::npos ? end_ : std::min(static_cast<uint32_t>(found), end_);
}

uint32_t HloLexer::string_end(uint32_t position) const {
  for (uint32_t i = position + 1; i < end_ && text_[i] != '\n'; ++i) {
    if (text_[i] == '"') return i + 1;
    if (text_[i] == '\\' && i + 1 < end_ && text_[i + 1] != '\n') ++i;
  }
  return line_end(position);
}

uint32_t HloLexer::value_end(uint32_t position, bool blanks) const {
  while (position < end()) {
    const char c = at(position);
    if (c == '"') {
      position = string_end(position);
    } else if (c == '(' || c == '[' || c == '{') {
      const uint32_t close = close_of(position);
      if (close == kHloNone) return line_end(position);
      position = std::min(close + 1, end());
    } else if (c == ',' || c == ')' || c == ']' || c == '}' || c == '\n') {
      break;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      uint32_t next = position;
      while (at(next) == ' ' || at(next) == '\t' || at(next) == '\r') ++next;
      const char after = at(next);
      if (next >= end() || after == '\n' || after == '/') break;
      if (!blanks && after != '{' && after != '[' && after != '<') break;
      position = next;
    } else if (c == '/' && (at(position + 1) == '/' || at(position + 1) == '*')) {
      break;
    } else {
      ++position;
    }
  }
  return position;
}

uint32_t HloLexer::close_of(uint32_t position) const {
  const auto found =
      std::lower_bound(brackets_.begin(), brackets_.end(), position,
                       [](const Bracket& bracket, uint32_t offset) { return bracket.open < offset; });
  return found == brackets_.end() || found->open != position ? kHloNone : found->close;
}

void HloLexer::match_brackets(HloProblems& problems) {
  std::vector<uint32_t> open;              // indices of brackets_ not closed yet
  std::array<uint32_t, 3> open_of_kind{};  // how many of each kind are in `open`
  bool module_seen = false;
  bool braces_seen = false;
  uint32_t i = 0;
  while (i < end_) {
    const char c = text_[i];
    const int kind = bracket_kind(c);
    if (kind < 0) {
      if (c == '"') {
        const uint32_t past = string_end(i);
        if (text_[past - 1] != '"' || past == i + 1) {
          problems.error(Code::syntax, {i, 1}, {}, "This string has no closing quote on its line",
                         "Write the closing \" before the line ends.");
        }
        i = past;
      } else if (c == '/' || c == '#') {
        const uint32_t past = skip_comment(i, end_);
        std::string_view comment = text_.substr(i, past - i);
        while (!comment.empty() && is_blank(comment.back())) comment.remove_suffix(1);
        if (comment == "// -----" && braces_seen) {
          next_module_ = past;
          end_ = i;
        } else if (comment.starts_with("/*") && (comment.size() < 4 || !comment.ends_with("*/"))) {
          problems.error(Code::truncated, {i, 2}, {}, "This comment is never closed",
                         "Write */ where it ends.");
          truncated_ = true;
        }
        i = std::max(past, i + 1);
      } else if (c == 'H' && starts_module(text_, i) && at_line_start(i)) {
        if (module_seen || braces_seen) {
          next_module_ = i;
          end_ = i;
        } else {
          begin_ = i;  // whatever a log wrote before it is not ours
          module_seen = true;
          brackets_.clear();
          open.clear();
          open_of_kind = {};
        }
        i += 9;
      } else {
        ++i;
      }
      continue;
    }
    const auto k = static_cast<size_t>(kind);
    if (c == '(' || c == '[' || c == '{') {
      braces_seen = braces_seen || (c == '{' && open.empty());
      open.push_back(static_cast<uint32_t>(brackets_.size()));
      ++open_of_kind[k];
      brackets_.push_back({i, kHloNone});
    } else if (open_of_kind[k] == 0) {
      problems.error(Code::syntax, {i, 1}, {}, std::string("This ") + c + " closes nothing", "Remove it.");
    } else {
      while (bracket_kind(text_[brackets_[open.back()].open]) != kind) {
        const uint32_t at = brackets_[open.back()].open;
        problems.error(Code::syntax, {at, 1}, {}, std::string("This ") + text_[at] + " is never closed",
                       std::string("The next closing bracket is a ") + c + ".");
        --open_of_kind[static_cast<size_t>(bracket_kind(text_[at]))];
        open.pop_back();
      }
      brackets_[open.back()].close = i;
      --open_of_kind[k];
      open.pop_back();
    }
    ++i;
  }
  if (next_module_ != kHloNone) {
    // Comments and blank lines alone are no further module.
    const uint32_t first_end = std::exchange(end_, static_cast<uint32_t>(text_.size()));
    if (skip_space(next_module_) >= end_) next_module_ = kHloNone;
    end_ = first_end;
  }
  if (open.empty()) return;
  truncated_ = true;
  const uint32_t outermost = brackets_[open.front()].open;
  problems.error(Code::truncated, {outermost, 1}, {},
                 std::string("The text ends before this ") + text_[outermost] + " is closed",
                 "The text was cut, or a closing bracket is missing.");
  for (const uint32_t each : open) brackets_[each].close = end_;
}

}  // namespace fuseboard
