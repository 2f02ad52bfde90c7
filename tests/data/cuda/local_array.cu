// An array that a thread indexes by values: local memory.
// It must not know the order of its input.
extern "C" __global__ void sort_windows(const float* __restrict__ x, float* __restrict__ medians, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float window[16];
  const int size = 9 + (i & 7);
#pragma unroll 1
  for (int k = 0; k < size; ++k) {
    const float value = x[i + k];
    int at = k;
#pragma unroll 1
    for (; at > 0 && window[at - 1] > value; --at) window[at] = window[at - 1];
    window[at] = value;
  }
  medians[i] = window[size / 2];
}
