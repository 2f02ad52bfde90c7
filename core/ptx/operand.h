// An operand as it stands in the text, and as its instruction's slot takes it.
// It must not know opcodes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/reading.h"

namespace fuseboard::ptx {

/// Up to the `;`, which stays. False where it is no list of operands.
bool read_operands(Reading& reading, const Function& function, WrittenOperands& out);
/// One operand: register, number, [address], {vector}, name. False where it is none.
bool read_operand(Reading& reading, const Function& function, WrittenOperands& out);

/// Why an operand does not fit its slot.
struct Misfit {
  Span span;
  std::string message;
  std::string hint;
  Code code = Code::ptx_operand;
  size_t fitting = 0;  ///< operands before it that fit
};

/// Puts the operands into the form's slots, at the end of the function's operands and elements; undone where
/// one does not fit. A name of a label is left to `label_uses`.
std::optional<Misfit> fit_operands(Reading& reading, Function& function, const Form& form,
                                   const Instruction& instruction, const WrittenOperands& written,
                                   Span opcode);

/// The operands of a call, from the text.
bool read_call(Reading& reading, Function& function, Span opcode);

/// Whether a register of type `reg` may hold what an instruction of type `type` works on (PTX ISA, Operand
/// Type Checking); `wider`: as ld, st and cvt take it.
bool types_agree(Type type, Type reg, bool wider, uint32_t bits);

// Parts of messages.
/// "`%r1` is a register of type .s32"
std::string written_text(const WrittenOperand& operand);
/// "an integer register of 32 bits"
std::string register_text(Type type, uint32_t bits, bool wider);
/// What a slot takes, for an instruction of this type and vector width.
std::string slot_text(const OperandSlot& slot, Type type, uint32_t bits, uint8_t vector);

}  // namespace fuseboard::ptx
