// Gives a kernel that reduces another share of its rows than lowering chose: tests want small ones of all
// kinds. It must not know PTX.
#pragma once

#include "launch/kernel.h"

namespace fuseboard_test {

struct SharedRows {
  fuseboard::RowWalk walk = fuseboard::RowWalk::held;
  uint32_t slots = 1, threads = 1, rows_in_block = 1;
};

inline void share_rows(fuseboard::Kernel& kernel, const SharedRows& shared) {
  fuseboard::RowShape& rows = *kernel.rows;
  rows.walk = shared.walk;
  rows.slots = shared.slots;
  rows.threads = shared.threads;
  rows.rows_in_block = shared.rows_in_block;
  const uint64_t at_once = rows.along_rows ? rows.threads : uint64_t{rows.threads} * rows.slots;
  rows.passes = (rows.domain.columns() + at_once - 1) / at_once;
  kernel.config.grid[0] =
      static_cast<uint32_t>((rows.domain.rows() + rows.rows_in_block - 1) / rows.rows_in_block);
  kernel.config.block[0] = rows.threads * rows.rows_in_block / (rows.along_rows ? rows.slots : 1);
}

}  // namespace fuseboard_test
