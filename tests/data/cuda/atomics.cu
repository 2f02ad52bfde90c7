// Atomics of all kinds on global memory, a lock by compare-and-swap, and the last block that adds up the others.
// It must not know in which order threads come.
extern "C" __global__ void atomics(const int* __restrict__ x, int* words, float* real, double* wide,
                                   unsigned long long* longs, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int value = x[i];
  atomicAdd(&words[0], value);
  atomicMax(&words[1], value);
  atomicMin(&words[2], value);
  atomicAnd(&words[3], value | 0xff);
  atomicOr(&words[4], value & 0xff0);
  atomicXor(&words[5], value);
  atomicInc(reinterpret_cast<unsigned*>(&words[6]), 9u);
  words[8 + i] = atomicExch(&words[7], i + 1);
  atomicAdd(real, static_cast<float>(value & 15));
  atomicAdd(wide, 0.5 * value);
  atomicMax(longs, static_cast<unsigned long long>(value & 0xffff) << 20);
}

extern "C" __global__ void locked(int* lock, int* counter, const int* __restrict__ x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool waiting = i < n;
  while (waiting) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      volatile int* seen = counter;
      *seen = *seen * 3 + x[i];
      seen[1] += 1;
      __threadfence();
      atomicExch(lock, 0);
      waiting = false;
    }
  }
}

extern "C" __global__ void last_block(const float* __restrict__ x, volatile float* partial, unsigned* arrived, float* out) {
  __shared__ float values[64];
  __shared__ bool last;
  values[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int k = 0; k < 64; ++k) sum += values[k];
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(arrived, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float sum = 0.0f;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b];
    *out = sum;
  }
}
