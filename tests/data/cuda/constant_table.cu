// Tables in constant memory and in global memory, with initial values, and a counter that all launches share.
// It must not know a host that fills them.
__constant__ float coefficients[6] = {1.0f, 1.0f, 0.5f, 0.16666667f, 0.041666668f, 0.008333334f};
__constant__ short steps[4] = {1, -2, 3, -4};
__device__ int offsets[8] = {7, 6, 5, 4, 3, 2, 1, 0};
__device__ const char letters[] = "fuse\n\"board\"";
__device__ unsigned launches;

extern "C" __global__ void polynomial(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float value = coefficients[5];
  for (int k = 4; k >= 0; --k) value = value * x[i] + coefficients[k];
  y[i] = value + steps[i & 3];
}

extern "C" __global__ void gather(const int* __restrict__ x, int* __restrict__ y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) atomicAdd(&launches, 1u);
  if (i < n) y[i] = x[(i & ~7) + offsets[i & 7]] + letters[i % 12];
}
