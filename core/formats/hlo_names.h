// The names of instructions: what an operand's name stands for, which are undefined, which are given twice.
// It must not know graphs.
#pragma once

#include <vector>

#include "formats/hlo_module.h"

namespace fuseboard {

/// Binds the operands of the computation that comes next in the module: names are seen within it only.
void resolve_hlo_names(const HloLexer& lexer, HloComputation& computation, HloModule& module);

/// `instruction` of `computation` reads an operand that is not defined there.
void report_hlo_dangling(const HloLexer& lexer, const HloModule& module, Severity severity,
                         uint32_t computation, const HloInstruction& instruction, const HloOperand& operand,
                         HloProblems& problems);

/// Names given twice: errors in computations that were `reached`, warnings in others. Names undefined in
/// others: warnings.
void report_hlo_names(const HloLexer& lexer, const HloModule& module, const std::vector<bool>& reached,
                      HloProblems& problems);

}  // namespace fuseboard
