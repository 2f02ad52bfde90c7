// Walks the instruction table: every word of every form is known, and every form reads as the row's
// instruction. It must not know what single rows hold.
#include <algorithm>

#include "base/words.h"
#include "ptx/forms.h"
#include "ptx_checks.h"

using namespace ptx_checks;

namespace {

struct Row {
  Opcode opcode;
  std::vector<std::string_view> cells;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
#define INSTRUCTION(identifier, text, instruction_class, section, ...) {Opcode::identifier, {__VA_ARGS__}},
#include "ptx/instructions.def"
  };
  return all;
}

std::string_view words_of_cell(std::string_view cell) {
  return cell.starts_with(':') ? std::string_view() : cell.substr(0, cell.find(" :"));
}

std::string register_of(Type type, uint32_t bits, size_t number) {
  const std::string n = std::to_string(number);
  if (type == Type::pred) return "%p" + n;
  if (type == Type::f32) return "%f" + n;
  if (type == Type::f64) return "%fd" + n;
  return (bits == 128 ? "%rq" : bits == 64 ? "%rd" : bits == 32 ? "%r" : "%rs") + n;
}

std::string address_in(StateSpace space) {
  switch (space) {
    case StateSpace::global:
      return "[g+4]";
    case StateSpace::shared:
      return "[sh]";
    case StateSpace::local:
      return "[loc]";
    case StateSpace::param:
      return "[a]";
    case StateSpace::constant:
      return "[c]";
    case StateSpace::generic:
      return "[%rd1+-4]";
  }
  return {};
}

/// An instruction that just this form takes: of each choice the `pick`-th word, optional ones where
/// `with_optional`.
struct Sample {
  std::string text;
  Words words;
};

Sample opcode_of(Opcode opcode, std::string_view cell, size_t pick, bool with_optional) {
  Sample out;
  out.text = mnemonic(opcode);
  std::string_view rest = words_of_cell(cell);
  while (!rest.empty()) {
    std::string_view token = take_until(rest, ' ');
    const bool is_optional = token.ends_with('?');
    if (token.empty() || (is_optional && !with_optional)) continue;
    if (is_optional) token.remove_suffix(1);
    std::vector<std::string_view> choices;
    while (!token.empty()) choices.push_back(take_until(token, ','));
    const std::string_view chosen = choices[pick % choices.size()];
    const Word word = word_from_text(chosen);
    // shared::cluster and param::func follow the space that they are a window of: `shared` becomes both
    // words.
    if (word.is_space && word.kind == Word::Kind::modifier) {
      if (!is_optional) out.text += chosen.substr(chosen.find("::"));
      continue;
    }
    out.text += "." + std::string(chosen);
    if (word.is_space) out.words.spaces[out.words.space_count++] = word.space;
    if (word.kind == Word::Kind::type)
      out.words.types[out.words.type_count++] = static_cast<Type>(word.value);
    if (word.kind == Word::Kind::vector) out.words.vector = word.value;
  }
  return out;
}

std::string operand_for(const OperandSlot& slot, const Words& words, size_t number) {
  const Type type = slot.fixed != Type::none ? slot.fixed : words.types[slot.index];
  const uint32_t bits = type_bits(type) * (slot.is_wide ? 2 : 1);
  switch (slot.kind) {
    case SlotKind::value:
    case SlotKind::wider:
    case SlotKind::moved:
    case SlotKind::address_of:
      return register_of(slot.is_wide ? Type::b64 : type, bits, number);
    case SlotKind::vector: {
      if (words.vector == 1) return register_of(type, bits, number);
      std::string all = "{";
      for (size_t i = 0; i < words.vector; ++i) all += (i == 0 ? "" : ", ") + register_of(type, bits, i);
      return all + "}";
    }
    case SlotKind::immediate:
      return "16";
    case SlotKind::registers:
      return "{%r1, %r2}";
    case SlotKind::address:
      return address_in(slot.index < words.space_count ? words.spaces[slot.index] : StateSpace::generic);
    case SlotKind::label:
      return "L";
    case SlotKind::targets:
      return "table";
    case SlotKind::call:
      return "(r), f, (x)";
  }
  return {};
}

std::string with_operands(const Form& form, const Sample& sample, bool with_optional) {
  std::string text = sample.text;
  size_t number = 0;
  for (const OperandSlot& slot : form.slots) {
    if (slot.is_never_written || (slot.is_optional && !with_optional)) continue;
    if (slot.is_second && !slot.must_be_written && !with_optional) continue;
    text += number == 0 ? " " : slot.is_second ? "|" : ", ";
    text += operand_for(slot, sample.words, ++number);
  }
  return text + ";";
}

std::string in_module(const std::string& instruction) {
  std::string text = in_kernel(".param .b32 r; .param .b32 x;\ntable: .branchtargets L, L;\n" + instruction);
  return text.insert(kHead.size(), ".extern .func (.param .b32 y) f (.param .b32 z);\n");
}

}  // namespace

TEST_CASE("every word of the instruction table is known, and every opcode is found by its mnemonic") {
  CHECK(rows().size() == kOpcodes);
  for (const Row& row : rows()) {
    INFO(mnemonic(row.opcode));
    size_t length = 0;
    CHECK(opcode_from_text(std::string(mnemonic(row.opcode)) + ".u32", length) == row.opcode);
    CHECK(length == mnemonic(row.opcode).size());
    CHECK(forms(row.opcode).size() == row.cells.size());
    CHECK(row.cells.size() <= 32);
    for (const std::string_view cell : row.cells) {
      std::string_view rest = words_of_cell(cell);
      while (!rest.empty()) {
        std::string_view token = take_until(rest, ' ');
        if (token.ends_with('?')) token.remove_suffix(1);
        while (!token.empty()) {
          const std::string_view text = take_until(token, ',');
          INFO(cell << ": " << text);
          const Word word = word_from_text(text);
          CHECK((word.is_space || word.kind != Word::Kind::unknown));
          CHECK(takes_word(row.opcode, word));
        }
      }
    }
  }
}

TEST_CASE("every form of every row reads as that row's instruction") {
  size_t forms_read = 0;
  for (const Row& row : rows()) {
    for (size_t i = 0; i < row.cells.size(); ++i) {
      const Form& form = forms(row.opcode)[i];
      for (size_t pick = 0; pick < 8; ++pick) {
        for (const bool with_optional : {false, true}) {
          const Sample sample = opcode_of(row.opcode, row.cells[i], pick, with_optional);
          // .v8 of 64 bits is more than any access has.
          if (sample.words.vector * type_bits(sample.words.types[0]) > 256) continue;
          const std::string line = with_operands(form, sample, with_optional);
          const std::string text = in_module(line);
          INFO(line);
          const Result<Module> read = read_module(text);
          INFO(told(text, read.diagnostics));
          REQUIRE(read);
          const Function& kernel = *read.value->entry("k");
          REQUIRE(kernel.instructions.size() == 2);
          CHECK(kernel.instructions[0].opcode == row.opcode);
          ++forms_read;
        }
      }
    }
  }
  CHECK(forms_read > 4000);
}

TEST_CASE("modifiers, types and special registers are found by their own texts") {
  for (size_t i = 0; i < kModifiers; ++i) {
    const Modifier each = static_cast<Modifier>(i);
    INFO(modifier_text(each));
    CHECK(word_from_text(modifier_text(each)).kind == Word::Kind::modifier);
    CHECK(word_from_text(modifier_text(each)).value == i);
  }
  for (size_t i = 1; i < kTypes; ++i)
    CHECK(type_from_text(type_text(static_cast<Type>(i))) == static_cast<Type>(i));
  CHECK(special_register_from_text("tid.x") == SpecialRegister::tid_x);
  CHECK(special_register_from_text("envreg31") == SpecialRegister::envreg31);
  CHECK_FALSE(special_register_from_text("tid").has_value());
}

TEST_CASE("a set of modifiers is a constant") {
  constexpr Modifiers kSet = {Modifier::rn, Modifier::nan};
  static_assert(kSet.has(Modifier::nan) && !kSet.has(Modifier::rz));
  static_assert(kSet.has_any({Modifier::rz, Modifier::rn}) && kSet.count() == 2);
  static_assert(kSet.without({Modifier::rn}) == Modifiers{Modifier::nan});
  CHECK(Modifiers().empty());
}

TEST_CASE("counters tell floating, integer and special arithmetic apart") {
  CHECK(instruction_class(Opcode::add, Type::s32) == InstructionClass::integer);
  CHECK(instruction_class(Opcode::add, Type::f16x2) == InstructionClass::floating);
  CHECK(instruction_class(Opcode::add, Type::s16x2) == InstructionClass::integer);
  CHECK(instruction_class(Opcode::div, Type::u64) == InstructionClass::integer);
  CHECK(instruction_class(Opcode::div, Type::f32) == InstructionClass::special);
  CHECK(instruction_class(Opcode::ld, Type::f32) == InstructionClass::load);
}
