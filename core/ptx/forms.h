// The forms of the instruction table, compiled once: which words an instruction takes, and which operands.
// It must not know texts beyond single words, nor modules.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/instruction.h"
#include "ptx/module.h"

namespace fuseboard::ptx {

/// One word behind an instruction's dots. shared::cluster is a modifier and a state space at once.
struct Word {
  enum class Kind : uint8_t { unknown, modifier, type, vector };
  Kind kind = Kind::unknown;
  uint8_t value = 0;  ///< a Modifier, a Type, or the width of a vector
  bool is_space = false;
  StateSpace space = StateSpace::generic;
};

Word word_from_text(std::string_view text);  ///< O(1)

enum class SlotKind : uint8_t {
  value,       ///< a register or an immediate of just that type
  wider,       ///< a register that may be wider
  vector,      ///< as wider; as many of them as .v2, .v4 or .v8 says
  moved,       ///< what mov takes
  address_of,  ///< a register or the address of a variable
  immediate,
  registers,  ///< { } of registers, or one
  address,    ///< [ ]
  label,
  targets,
  call,  ///< the whole of a call's operands
};

struct OperandSlot {
  SlotKind kind = SlotKind::value;
  bool is_destination = false;
  bool is_second = false;         ///< behind a bar: a sink where absent
  bool must_be_written = false;   ///< of a second one
  bool is_never_written = false;  ///< of a second one
  bool may_be_sink = false;       ///< takes _
  bool is_optional = false;       ///< at the end
  bool is_wide = false;           ///< of twice the type's bits
  uint8_t index = 0;              ///< of a type or a state space; not used where `fixed` is a type
  Type fixed = Type::none;
};

struct Form {
  struct Group {
    Modifiers any_of;
    bool required = true;
  };
  struct Space {
    uint32_t any_of = 0;  ///< bit i: StateSpace i
    bool required = true;
  };
  std::vector<Group> groups;    ///< of each at most one word; exactly one where required
  std::vector<uint64_t> types;  ///< bit i: Type i
  std::vector<Space> spaces;
  uint32_t vectors = 0;  ///< bit i: .v with i elements
  bool vector_required = false;
  Modifiers allowed;  ///< of all groups
  std::vector<OperandSlot> slots;
};

std::span<const Form> forms(Opcode opcode);

/// What stands behind a mnemonic, sorted by kind.
struct Words {
  Modifiers modifiers;
  std::array<Type, 4> types{};
  uint8_t type_count = 0;
  std::array<StateSpace, 2> spaces{};
  uint8_t space_count = 0;
  uint8_t vector = 1;
};

/// The longest mnemonic that `text`, cut at dots, begins with, and its length in `length`.
std::optional<Opcode> opcode_from_text(std::string_view text, size_t& length);

/// Bit i: form i of the row takes these words. 0: none does, and explain_words says why.
uint32_t matching_forms(Opcode opcode, const Words& words);

/// Whether any form of the row takes the word.
bool takes_word(Opcode opcode, const Word& word);

/// Why no form takes these words, by the form that is nearest to it: "needs one of .rn .rz .rm .rp".
std::string explain_words(Opcode opcode, const Words& words);

/// The words that any form of the row takes, for a hint: ".rn .rz .ftz .f32 ...", cut at about 200 bytes.
std::string words_of(Opcode opcode);

}  // namespace fuseboard::ptx
