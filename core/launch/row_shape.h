// How the threads of a kernel that reduces share its rows.
// It must not know ops, nor PTX.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/row_domain.h"

namespace fuseboard {

enum class RowWalk : uint8_t {
  held,    ///< a thread's elements of a row stay in registers: each is read once
  looped,  ///< the row is walked again for what depends on a fold of it: `bytes_reread`
};

/// A row's columns are walked in accesses of `slots` neighbours in memory. Where the innermost part of the
/// domain is reduced these are columns of one row; otherwise (`along_rows`) they are `slots` rows, and a
/// thread folds each slot for itself. Thread t of a block, pass p, slot j:
/// - not along_rows: row = block * rows_in_block + t / threads,
///                   column = (p * threads + t % threads) * slots + j
/// - along_rows, with groups = rows_in_block / slots:
///                   row = block * rows_in_block + t % groups * slots + j,
///                   column = p * threads + t / groups
/// A row past the last, or a column past the last, is not there: its lane computes nothing that is kept.
/// block[0] = threads * rows_in_block (along_rows: threads * groups); grid[0] = ceil(rows / rows_in_block).
struct RowShape {
  RowDomain domain;
  std::vector<uint32_t> stores;  ///< op ids materialized, full or by row, ascending
  RowWalk walk = RowWalk::held;
  bool along_rows = false;
  uint32_t slots = 1;          ///< a power of two
  uint32_t threads = 1;        ///< that share a row, a power of two up to 1024
  uint32_t rows_in_block = 1;  ///< that a block computes
  uint64_t passes = 1;  ///< accesses of a thread along a row: all unrolled where held, a loop otherwise

  /// Whether slots and passes need no test for columns past the last. Rows may still need one.
  bool has_whole_columns() const;
  /// Partial values that the warps of a block leave in shared memory, of one fold and one slot that is a row
  /// of its own; 0 where a warp holds whole rows. O(1).
  uint32_t partial_places() const;
  uint64_t column(uint32_t thread, uint64_t pass, uint32_t slot) const;  ///< may be past the last
  uint64_t row(uint64_t block, uint32_t thread, uint32_t slot) const;    ///< may be past the last
};

}  // namespace fuseboard
