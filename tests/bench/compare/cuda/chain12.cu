// Twelve ops in a row: add mul sub relu tanh sigmoid exp neg max add mul sqrt.
// It must not know what it is compared with.
#include "vectors.cuh"

constexpr unsigned kCount = ROWS * COLUMNS;

__device__ __forceinline__ float chain(float a, float b, float c) {
  float t = (a + b) * c - a;
  t = tanhf(relu(t));
  t = 1.0f / (1.0f + expf(-t));
  t = -expf(t);
  t = larger(t, b);
  return sqrtf((t + c) * a);
}

extern "C" __global__ void chain12(const Element* __restrict__ a, const Element* __restrict__ b,
                                   const Element* __restrict__ c, Element* __restrict__ out) {
  FOR_EACH_PACK(pack, kCount) {
    float x[kSlots], y[kSlots], z[kSlots];
    load(a, pack, x);
    load(b, pack, y);
    load(c, pack, z);
#pragma unroll
    for (unsigned j = 0; j < kSlots; ++j) x[j] = chain(x[j], y[j], z[j]);
    store(out, pack, x);
  }
  FOR_THE_REST(i, kCount) narrow(chain(wide(a[i]), wide(b[i]), wide(c[i])), out[i]);
}
