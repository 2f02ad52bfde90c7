// The tanh form of gelu over a grid-stride loop, single floats and four at a time.
// It must not know how many blocks there are.
static __device__ float gelu_of(float x) {
  const float inner = 0.7978845608028654f * (x + 0.044715f * x * x * x);
  return 0.5f * x * (1.0f + tanhf(inner));
}

extern "C" __global__ void gelu(const float* __restrict__ x, float* __restrict__ y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = gelu_of(x[i]);
}

extern "C" __global__ void gelu_vector(const float4* __restrict__ x, float4* __restrict__ y, int quads) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
    const float4 v = x[i];
    y[i] = make_float4(gelu_of(v.x), gelu_of(v.y), gelu_of(v.z), gelu_of(v.w));
  }
}
