// What every shape of a kernel that reduces must keep to, by brute force: each element claimed exactly once.
// It must not know graphs or PTX.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "launch/kernel_config.h"
#include "launch/row_shape.h"

namespace fuseboard_test {

inline std::string config_fault(const fuseboard::RowShape& shape, const fuseboard::KernelConfig& config) {
  const uint32_t beside = shape.along_rows ? shape.rows_in_block / shape.slots : shape.rows_in_block;
  if (!std::has_single_bit(shape.threads) || shape.threads > 1024) return "threads";
  if (!std::has_single_bit(shape.slots) || !std::has_single_bit(beside)) return "slots or rows of a block";
  if (shape.along_rows && shape.rows_in_block % shape.slots != 0) return "groups";
  if (config.block[0] != shape.threads * beside) return "block";
  if (config.block[0] % 32 != 0 || config.block[0] > 1024) return "no whole warps";
  if (config.grid[0] != (shape.domain.rows() - 1) / shape.rows_in_block + 1) return "grid";
  if (shape.along_rows == shape.domain.is_innermost_reduced()) return "along the wrong part";
  const uint64_t at_once = uint64_t{shape.threads} * (shape.along_rows ? 1 : shape.slots);
  if (shape.passes != (shape.domain.columns() - 1) / at_once + 1) return "passes";
  return "";
}

/// Of a domain small enough to be walked.
inline std::string claims_fault(const fuseboard::RowShape& shape, const fuseboard::KernelConfig& config) {
  std::vector<uint32_t> claims(shape.domain.elements(), 0);
  for (uint64_t block = 0; block < config.grid[0]; ++block) {
    for (uint32_t thread = 0; thread < config.block[0]; ++thread) {
      for (uint64_t pass = 0; pass < shape.passes; ++pass) {
        for (uint32_t slot = 0; slot < shape.slots; ++slot) {
          const uint64_t row = shape.row(block, thread, slot);
          const uint64_t column = shape.column(thread, pass, slot);
          if (row >= shape.domain.rows() || column >= shape.domain.columns()) continue;
          ++claims[shape.domain.element(row, column)];
        }
      }
    }
  }
  for (const uint32_t times : claims) {
    if (times != 1) return "an element is claimed " + std::to_string(times) + " times";
  }
  return "";
}

}  // namespace fuseboard_test
