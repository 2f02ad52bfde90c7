// What stands in HLO text: computations of instructions, as spans of the text.
// It must not know what an opcode means.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/hlo_lexer.h"

namespace fuseboard {

struct HloOperand {
  HloSpan name;  ///< of a nested instruction: the whole of it
  HloSpan path;  ///< `#0` behind the name: an element of the tuple it names; mostly empty
  uint32_t instruction =
      kHloNone;  ///< index in the computation; kHloNone where the name is not defined there
};

struct HloAttribute {
  std::string_view key;
  HloSpan value;
  uint32_t computation = kHloNone;  ///< where the value is a computation's body, written in place
};

struct HloInstruction {
  HloSpan name;   ///< without %; empty for an instruction nested in another's operands
  HloSpan shape;  ///< empty where it is left out
  HloSpan opcode;
  HloSpan whole;             ///< from the name to the closing parenthesis
  HloSpan argument;          ///< between the parentheses
  uint32_t text_length = 0;  ///< attributes included, what is nested not
  uint32_t first_operand = 0, operand_count = 0;
  uint32_t first_attribute = 0, attribute_count = 0;
};

struct HloComputation {
  HloSpan name;                   ///< of a body written in place: of the instruction that has it
  uint32_t first = 0, count = 0;  ///< its instructions
  uint32_t root = kHloNone;       ///< index in the computation; the last where none is marked
  bool forward = false;           ///< some operand is defined after its use
};

struct HloDuplicate {
  uint32_t computation, first, second;  ///< instructions by their index in the computation
};

/// Instructions, operands and attributes of all computations stand in one array each.
struct HloModule {
  HloSpan name;
  std::vector<HloComputation> computations;
  std::vector<HloInstruction> instructions;
  std::vector<HloOperand> operands;
  std::vector<HloAttribute> attributes;
  std::vector<HloDuplicate> duplicates;
  std::unordered_map<std::string_view, uint32_t> by_name;  ///< computations
  uint32_t entry = kHloNone;

  const HloAttribute* attribute(const HloInstruction& instruction, std::string_view key) const {
    for (uint32_t i = 0; i < instruction.attribute_count; ++i) {
      const HloAttribute& each = attributes[instruction.first_attribute + i];
      if (each.key == key) return &each;
    }
    return nullptr;
  }
};

}  // namespace fuseboard
