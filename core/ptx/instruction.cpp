// The texts of opcodes, types, modifiers and special registers, and their way back.
// It must not know forms, modules, nor how an instruction runs.
#include "ptx/instruction.h"

#include <unordered_map>

namespace fuseboard::ptx {
namespace {

struct TypeRow {
  std::string_view text;
  uint32_t bits;
  TypeClass type_class;
};

constexpr TypeRow kTypeRows[] = {
#define TYPE(identifier, text, bits, type_class) {text, bits, TypeClass::type_class},
#include "ptx/types.def"
};

struct OpcodeRow {
  std::string_view text;
  InstructionClass instruction_class;
};

constexpr OpcodeRow kOpcodeRows[] = {
#define INSTRUCTION(identifier, text, instruction_class, ...) {text, InstructionClass::instruction_class},
#include "ptx/instructions.def"
};

constexpr std::string_view kModifierTexts[] = {
#define MODIFIER(identifier, text) text,
#include "ptx/modifiers.def"
};

struct SpecialRow {
  std::string_view text;
  Type type;
};

constexpr SpecialRow kSpecials[] = {
#define SPECIAL_REGISTER(identifier, text, type) {text, Type::type},
#include "ptx/special_registers.def"
};

constexpr std::string_view kClassTexts[kInstructionClasses] = {
    "integer", "floating", "conversion", "compare", "move",    "logic", "load",
    "store",   "atomic",   "branch",     "barrier", "special", "other"};

}  // namespace

std::string_view type_text(Type type) { return kTypeRows[static_cast<size_t>(type)].text; }
uint32_t type_bits(Type type) { return kTypeRows[static_cast<size_t>(type)].bits; }
TypeClass type_class(Type type) { return kTypeRows[static_cast<size_t>(type)].type_class; }

std::optional<Type> type_from_text(std::string_view text) {
  static const std::unordered_map<std::string_view, Type> types = [] {
    std::unordered_map<std::string_view, Type> all;
    for (size_t i = 1; i < kTypes; ++i) all.emplace(kTypeRows[i].text, static_cast<Type>(i));
    return all;
  }();
  const auto found = types.find(text);
  return found == types.end() ? std::nullopt : std::optional(found->second);
}

std::string_view instruction_class_text(InstructionClass instruction_class) {
  return kClassTexts[static_cast<size_t>(instruction_class)];
}

std::string_view mnemonic(Opcode opcode) { return kOpcodeRows[static_cast<size_t>(opcode)].text; }

InstructionClass instruction_class(Opcode opcode, Type first_type) {
  const InstructionClass row = kOpcodeRows[static_cast<size_t>(opcode)].instruction_class;
  const TypeClass type = type_class(first_type);
  const bool is_integer = type == TypeClass::Unsigned || type == TypeClass::Signed;
  if (row == InstructionClass::special && is_integer) return InstructionClass::integer;
  if (row != InstructionClass::integer) return row;
  const bool is_packed_integer = first_type == Type::u16x2 || first_type == Type::s16x2;
  const bool is_float = type == TypeClass::Float || (type == TypeClass::Packed && !is_packed_integer);
  return is_float ? InstructionClass::floating : row;
}

std::string_view modifier_text(Modifier modifier) { return kModifierTexts[static_cast<size_t>(modifier)]; }

std::string_view special_register_text(SpecialRegister special_register) {
  return kSpecials[static_cast<size_t>(special_register)].text;
}

Type special_register_type(SpecialRegister special_register) {
  return kSpecials[static_cast<size_t>(special_register)].type;
}

std::optional<SpecialRegister> special_register_from_text(std::string_view text) {
  static const std::unordered_map<std::string_view, SpecialRegister> specials = [] {
    std::unordered_map<std::string_view, SpecialRegister> all;
    for (size_t i = 0; i < std::size(kSpecials); ++i)
      all.emplace(kSpecials[i].text, static_cast<SpecialRegister>(i));
    return all;
  }();
  const auto found = specials.find(text);
  return found == specials.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace fuseboard::ptx
