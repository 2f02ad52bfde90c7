// Pairs of halves: products with a sum, comparisons, extremes, conversions.
// It must not know odd lengths.
#include <cuda_fp16.h>

extern "C" __global__ void axpy_half2(const __half2* __restrict__ x, __half2* y, float a, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs) y[i] = __hfma2(__float2half2_rn(a), x[i], y[i]);
}

extern "C" __global__ void clamp_half2(const __half2* __restrict__ x, const __half2* __restrict__ y,
                                       __half2* __restrict__ out, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  const __half2 a = x[i], b = y[i];
  const __half2 mask = __hgt2(a, b);
  __half2 value = __hadd2(__hmul2(__hsub2(a, b), mask), __hneg2(b));
  if (__hbeq2(a, b)) value = __habs2(a);
  out[i] = __lows2half2(value, __lowhigh2highlow(value));
}

extern "C" __global__ void dot_half(const __half* __restrict__ x, const __half* __restrict__ y, float* out, int n) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += 32) sum += __half2float(x[i]) * __half2float(y[i]);
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (threadIdx.x == 0) *out = sum;
}
