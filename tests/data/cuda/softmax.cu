// Softmax, a block a row: maximum, sum of exponentials, quotient.
// It must not know a row that fits the block.
#include <math_constants.h>

extern "C" __global__ void softmax(const float* __restrict__ x, float* __restrict__ y, int columns) {
  __shared__ float shared[256];
  const float* row = x + static_cast<long long>(blockIdx.x) * columns;
  float* out = y + static_cast<long long>(blockIdx.x) * columns;
  float top = -CUDART_INF_F;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) top = fmaxf(top, row[i]);
  shared[threadIdx.x] = top;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] = fmaxf(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  top = shared[0];
  __syncthreads();
  float sum = 0.0f;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += expf(row[i] - top);
  shared[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  sum = shared[0];
  for (int i = threadIdx.x; i < columns; i += blockDim.x) out[i] = expf(row[i] - top) / sum;
}
