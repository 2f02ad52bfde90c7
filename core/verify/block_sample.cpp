// Choosing blocks by the elements that they walk.
// It must not know what the kernel computes.
#include "verify/block_sample.h"

#include <algorithm>
#include <set>

#include "verify/seeded_values.h"

namespace fuseboard {

BlockSample sample_blocks(const Kernel& kernel, uint32_t slots, uint64_t seed, uint64_t most_elements) {
  const uint64_t blocks = uint64_t{kernel.config.grid[0]} * kernel.config.grid[1] * kernel.config.grid[2];
  const uint64_t pass = uint64_t{kernel.config.block[0]} * std::max(slots, 1U);  // elements of a block's pass
  uint64_t elements = 0;
  for (const KernelLoop& loop : kernel.loops) elements = std::max(elements, loop.elements);
  if (kernel.move) elements = kernel.parameters.back().elements;
  if (kernel.rows) elements = kernel.rows->domain.elements();
  uint64_t bytes = 1;
  for (const KernelParameter& each : kernel.parameters)
    bytes = std::max<uint64_t>(bytes, dtype_bytes(each.dtype));

  std::set<uint64_t> chosen{0, blocks - 1};
  const auto with = [&](uint64_t element) {
    if (element >= elements) return;
    chosen.insert(kernel.rows ? kernel.rows->domain.row_of(element) / kernel.rows->rows_in_block
                              : element / pass % blocks);
  };
  with(elements - 1);
  bool passes = false;
  for (const uint64_t limit : {uint64_t{1} << 31, uint64_t{1} << 32}) {
    for (const uint64_t element : {limit, limit / bytes}) {
      with(element - 1);
      with(element);
      passes = passes || element < elements;
    }
  }
  const size_t named = chosen.size();
  const uint64_t walked = std::max<uint64_t>(elements / blocks, 1);
  const uint64_t more = std::clamp<uint64_t>(most_elements / walked, 2, 59);
  for (uint64_t i = 0; chosen.size() < named + more && chosen.size() < blocks && i < 8 * more; ++i) {
    chosen.insert(seeded_random(seed, kernel.group, i) % blocks);
  }
  BlockSample sample;
  sample.blocks.assign(chosen.begin(), chosen.end());
  sample.text = std::to_string(chosen.size()) + " of " + std::to_string(blocks) +
                " blocks: the first, the last, that of the last element, " +
                (passes ? "those where an offset passes 2^31 or 2^32, " : "") +
                std::to_string(chosen.size() - named) + " by the seed";
  return sample;
}

}  // namespace fuseboard
