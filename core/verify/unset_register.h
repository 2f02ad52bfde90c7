// A register that is read, though nothing ever sets it: its value is whatever the hardware left there.
// It must not know who wrote the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ptx/module.h"

namespace fuseboard {

struct UnsetRegister {
  std::string name;
  uint32_t line = 0;  ///< that reads it first
};

/// The first in the text; nothing where each register that is read is some instruction's destination.
/// O(instructions).
std::optional<UnsetRegister> unset_register(const ptx::Function& function);

}  // namespace fuseboard
