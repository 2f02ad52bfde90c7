// The library's functions in float and double, as nvcc writes them out.
// It must not know their algorithms.
extern "C" __global__ void math_float(const float* __restrict__ x, float* __restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float a = x[i];
  float* mine = out + 10 * i;
  mine[0] = sinf(a * 1e5f);  // the long reduction, in local memory
  mine[1] = expf(a);
  mine[2] = logf(fabsf(a) + 0.001f);
  mine[3] = powf(fabsf(a), 1.7f);
  mine[4] = erff(a);
  mine[5] = sqrtf(fabsf(a));
  mine[6] = cbrtf(a);
  mine[7] = a / (fabsf(a) + 1.5f);
  mine[8] = fmodf(a, 0.7f);
  mine[9] = log1pf(fabsf(a));
}

extern "C" __global__ void math_double(const double* __restrict__ x, double* __restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double a = x[i];
  double* mine = out + 8 * i;
  mine[0] = sin(a);
  mine[1] = exp(a);
  mine[2] = log(fabs(a) + 0.001);
  mine[3] = pow(fabs(a) + 0.1, 1.7);
  mine[4] = tanh(a);
  mine[5] = sqrt(fabs(a));
  mine[6] = a / (fabs(a) + 1.5);
  mine[7] = erf(a);
}
