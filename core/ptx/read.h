// Reads PTX text into a module.
// It must not know who wrote the text, nor how it runs.
#pragma once

#include <string_view>

#include "base/result.h"
#include "ptx/module.h"

namespace fuseboard::ptx {

/// Reads what compilers write for kernels: the whole of the PTX ISA's directives, and the instructions of
/// instructions.def. Every name is resolved, every operand lies in its slot, every variable has its offset.
/// Errors carry the place of the token and say what was expected; after one the reader goes on behind the
/// next `;`, up to 50 errors. Debug sections are skipped. Linear in the text, whose numbers allocate nothing
/// beyond the limits of reading.h; texts of 4 GiB and more are refused.
Result<Module> read_module(std::string_view text);

}  // namespace fuseboard::ptx
