// A histogram of bytes: counted in shared memory by atomics, added up in global memory by atomics.
// It must not know the distribution.
extern "C" __global__ void histogram(const unsigned char* __restrict__ x, unsigned* bins, int n) {
  __shared__ unsigned counts[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) counts[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&counts[x[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (counts[i] != 0) atomicAdd(&bins[i], counts[i]);
}
