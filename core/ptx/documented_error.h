// What the PTX ISA says of the error of the approximate instructions; hardware may be off by as much, where
// the interpreter gives the correctly rounded value. It must not know how they are computed.
#pragma once

#include <optional>
#include <string_view>

#include "ptx/instruction.h"

namespace fuseboard::ptx {

enum class ErrorMeasure : uint8_t { ulps, relative, absolute };

/// The largest error, in one measure, over a range of operands.
struct DocumentedError {
  Opcode opcode;
  Type type;
  Modifier form;  ///< approx, or full
  ErrorMeasure measure;
  double most;
  std::string_view range;  ///< of the operand; "" where it holds for all
};

/// Of the PTX ISA's section on the instruction; none where the instruction rounds correctly, or no bound is
/// given.
std::optional<DocumentedError> documented_error(Opcode opcode, Type type, const Modifiers& modifiers);

}  // namespace fuseboard::ptx
