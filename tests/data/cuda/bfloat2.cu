// Pairs of bfloat16: a product with a sum, extremes that keep NaN, conversions from and to float.
// It must not know odd lengths.
#include <cuda_bf16.h>

extern "C" __global__ void fma_bfloat2(const __nv_bfloat162* __restrict__ x, const __nv_bfloat162* __restrict__ y,
                                       __nv_bfloat162* __restrict__ out, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs) out[i] = __hfma2(x[i], y[i], __hmax2_nan(x[i], y[i]));
}

extern "C" __global__ void scale_bfloat2(const __nv_bfloat162* __restrict__ x, __nv_bfloat162* __restrict__ out,
                                         float a, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  const float2 v = __bfloat1622float2(x[i]);
  out[i] = __floats2bfloat162_rn(v.x * a, v.y + a);
}
