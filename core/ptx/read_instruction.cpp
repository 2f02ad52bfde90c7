// Reads one instruction: its guard, its words and its operands.
// It must not know directives.
#include <algorithm>
#include <utility>

#include "base/in_quotes.h"
#include "base/nearest_word.h"
#include "ptx/operand.h"

namespace fuseboard::ptx {
namespace {

constexpr uint32_t kMostVectorBits = 256;

std::string nearest_mnemonic(std::string_view text) {
  NearestWord nearest(text);
  for (size_t i = 0; i < kOpcodes; ++i) nearest.offer(mnemonic(static_cast<Opcode>(i)));
  return nearest.best().empty() ? std::string() : "did you mean " + nearest.best() + "?";
}

bool add_word(Words& words, const Word& word) {
  if (word.kind == Word::Kind::modifier) {
    const Modifier modifier = static_cast<Modifier>(word.value);
    const bool may_repeat = modifier == Modifier::row || modifier == Modifier::col;  // one for each matrix
    if (words.modifiers.has(modifier) && !may_repeat) return false;
    words.modifiers.add(modifier);
  }
  if (word.kind == Word::Kind::vector) {
    if (words.vector != 1) return false;
    words.vector = word.value;
  }
  if (word.kind == Word::Kind::type) {
    if (words.type_count == words.types.size()) return false;
    words.types[words.type_count++] = static_cast<Type>(word.value);
  }
  if (word.is_space) {
    if (words.space_count == words.spaces.size()) return false;
    words.spaces[words.space_count++] = word.space;
  }
  return true;
}

/// Sorts the words of an opcode; complains at the first that does not belong.
bool read_spelling(Reading& reading, const Token& token, Spelling& out) {
  size_t end = 0;
  const std::optional<Opcode> opcode = opcode_from_text(token.text, end);
  if (!opcode) {
    const std::string_view name = token.text.substr(0, token.text.find('.'));
    const Span span{token.offset, static_cast<uint32_t>(name.size())};
    return reading.failed_at(Code::ptx_unknown_instruction, span,
                             "no instruction is named " + in_quotes(name), nearest_mnemonic(name));
  }
  out.opcode = *opcode;
  while (end < token.text.size()) {
    const size_t start = end;
    end = std::min(token.text.find('.', start + 1), token.text.size());
    const std::string_view text = token.text.substr(start + 1, end - start - 1);
    const Span span{token.offset + static_cast<uint32_t>(start), static_cast<uint32_t>(end - start)};
    const Word word = word_from_text(text);
    if (!takes_word(*opcode, word) || !add_word(out.words, word)) {
      return reading.failed_at(Code::ptx_unknown_instruction, span,
                               std::string(mnemonic(*opcode)) + " does not take " +
                                   in_quotes(std::string(".").append(text)) + " here",
                               "it takes " + words_of(*opcode));
    }
  }
  out.forms = matching_forms(*opcode, out.words);
  if (out.forms == 0) {
    return reading.failed_at(Code::ptx_unknown_instruction, token.span(),
                             std::string(mnemonic(*opcode)) + " " + explain_words(*opcode, out.words));
  }
  if (out.words.vector * type_bits(out.words.types[0]) > kMostVectorBits) {
    return reading.failed_at(Code::ptx_unknown_instruction, token.span(),
                             std::string(mnemonic(*opcode)) + " moves at most 256 bits at once");
  }
  out.is_known = true;
  return true;
}

bool read_guard(Reading& reading, const Function& function, Instruction& out) {
  reading.lexer.take();
  out.guard_negated = reading.lexer.accept("!");
  const Token token = reading.lexer.peek();
  if (token.kind != TokenKind::word) return reading.expected("a predicate register");
  reading.lexer.take();
  const std::optional<Symbol> symbol = reading.scopes.find(token.text);
  if (!symbol) {
    return reading.failed_at(Code::ptx_unknown_name, token.span(),
                             "no register is named " + in_quotes(token.text) + " here");
  }
  if (symbol->kind != Symbol::Kind::reg || function.registers[symbol->index].type != Type::pred) {
    return reading.failed_at(Code::ptx_operand, token.span(),
                             in_quotes(token.text) + " is no predicate register: it guards nothing");
  }
  out.guard = symbol->index;
  return true;
}

void set_words(Instruction& out, const Spelling& spelling) {
  const Words& words = spelling.words;
  out.opcode = spelling.opcode;
  out.modifiers = words.modifiers;
  out.types = words.types;
  out.type_count = words.type_count;
  out.vector = words.vector;
  if (words.space_count > 0) out.space = words.spaces[0];
  if (words.space_count > 1) out.second_space = words.spaces[1];
}

/// Puts the operands where the first form that takes them wants them; tells of the one that came nearest.
bool fit_any_form(Reading& reading, Function& function, uint32_t candidates, const WrittenOperands& written,
                  Span opcode, Instruction& out) {
  const std::span<const Form> all = forms(out.opcode);
  std::optional<Misfit> nearest;
  for (size_t i = 0; i < all.size(); ++i) {
    if ((candidates >> i & 1) == 0) continue;
    std::optional<Misfit> misfit = fit_operands(reading, function, all[i], out, written, opcode);
    if (!misfit) {
      out.form = static_cast<uint8_t>(i);
      return true;
    }
    if (!nearest || misfit->fitting > nearest->fitting) nearest = std::move(misfit);
  }
  return reading.failed_at(nearest->code, nearest->span,
                           std::string(mnemonic(out.opcode)) + ": " + nearest->message, nearest->hint);
}

}  // namespace

bool read_instruction(Reading& reading, Function& function) {
  Instruction out;
  if (reading.lexer.peek().is("@") && !read_guard(reading, function, out)) return false;
  const Token token = reading.lexer.peek();
  if (token.kind != TokenKind::word) return reading.expected("an instruction");
  reading.lexer.take();
  Spelling& spelling = reading.spellings[token.text];
  if (!spelling.is_known && !read_spelling(reading, token, spelling)) {
    reading.spellings.erase(token.text);
    return false;
  }
  set_words(out, spelling);
  out.line = token.line;
  out.column = token.column;
  out.first_operand = static_cast<uint32_t>(function.operands.size());
  if (out.opcode == Opcode::call) {
    if (!read_call(reading, function, token.span())) return false;
  } else {
    WrittenOperands& written = reading.written;
    written.all.clear();
    written.elements.clear();
    if (!read_operands(reading, function, written)) return false;
    if (!fit_any_form(reading, function, spelling.forms, written, token.span(), out)) return false;
  }
  if (!reading.require(";")) return false;
  out.operand_count = static_cast<uint8_t>(function.operands.size() - out.first_operand);
  function.instructions.push_back(out);
  return true;
}

}  // namespace fuseboard::ptx
