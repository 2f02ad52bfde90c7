// A launch's geometry (spec 2).
// It must not know what is launched.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace fuseboard {

struct KernelConfig {
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::array<uint32_t, 3> block{1, 1, 1};
  uint32_t shared_mem_bytes = 0;
};

/// All threads of a launch: the product of the six; nothing where it leaves 64 bits.
std::optional<uint64_t> total_threads(const KernelConfig& config);

}  // namespace fuseboard
