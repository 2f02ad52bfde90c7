// The format "hlo": the text that XLA prints, for people and for its tests.
// It must not know plans.
#pragma once

#include <string_view>

#include "formats/format.h"

namespace fuseboard {

/// Whether a text looks like HLO: a HloModule or ENTRY line, a computation of instructions, or a module as
/// text proto (which read_hlo refuses by its name).
bool recognise_hlo(std::string_view text);

/// The graph of the first module's ENTRY. O(n log n) for any text, no recursion.
Result<ReadGraph> read_hlo(std::string_view text);

}  // namespace fuseboard
