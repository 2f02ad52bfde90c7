// Reads the grammar of HLO text: header, stack-frame tables, computations, instructions, operands,
// attributes. It must not know what an opcode or a shape means.
#pragma once

#include "formats/hlo_module.h"

namespace fuseboard {

/// The first module of the text, as far as it can be read; every fault goes to `problems`. O(n log n), no
/// recursion.
HloModule parse_hlo(const HloLexer& lexer, HloProblems& problems);

}  // namespace fuseboard
