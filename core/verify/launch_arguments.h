// What a launch passes to an entry, as bytes.
// It must not know kernels of a plan, nor what the arguments mean.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ptx/module.h"

namespace fuseboard {

/// A pointer, or a number that the parameter's own type says how to hold.
struct LaunchArgument {
  bool is_scalar = false;
  double scalar = 0;
  uint64_t address = 0;
};

struct LaunchArguments {
  std::vector<uint8_t> bytes;
  std::string fault;  ///< why they do not fit, naming the parameter; "" where they do
  uint32_t line = 0;  ///< of the fault
};

/// One argument a parameter of the entry, in order. O(parameters).
LaunchArguments lay_out(const ptx::Module& module, const ptx::Function& entry,
                        std::span<const LaunchArgument> arguments);

}  // namespace fuseboard
