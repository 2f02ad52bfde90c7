// The instruction table as C++: opcodes, types, modifiers, special registers, and what a row says.
// It must not know modules, nor how an instruction runs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace fuseboard::ptx {

enum class Type : uint8_t {
#define TYPE(identifier, text, bits, type_class) identifier,
#include "ptx/types.def"
};

constexpr size_t kTypes = 0
#define TYPE(identifier, text, bits, type_class) +1  // NOLINT(bugprone-macro-parentheses): a sum
#include "ptx/types.def"
    ;

enum class TypeClass : uint8_t { None, Bits, Unsigned, Signed, Float, Packed, Predicate };

std::string_view type_text(Type type);
uint32_t type_bits(Type type);  ///< 1 for pred, 0 for none
TypeClass type_class(Type type);
inline bool is_float_or_packed(Type type) {
  return type_class(type) == TypeClass::Float || type_class(type) == TypeClass::Packed;
}
std::optional<Type> type_from_text(std::string_view text);  ///< "f32"; O(1)

/// What counters tell apart.
enum class InstructionClass : uint8_t {
  integer,
  floating,
  conversion,
  compare,  ///< setp, set, selp, slct, testp
  move,     ///< mov, prmt, cvta, shfl, vote, ...
  logic,
  load,
  store,
  atomic,
  branch,  ///< bra, brx, call, ret, exit
  barrier,
  special,  ///< ex2, lg2, sin, cos, rcp, sqrt, rsqrt, tanh, div
  other,    ///< fences, hints, policies
};
constexpr uint32_t kInstructionClasses = 13;

std::string_view instruction_class_text(InstructionClass instruction_class);

enum class Opcode : uint16_t {
#define INSTRUCTION(identifier, ...) identifier,
#include "ptx/instructions.def"
};

constexpr size_t kOpcodes = 0
#define INSTRUCTION(identifier, ...) +1  // NOLINT(bugprone-macro-parentheses): a sum
#include "ptx/instructions.def"
    ;

std::string_view mnemonic(Opcode opcode);  ///< "add", "bar.warp"
/// Where an instruction with `first_type` counts: the row's class, but floating, logic or integer where the
/// type says so.
InstructionClass instruction_class(Opcode opcode, Type first_type);

enum class Modifier : uint8_t {
#define MODIFIER(identifier, text) identifier,
#include "ptx/modifiers.def"
};

constexpr size_t kModifiers = 0
#define MODIFIER(identifier, text) +1  // NOLINT(bugprone-macro-parentheses): a sum
#include "ptx/modifiers.def"
    ;

std::string_view modifier_text(Modifier modifier);

/// A set of modifiers: two that exclude each other still have a bit each. (Not std::bitset: tests of constant
/// sets are constant expressions.)
class Modifiers {
 public:
  constexpr Modifiers() = default;
  constexpr Modifiers(std::initializer_list<Modifier> all) {
    for (const Modifier each : all) add(each);
  }
  constexpr bool has(Modifier modifier) const {
    return (words_[index(modifier) / 64] >> (index(modifier) % 64) & 1) != 0;
  }
  constexpr void add(Modifier modifier) {
    words_[index(modifier) / 64] |= uint64_t{1} << (index(modifier) % 64);
  }
  constexpr bool has_any(const Modifiers& other) const {
    bool any = false;
    for (size_t i = 0; i < kWords; ++i) any = any || (words_[i] & other.words_[i]) != 0;
    return any;
  }
  constexpr bool empty() const { return *this == Modifiers(); }
  /// Those of this set that `other` has too.
  constexpr Modifiers both(const Modifiers& other) const {
    Modifiers out;
    for (size_t i = 0; i < kWords; ++i) out.words_[i] = words_[i] & other.words_[i];
    return out;
  }
  constexpr Modifiers either(const Modifiers& other) const {
    Modifiers out;
    for (size_t i = 0; i < kWords; ++i) out.words_[i] = words_[i] | other.words_[i];
    return out;
  }
  constexpr Modifiers without(const Modifiers& other) const {
    Modifiers out;
    for (size_t i = 0; i < kWords; ++i) out.words_[i] = words_[i] & ~other.words_[i];
    return out;
  }
  constexpr uint32_t count() const {
    uint32_t sum = 0;
    for (const uint64_t word : words_) sum += static_cast<uint32_t>(__builtin_popcountll(word));
    return sum;
  }
  constexpr bool operator==(const Modifiers&) const = default;

 private:
  static constexpr size_t kWords = (kModifiers + 63) / 64;
  static constexpr size_t index(Modifier modifier) { return static_cast<size_t>(modifier); }
  std::array<uint64_t, kWords> words_{};
};

enum class SpecialRegister : uint8_t {
#define SPECIAL_REGISTER(identifier, text, type) identifier,
#include "ptx/special_registers.def"
};

std::string_view special_register_text(SpecialRegister special_register);  ///< "tid.x"
Type special_register_type(SpecialRegister special_register);
std::optional<SpecialRegister> special_register_from_text(std::string_view text);  ///< "tid.x"; O(1)

}  // namespace fuseboard::ptx
