// Which blocks stand in for a launch: the named ones are there, and not too many others.
// It must not know what kernels compute.
#include "verify/block_sample.h"

#include <algorithm>

#include "catch.h"

using namespace fuseboard;

namespace {

Kernel kernel_of(uint64_t elements, uint32_t blocks, DType dtype = DType::f32) {
  Kernel kernel;
  kernel.config.grid[0] = blocks;
  kernel.config.block[0] = 256;
  KernelLoop loop;
  loop.elements = elements;
  kernel.loops.push_back(loop);
  KernelParameter parameter;
  parameter.dtype = dtype;
  parameter.elements = elements;
  kernel.parameters.push_back(parameter);
  return kernel;
}

bool has(const BlockSample& sample, uint64_t block) {
  return std::binary_search(sample.blocks.begin(), sample.blocks.end(), block);
}

}  // namespace

TEST_CASE("the first block, the last and that of the last element are among the sample") {
  const uint64_t elements = 2048 * 1024 * 3 + 1024 * 77 + 5;
  const BlockSample sample = sample_blocks(kernel_of(elements, 2048), 4, 1, 1 << 20);
  CHECK(has(sample, 0));
  CHECK(has(sample, 2047));
  CHECK(has(sample, 77));
  CHECK(sample.blocks.size() <= 62);
  CHECK(std::is_sorted(sample.blocks.begin(), sample.blocks.end()));
  CHECK(sample.text.find("of 2048 blocks") != std::string::npos);
  CHECK(sample.text.find("2^31") == std::string::npos);
}

TEST_CASE("blocks where an offset passes 2^31 are among the sample") {
  const uint64_t limit = uint64_t{1} << 31;
  const BlockSample sample = sample_blocks(kernel_of(3 * limit, 1999), 4, 1, 1 << 20);
  for (const uint64_t element : {limit, limit - 1, limit / 4, limit * 2})
    CHECK(has(sample, element / 1024 % 1999));
  CHECK(sample.text.find("2^31") != std::string::npos);
}

TEST_CASE("another seed samples other blocks, and long blocks are fewer") {
  const Kernel kernel = kernel_of(uint64_t{1} << 24, 2048);
  CHECK(sample_blocks(kernel, 4, 1, 1 << 20).blocks != sample_blocks(kernel, 4, 2, 1 << 20).blocks);
  const Kernel longer = kernel_of(uint64_t{1} << 40, 2048);
  CHECK(sample_blocks(longer, 4, 1, 1 << 20).blocks.size() <= 10);
  CHECK(sample_blocks(kernel_of(100, 1), 4, 1, 1).blocks == std::vector<uint64_t>{0});
}

TEST_CASE("of a kernel that reduces the blocks are those of its rows") {
  Kernel kernel = kernel_of(0, 1 << 19);
  kernel.loops.clear();
  RowShape shape;
  shape.domain = row_domain(std::vector<uint64_t>{1 << 20, 4096}, std::vector<uint64_t>{1});
  shape.rows_in_block = 2;
  kernel.rows = shape;
  const BlockSample sample = sample_blocks(kernel, 4, 1, 1 << 20);
  const uint64_t limit = uint64_t{1} << 31;
  for (const uint64_t element : {uint64_t{0}, limit - 1, limit, 2 * limit - 1})
    CHECK(has(sample, element / 4096 / 2));
  CHECK(sample.text.find("2^31") != std::string::npos);
  CHECK(sample.blocks.back() == (1 << 19) - 1);
}
