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
#include "emit/math/sequence.h"

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

Token number_of(std::string_view text) {
  Token token;
  const std::string copy(text);
  token.value = std::strtod(copy.c_str(), nullptr);
  token.is_whole = text.find_first_of(".pe") == std::string_view::npos ||
                   (text.starts_with("0x") && text.find('p') == std::string_view::npos);
  if (text.starts_with('-')) {
    token.bits = static_cast<uint64_t>(std::strtoll(copy.c_str(), nullptr, 0));
  } else {
    token.bits = std::strtoull(copy.c_str(), nullptr, 0);
  }
  if (!token.is_whole) token.bits = 0;
  return token;
}

// NOLINTBEGIN(misc-no-recursion): sequences use sequences of our own table, which has no cycle and is shallow
Token token_of(std::string_view text) {
  constexpr std::pair<char, TokenKind> kNumbered[] = {
      {'t', TokenKind::temporary}, {'p', TokenKind::predicate}, {'i', TokenKind::bits32},
      {'j', TokenKind::bits64},    {'f', TokenKind::single},    {'w', TokenKind::wide},
      {'L', TokenKind::label},     {'d', TokenKind::result}};
  Token token;
  if (text.starts_with('[')) {
    text = text.substr(1, text.size() - 2);
    token = token_of(take_until(text, '+'));
    token.is_memory = true;
    token.offset = number_after(text, 0);
    return token;
  }
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
    token = number_of(text);
  } else if (first == '$') {
    token.kind = TokenKind::table;
    token.text = text.substr(1);
  } else {
    token.kind = TokenKind::attribute;
    for (const auto& [letter, kind] : kNumbered) {
      if (first != letter || !is_numbered(text)) continue;
      token.kind = kind;
      token.index = number_after(text, 1);
    }
  }
  return token;
}

Statement statement_of(std::string_view text) {
  Statement statement;
  const size_t colon = text.find(':');
  if (colon != std::string_view::npos) {
    statement.label = number_after(text.substr(0, colon), 1);
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
  if (statement.opcode == "use" || statement.opcode == "call") {
    text = trimmed(text);
    statement.name = take_until(text, ' ');
  }
  while (!text.empty()) statement.operands.push_back(token_of(trimmed(take_until(text, ','))));
  return statement;
}

/// One past the highest number of each kind of token.
using Counts = std::array<uint32_t, kTokenKinds>;

void count(Counts& counts, TokenKind kind, uint32_t index) {
  uint32_t& most = counts[static_cast<size_t>(kind)];
  most = std::max(most, index + 1);
}

void count(Counts& counts, const Statement& statement) {
  if (statement.label >= 0) count(counts, TokenKind::label, static_cast<uint32_t>(statement.label));
  if (statement.has_guard) count(counts, TokenKind::predicate, statement.guard);
  for (const Token& token : statement.operands) count(counts, token.kind, token.index);
}

/// The statements of a sequence with the user's operands and results, and numbers that the user does not
/// have.
void use(PtxTemplate& out, Counts& counts, const Statement& user) {
  const Sequence* sequence = sequence_named(user.name);
  if (sequence == nullptr) return;
  const Counts base = counts;
  const auto shifted = [&](TokenKind kind, uint32_t index) {
    return base[static_cast<size_t>(kind)] + index;
  };
  for (Statement statement : ptx_template(sequence->text)) {
    if (statement.label >= 0)
      statement.label = shifted(TokenKind::label, static_cast<uint32_t>(statement.label));
    if (statement.has_guard) statement.guard = shifted(TokenKind::predicate, statement.guard);
    for (Token& token : statement.operands) {
      const size_t results = sequence->results.size();
      switch (token.kind) {
        case TokenKind::operand:
          token = user.operands[results + token.index];
          break;
        case TokenKind::result:
          token = user.operands[token.index];
          break;
        case TokenKind::temporary:
        case TokenKind::predicate:
        case TokenKind::bits32:
        case TokenKind::bits64:
        case TokenKind::single:
        case TokenKind::wide:
        case TokenKind::label:
          token.index = shifted(token.kind, token.index);
          break;
        case TokenKind::operand_predicate:
        case TokenKind::result_predicate:
        case TokenKind::iota_index:
        case TokenKind::number:
        case TokenKind::attribute:
        case TokenKind::table:
          break;
      }
    }
    count(counts, statement);
    out.push_back(std::move(statement));
  }
}

}  // namespace

PtxTemplate parse_ptx_template(std::string_view text) {
  PtxTemplate written;
  Counts counts{};
  while (!text.empty()) {
    const std::string_view part = trimmed(take_until(text, ';'));
    if (part.empty()) continue;
    written.push_back(statement_of(part));
    count(counts, written.back());
  }
  PtxTemplate out;
  for (Statement& statement : written) {
    if (statement.opcode != "use") {
      out.push_back(std::move(statement));
      continue;
    }
    if (statement.label >= 0) {
      Statement label;
      label.label = statement.label;
      out.push_back(label);
    }
    use(out, counts, statement);
  }
  return out;
}

const PtxTemplate& ptx_template(std::string_view text) {
  thread_local std::unordered_map<std::string_view, std::unique_ptr<PtxTemplate>> read;
  const auto found = read.find(text);
  if (found != read.end()) return *found->second;
  return *(read[text] = std::make_unique<PtxTemplate>(parse_ptx_template(text)));
}
// NOLINTEND(misc-no-recursion)

}  // namespace fuseboard
