// LayerNorm along the rows of x [ROWS, COLUMNS] with scale and shift [COLUMNS]: one read, one write, the variance
// from the held differences. It must not know what it is compared with.
#include "rows.cuh"

extern "C" __global__ void __launch_bounds__(kBlock)
    layer_norm(const Element* __restrict__ x, const Element* __restrict__ scale,
               const Element* __restrict__ shift, Element* __restrict__ out) {
  __shared__ float partials[2][kWarps];
  float row[kPasses][kSlots];
  load_row(x, row);
  float sum = row[0][0];
#pragma unroll
  for (unsigned i = 1; i < kPasses * kSlots; ++i) sum += row[i / kSlots][i % kSlots];
  const float mean = over_row(sum, Sum(), partials[0]) * (1.0f / COLUMNS);
  float squares = 0;
#pragma unroll
  for (unsigned i = 0; i < kPasses * kSlots; ++i) {
    float& value = row[i / kSlots][i % kSlots];
    value -= mean;
    squares += value * value;
  }
  const float inverse = rsqrtf(over_row(squares, Sum(), partials[1]) * (1.0f / COLUMNS) + 1e-5f);
  const Word4* scales = reinterpret_cast<const Word4*>(scale) + lane_of_thread();
  const Word4* shifts = reinterpret_cast<const Word4*>(shift) + lane_of_thread();
  Word4* to = reinterpret_cast<Word4*>(out) + row_of_thread() * kRowPacks + lane_of_thread();
#pragma unroll
  for (unsigned pass = 0; pass < kPasses; ++pass) {
    float g[kSlots], b[kSlots];
    load_pack(scales + pass * kRowThreads, g);
    load_pack(shifts + pass * kRowThreads, b);
#pragma unroll
    for (unsigned j = 0; j < kSlots; ++j) row[pass][j] = row[pass][j] * inverse * g[j] + b[j];
    store_pack(to + pass * kRowThreads, row[pass]);
  }
}
