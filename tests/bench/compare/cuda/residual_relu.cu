// relu(x + y).
// It must not know what it is compared with.
#include "vectors.cuh"

constexpr unsigned kCount = ROWS * COLUMNS;

extern "C" __global__ void residual_relu(const Element* __restrict__ x, const Element* __restrict__ y,
                                         Element* __restrict__ out) {
  FOR_EACH_PACK(pack, kCount) {
    float a[kSlots], b[kSlots];
    load(x, pack, a);
    load(y, pack, b);
#pragma unroll
    for (unsigned j = 0; j < kSlots; ++j) a[j] = relu(a[j] + b[j]);
    store(out, pack, a);
  }
  FOR_THE_REST(i, kCount) narrow(relu(wide(x[i]) + wide(y[i])), out[i]);
}
