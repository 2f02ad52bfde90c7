// A block's sum: by shuffles within warps, by shared memory between them.
// It must not know the grid: each block leaves its own partial.
extern "C" __global__ void block_sum(const float* __restrict__ x, float* __restrict__ partial, int n) {
  __shared__ float of_warp[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < n ? x[i] : 0.0f;
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : 0.0f;
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
  }
}

extern "C" __global__ void count_positive(const float* __restrict__ x, int* total, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int count = __syncthreads_count(i < n && x[i] > 0.0f);
  const int any = __syncthreads_or(i < n && x[i] < -1.0f);
  const int all = __syncthreads_and(i >= n || x[i] > -2.0f);
  if (threadIdx.x == 0) atomicAdd(total, count + 1000 * (any != 0) + 100000 * (all != 0));
}
