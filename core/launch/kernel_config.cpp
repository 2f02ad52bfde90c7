// Counting a launch's threads.
// It must not know what is launched.
#include "launch/kernel_config.h"

namespace fuseboard {

std::optional<uint64_t> total_threads(const KernelConfig& config) {
  uint64_t total = 1;
  bool overflow = false;
  bool is_empty = false;  // a 0 makes the product 0, whatever the others are
  for (const auto& sizes : {config.grid, config.block}) {
    for (const uint32_t size : sizes) {
      is_empty = is_empty || size == 0;
      overflow = __builtin_mul_overflow(total, uint64_t{size}, &total) || overflow;
    }
  }
  if (is_empty) return 0;
  return overflow ? std::nullopt : std::optional(total);
}

}  // namespace fuseboard
