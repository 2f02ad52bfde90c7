// Layer norm, a warp a row: once with shuffles, once with cooperative groups.
// It must not know rows that a warp divides evenly.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

extern "C" __global__ void norm_shuffle(const float* __restrict__ x, float* __restrict__ y, int rows, int columns) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= rows) return;
  const int lane = threadIdx.x % 32;
  float sum = 0.0f, squares = 0.0f;
  for (int i = lane; i < columns; i += 32) sum += x[row * columns + i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  const float mean = sum / columns;
  for (int i = lane; i < columns; i += 32) squares += (x[row * columns + i] - mean) * (x[row * columns + i] - mean);
  for (int offset = 16; offset > 0; offset /= 2) squares += __shfl_xor_sync(0xffffffffu, squares, offset);
  const float scale = rsqrtf(squares / columns + 1e-5f);
  for (int i = lane; i < columns; i += 32) y[row * columns + i] = (x[row * columns + i] - mean) * scale;
}

extern "C" __global__ void norm_groups(const float* __restrict__ x, float* __restrict__ y, int rows, int columns) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  const int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row >= rows) return;
  float squares = 0.0f;
  for (int i = warp.thread_rank(); i < columns; i += warp.size()) squares += x[row * columns + i] * x[row * columns + i];
  squares = cg::reduce(warp, squares, cg::plus<float>());
  warp.sync();
  const float scale = rsqrtf(squares / columns + 1e-5f);
  for (int i = warp.thread_rank(); i < columns; i += warp.size()) y[row * columns + i] = x[row * columns + i] * scale;
}
