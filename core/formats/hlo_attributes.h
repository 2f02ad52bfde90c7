// What stands behind the parentheses of one instruction, as the op table's attributes; and scalar literals.
// It must not know graphs: it sees one instruction.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "formats/hlo_module.h"
#include "formats/hlo_shape.h"

namespace fuseboard {

/// Gives `op` the attributes that the table's row for `opcode` has: axes, perm, starts, ... Complains at the
/// attribute that cannot be read, or at the opcode where one is missing.
void read_attributes(const HloLexer& lexer, const HloModule& module, const HloInstruction& instruction,
                     FusionOp& op, HloProblems& problems);

/// The value of an integer attribute; nothing where it is absent or, after a complaint, unreadable.
std::optional<int64_t> read_int(const HloLexer& lexer, const HloModule& module,
                                const HloInstruction& instruction, std::string_view key,
                                HloProblems& problems);

/// The number in `parameter(0)`; nothing after a complaint.
std::optional<uint32_t> read_parameter_number(const HloLexer& lexer, const HloInstruction& instruction,
                                              HloProblems& problems);

/// The numbers of an attribute such as `{0,1}`; none where it is absent or, after a complaint, unreadable.
std::vector<int64_t> read_ints(const HloLexer& lexer, const HloModule& module,
                               const HloInstruction& instruction, std::string_view key,
                               HloProblems& problems);

/// A scalar constant's literal: bool, int64_t, uint64_t or double by dtype. Nothing for an elided `{...}`, a
/// complex number, or after a complaint.
std::optional<AttributeValue> read_scalar(const HloLexer& lexer, const HloInstruction& instruction,
                                          DType dtype, std::string_view foreign_dtype, HloProblems& problems);

}  // namespace fuseboard
