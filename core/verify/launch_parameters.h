// The arguments of a launch as the bytes that its entry's parameters lie in.
// It must not know what they mean.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ptx/module.h"

namespace fuseboard {

struct LaunchBits {
  uint64_t bits = 0;  ///< an address, or a value in the low `bytes`
  uint64_t bytes = 8;
};

/// Each at its parameter's offset, little endian. Nothing, and `fault` says why, where their number or the
/// size of one is not what the entry declares. O(parameters).
std::optional<std::vector<uint8_t>> launch_parameters(const ptx::Module& module, const ptx::Function& entry,
                                                      std::span<const LaunchBits> arguments,
                                                      std::string& fault);

}  // namespace fuseboard
