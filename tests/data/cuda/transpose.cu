// A transpose through a tile of shared memory: with a padded row, without one, and without any tile.
// It must not know that the matrix is square: it has rows and columns.
template <int width>
static __device__ void through_tile(const float* __restrict__ in, float* __restrict__ out, int rows, int columns) {
  __shared__ float tile[32][width];
  int column = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (row + i < rows && column < columns) tile[threadIdx.y + i][threadIdx.x] = in[(row + i) * columns + column];
  __syncthreads();
  column = blockIdx.y * 32 + threadIdx.x;
  row = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (row + i < columns && column < rows) out[(row + i) * rows + column] = tile[threadIdx.x][threadIdx.y + i];
}

extern "C" __global__ void transpose_padded(const float* in, float* out, int rows, int columns) {
  through_tile<33>(in, out, rows, columns);
}

extern "C" __global__ void transpose_conflicting(const float* in, float* out, int rows, int columns) {
  through_tile<32>(in, out, rows, columns);
}

extern "C" __global__ void transpose_strided(const float* __restrict__ in, float* __restrict__ out, int rows,
                                             int columns) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8)
    if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
}
