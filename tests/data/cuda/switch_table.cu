// A switch of many cases, which nvcc makes a tree of branches, and an indexed branch written by hand.
// It must not know which operations come.
extern "C" __global__ void calculate(const int* __restrict__ codes, const int* __restrict__ a,
                                     const int* __restrict__ b, int* __restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int r = a[i];
  const int v = b[i];
  switch (codes[i]) {
    case 0: r += v; for (int k = 0; k < (v & 3); ++k) r ^= r << k; break;
    case 1: r -= v; if (r < 0) r = -r * 3; break;
    case 2: r *= v; break;
    case 3: r ^= v; out[i + n] = r; break;
    case 4: r = r < v ? r : v; out[i + n] = v; break;
    case 5: r = __popc(r & v); break;
    case 6: r = __clz(r | v); break;
    case 7: r = __mulhi(r, v); break;
    case 8: r = v == 0 ? 0 : r / v; break;
    case 9: r = v == 0 ? 0 : r % v; break;
    default: r = -1; break;
  }
  out[i] = r;
}

extern "C" __global__ void indexed(const unsigned* __restrict__ codes, unsigned* __restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned r = 0;
  asm volatile(
      "{\n\t"
      ".reg .u32 index;\n\t"
      "and.b32 index, %1, 3;\n"
      "choices: .branchtargets first, second, third, first;\n\t"
      "brx.idx index, choices;\n"
      "first:\n\tadd.u32 %0, %1, 100;\n\tbra.uni done;\n"
      "second:\n\tmul.lo.u32 %0, %1, 3;\n\tbra.uni done;\n"
      "third:\n\tnot.b32 %0, %1;\n"
      "done:\n\t"
      "}"
      : "=r"(r)
      : "r"(codes[i]));
  out[i] = r;
}
