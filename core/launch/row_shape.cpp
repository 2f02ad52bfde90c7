// Where a thread's slots lie.
// It must not know ops, nor PTX.
#include "launch/row_shape.h"

#include <algorithm>

namespace fuseboard {
namespace {

constexpr uint32_t kWarp = 32;

}  // namespace

bool RowShape::has_whole_columns() const {
  const uint64_t at_once = along_rows ? threads : uint64_t{threads} * slots;
  return passes * at_once == domain.columns();
}

uint32_t RowShape::partial_places() const {
  if (!along_rows) return threads <= kWarp ? 0 : threads * rows_in_block / kWarp;
  const uint32_t groups = rows_in_block / slots;
  const uint32_t parts = groups < kWarp ? std::max(threads * groups / kWarp, 1U) : threads;
  return threads == 1 || parts == 1 ? 0 : parts * groups;
}

uint64_t RowShape::column(uint32_t thread, uint64_t pass, uint32_t slot) const {
  if (along_rows) return pass * threads + thread / (rows_in_block / slots);
  return (pass * threads + thread % threads) * slots + slot;
}

uint64_t RowShape::row(uint64_t block, uint32_t thread, uint32_t slot) const {
  const uint64_t first = block * rows_in_block;
  if (along_rows) return first + uint64_t{thread % (rows_in_block / slots)} * slots + slot;
  return first + thread / threads;
}

}  // namespace fuseboard
