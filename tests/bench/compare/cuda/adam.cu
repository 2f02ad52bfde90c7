// Adam's update with weight decay: parameter, gradient, two moments in; parameter and moments out.
// It must not know what it is compared with.
#include "vectors.cuh"

constexpr unsigned kCount = ROWS * COLUMNS;

__device__ __forceinline__ void update(float& p, float g, float& m, float& v) {
  m = m * 0.9f + g * 0.1f;
  v = fabsf(v) * 0.999f + g * 0.001f * g;
  const float mean = m / 0.1f;
  const float spread = sqrtf(v / 0.001f) + 1e-8f;
  p = p - mean * 0.001f / spread - p * 1e-4f;
}

extern "C" __global__ void adam(const Element* __restrict__ p, const Element* __restrict__ g,
                                const Element* __restrict__ m, const Element* __restrict__ v,
                                Element* __restrict__ p_out, Element* __restrict__ m_out,
                                Element* __restrict__ v_out) {
  FOR_EACH_PACK(pack, kCount) {
    float a[kSlots], b[kSlots], c[kSlots], d[kSlots];
    load(p, pack, a);
    load(g, pack, b);
    load(m, pack, c);
    load(v, pack, d);
#pragma unroll
    for (unsigned j = 0; j < kSlots; ++j) update(a[j], b[j], c[j], d[j]);
    store(p_out, pack, a);
    store(m_out, pack, c);
    store(v_out, pack, d);
  }
  FOR_THE_REST(i, kCount) {
    float a = wide(p[i]), b = wide(m[i]), c = wide(v[i]);
    update(a, wide(g[i]), b, c);
    narrow(a, p_out[i]);
    narrow(b, m_out[i]);
    narrow(c, v_out[i]);
  }
}
