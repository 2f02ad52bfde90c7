// y = a x + y, an element a thread.
// It must not know how it is launched: threads past the end leave.
extern "C" __global__ void saxpy(int n, float a, const float* __restrict__ x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
