// Builds the FusionGraph of an HLO module's ENTRY: calls and maps inlined, tuples resolved to their elements.
// It must not know the grammar: it sees what the parser found.
#pragma once

#include "formats/hlo_module.h"
#include "formats/hlo_values.h"

namespace fuseboard {

/// Fills `out`; every fault goes to `problems`, those of computations that ENTRY does not inline as warnings.
/// O(size of the text + what inlining adds, which is capped), no recursion.
void build_hlo_graph(const HloLexer& lexer, const HloModule& module, HloProblems& problems, HloGraph& out);

}  // namespace fuseboard
