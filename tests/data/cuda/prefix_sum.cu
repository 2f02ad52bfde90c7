// Inclusive sums of a block: by doubling steps in shared memory, and by shuffles.
// It must not know other blocks.
extern "C" __global__ void scan_shared(const int* __restrict__ x, int* __restrict__ y, int n) {
  __shared__ int buffer[2][256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = 0;
  buffer[0][threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  for (int offset = 1; offset < blockDim.x; offset *= 2) {
    int value = buffer[at][threadIdx.x];
    if (threadIdx.x >= offset) value += buffer[at][threadIdx.x - offset];
    at = 1 - at;
    buffer[at][threadIdx.x] = value;
    __syncthreads();
  }
  if (i < n) y[i] = buffer[at][threadIdx.x];
}

extern "C" __global__ void scan_shuffle(const int* __restrict__ x, int* __restrict__ y, int n) {
  __shared__ int of_warp[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int value = i < n ? x[i] : 0;
  for (int offset = 1; offset < 32; offset *= 2) {
    const int other = __shfl_up_sync(0xffffffffu, value, offset);
    if (lane >= offset) value += other;
  }
  if (lane == 31) of_warp[warp] = value;
  __syncthreads();
  for (int before = 0; before < warp; ++before) value += of_warp[before];
  if (i < n) y[i] = value;
}
