// x + row, x of [ROWS, COLUMNS], row of [COLUMNS].
// It must not know what it is compared with.
#include "vectors.cuh"

constexpr unsigned kCount = ROWS * COLUMNS;

extern "C" __global__ void row_add(const Element* __restrict__ x, const Element* __restrict__ row,
                                   Element* __restrict__ out) {
  FOR_EACH_PACK(pack, kCount) {
    float a[kSlots], b[kSlots];
    load(x, pack, a);
    load(row, pack % (COLUMNS / kSlots), b);
#pragma unroll
    for (unsigned j = 0; j < kSlots; ++j) a[j] += b[j];
    store(out, pack, a);
  }
  FOR_THE_REST(i, kCount) narrow(wide(x[i]) + wide(row[i % COLUMNS]), out[i]);
}
