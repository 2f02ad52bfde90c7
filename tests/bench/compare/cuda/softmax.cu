// Softmax along the rows of x [ROWS, COLUMNS]: one read, one write, two folds, one reciprocal a row.
// It must not know what it is compared with.
#include "rows.cuh"

/// e to the value and 1 / value without the handling of denormals that __expf and __fdividef have unless all of
/// a file gives it up.
__device__ __forceinline__ float power(float value) {
  float out;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(out) : "f"(value * 1.4426950408889634f));
  return out;
}

__device__ __forceinline__ float reciprocal(float value) {
  float out;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(out) : "f"(value));
  return out;
}

extern "C" __global__ void __launch_bounds__(kBlock)
    softmax(const Element* __restrict__ x, Element* __restrict__ out) {
  __shared__ float partials[2][kWarps];
  float row[kPasses][kSlots];
  load_row(x, row);
  float most = row[0][0];
#pragma unroll
  for (unsigned i = 1; i < kPasses * kSlots; ++i) most = larger(most, row[i / kSlots][i % kSlots]);
  most = over_row(most, Largest(), partials[0]);
  float sum = 0;
#pragma unroll
  for (unsigned i = 0; i < kPasses * kSlots; ++i) {
    float& value = row[i / kSlots][i % kSlots];
    value = power(value - most);
    sum = i == 0 ? value : sum + value;
  }
  const float share = reciprocal(over_row(sum, Sum(), partials[1]));
  Word4* to = reinterpret_cast<Word4*>(out) + row_of_thread() * kRowPacks + lane_of_thread();
#pragma unroll
  for (unsigned pass = 0; pass < kPasses; ++pass) {
#pragma unroll
    for (unsigned j = 0; j < kSlots; ++j) row[pass][j] *= share;
    store_pack(to + pass * kRowThreads, row[pass]);
  }
}
