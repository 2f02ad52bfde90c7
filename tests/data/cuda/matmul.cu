// c = a b by tiles of 16 x 16 in shared memory.
// It must not know sizes that are multiples of a tile: edges are zeros.
extern "C" __global__ void matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                  int m, int n, int k) {
  __shared__ float tile_a[16][16];
  __shared__ float tile_b[16][17];
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0.0f;
  for (int start = 0; start < k; start += 16) {
    const int at_a = start + threadIdx.x, at_b = start + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = row < m && at_a < k ? a[row * k + at_a] : 0.0f;
    tile_b[threadIdx.y][threadIdx.x] = at_b < k && column < n ? b[at_b * n + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; ++i) sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
