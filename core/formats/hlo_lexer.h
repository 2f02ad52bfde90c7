// The characters of HLO text: blanks, comments, words, strings, and which bracket closes which.
// It must not know instructions, shapes or graphs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "graph/fusion_graph.h"

namespace fuseboard {

using HloSpan = OpPlaces::Span;

constexpr uint32_t kHloNone = 0xffffffff;

/// The diagnostics of one text: at most 100, and whether there were more.
class HloProblems {
 public:
  static constexpr size_t kMost = 100;

  void add(Severity severity, Code code, HloSpan span, std::string_view path, std::string message,
           std::string hint = {});
  void error(Code code, HloSpan span, std::string_view path, std::string message, std::string hint = {}) {
    add(Severity::error, code, span, path, std::move(message), std::move(hint));
  }
  bool failed() const { return failed_; }
  /// Whether further errors would be left out.
  bool full() const { return failed_ && all_.size() >= kMost; }
  std::vector<Diagnostic> take();

 private:
  std::vector<Diagnostic> all_;
  bool failed_ = false;
  bool left_out_ = false;
};

/// The first module of a text, its brackets matched in one pass. Positions are byte offsets into `text`.
class HloLexer {
 public:
  /// Complains about brackets and strings that are never closed.
  HloLexer(std::string_view text, HloProblems& problems);

  std::string_view text() const { return text_; }
  std::string_view view(HloSpan span) const { return text_.substr(span.offset, span.length); }
  uint32_t begin() const { return begin_; }
  uint32_t end() const { return end_; }                  ///< of the first module
  uint32_t next_module() const { return next_module_; }  ///< where a second one starts, or kHloNone
  bool truncated() const { return truncated_; }

  char at(uint32_t position) const { return position < end_ ? text_[position] : '\0'; }
  uint32_t skip_space(uint32_t position) const;  ///< past blanks, line ends and comments
  uint32_t word_end(uint32_t position) const;    ///< past letters, digits, _ . and -
  uint32_t line_end(uint32_t position) const;
  /// Past the string that opens at `position`, or past its line where it is never closed.
  uint32_t string_end(uint32_t position) const;
  /// Past an attribute's value: up to a comma, a closing bracket, the end of its line, or, unless it may hold
  /// `blanks` as `literal=s32[] 1` does, a blank before the next word.
  uint32_t value_end(uint32_t position, bool blanks) const;
  /// Where the bracket that opens at `position` closes; end() if the text ends first, kHloNone if another
  /// bracket closes across it.
  uint32_t close_of(uint32_t position) const;

 private:
  struct Bracket {
    uint32_t open, close;
  };
  void match_brackets(HloProblems& problems);
  uint32_t skip_comment(uint32_t position, uint32_t end) const;
  bool at_line_start(uint32_t position) const;

  std::string_view text_;
  uint32_t begin_ = 0;
  uint32_t end_ = 0;
  uint32_t next_module_ = kHloNone;
  bool truncated_ = false;
  std::vector<Bracket> brackets_;
};

}  // namespace fuseboard
