// gelu(x + bias), x of [ROWS, COLUMNS], bias of [COLUMNS].
// It must not know what it is compared with.
#include "vectors.cuh"

constexpr unsigned kCount = ROWS * COLUMNS;

__device__ __forceinline__ float gelu(float value) {
  return 0.5f * value * (1.0f + erff(value * 0.70710678118654752f));
}

extern "C" __global__ void bias_gelu(const Element* __restrict__ x, const Element* __restrict__ bias,
                                     Element* __restrict__ out) {
  FOR_EACH_PACK(pack, kCount) {
    float a[kSlots], b[kSlots];
    load(x, pack, a);
    load(bias, pack % (COLUMNS / kSlots), b);
#pragma unroll
    for (unsigned j = 0; j < kSlots; ++j) a[j] = gelu(a[j] + b[j]);
    store(out, pack, a);
  }
  FOR_THE_REST(i, kCount) narrow(gelu(wide(x[i]) + wide(bias[i % COLUMNS])), out[i]);
}
