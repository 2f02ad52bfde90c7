// Shared memory sized at the launch, split in two: each block reversed, and its running differences.
// It must not know the block's size.
extern __shared__ int space[];

extern "C" __global__ void reverse(const int* __restrict__ x, int* __restrict__ y, double* __restrict__ means) {
  double* wide = reinterpret_cast<double*>(space);
  int* narrow = reinterpret_cast<int*>(wide + blockDim.x);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  narrow[threadIdx.x] = x[i];
  wide[threadIdx.x] = 0.5 * x[i];
  __syncthreads();
  const int other = blockDim.x - 1 - threadIdx.x;
  y[i] = narrow[other];
  means[i] = wide[other] + wide[threadIdx.x];
}
