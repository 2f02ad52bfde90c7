// Reading templates.
// It must not know kernels or registers.
#include "emit/ptx_template.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/words.h"

namespace fuseboard {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

uint32_t number_after(std::string_view text, size_t skip) {
  uint32_t value = 0;
  for (const char c : text.substr(skip)) value = value * 10 + static_cast<uint32_t>(c - '0');
  return value;
}

/// Whether text is one letter and digits, as "t12".
bool is_numbered(std::string_view text) {
  return text.size() > 1 && std::all_of(text.begin() + 1, text.end(), is_digit);
}

Token token_of(std::string_view text) {
  Token token;
  token.text = text;
  const char first = text.empty() ? ' ' : text[0];
  if (text.size() == 1 && first >= 'a' && first <= 'c') {
    token.kind = TokenKind::operand;
    token.index = static_cast<uint32_t>(first - 'a');
  } else if (text.size() == 1 && first >= 'A' && first <= 'C') {
    token.kind = TokenKind::operand_predicate;
    token.index = static_cast<uint32_t>(first - 'A');
  } else if (text == "d") {
    token.kind = TokenKind::result;
  } else if (text == "D") {
    token.kind = TokenKind::result_predicate;
  } else if (text == "index") {
    token.kind = TokenKind::iota_index;
  } else if (text == "inf" || text == "-inf") {
    token.value = std::numeric_limits<double>::infinity() * (first == '-' ? -1 : 1);
  } else if (text == "nan") {
    token.value = std::numeric_limits<double>::quiet_NaN();
  } else if (is_digit(first) || first == '-') {
    token.value = std::strtod(std::string(text).c_str(), nullptr);
  } else if (is_numbered(text) && (first == 't' || first == 'p' || first == 'i' || first == 'L')) {
    token.index = number_after(text, 1);
    token.kind = first == 't'   ? TokenKind::temporary
                 : first == 'p' ? TokenKind::predicate
                 : first == 'i' ? TokenKind::bits
                                : TokenKind::label;
  } else {
    token.kind = TokenKind::attribute;
  }
  return token;
}

Statement statement_of(std::string_view text) {
  Statement statement;
  const size_t colon = text.find(':');
  if (colon != std::string_view::npos) {
    statement.label = static_cast<int>(number_after(text.substr(0, colon), 1));
    text = trimmed(text.substr(colon + 1));
  }
  if (text.starts_with('@')) {
    statement.has_guard = true;
    text.remove_prefix(1);
    if (text.starts_with('!')) {
      statement.guard_negated = true;
      text.remove_prefix(1);
    }
    statement.guard = number_after(take_until(text, ' '), 1);
  }
  text = trimmed(text);
  statement.opcode = take_until(text, ' ');
  while (!text.empty()) statement.operands.push_back(token_of(trimmed(take_until(text, ','))));
  return statement;
}

}  // namespace

PtxTemplate parse_ptx_template(std::string_view text) {
  PtxTemplate statements;
  while (!text.empty()) {
    const std::string_view part = trimmed(take_until(text, ';'));
    if (!part.empty()) statements.push_back(statement_of(part));
  }
  return statements;
}

const PtxTemplate& ptx_template(std::string_view alternative) {
  thread_local std::unordered_map<std::string_view, std::unique_ptr<PtxTemplate>> read;
  std::unique_ptr<PtxTemplate>& entry = read[alternative];
  if (!entry) entry = std::make_unique<PtxTemplate>(parse_ptx_template(alternative));
  return *entry;
}

}  // namespace fuseboard
