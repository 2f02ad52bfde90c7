// Matrices of 8 x 8 halves from shared memory into fragments, plain and transposed.
// It must not know what the fragments are for.
extern "C" __global__ void fragments(const unsigned* __restrict__ x, unsigned* __restrict__ plain,
                                     unsigned* __restrict__ turned) {
  __shared__ __align__(16) unsigned tile[128];
  for (int i = 0; i < 4; ++i) tile[32 * i + threadIdx.x] = x[32 * i + threadIdx.x];
  __syncthreads();
  const unsigned row = static_cast<unsigned>(__cvta_generic_to_shared(&tile[4 * threadIdx.x]));
  unsigned r[4], t[2];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row) : "memory");
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(t[0]), "=r"(t[1]) : "r"(row)
               : "memory");
  for (int i = 0; i < 4; ++i) plain[32 * i + threadIdx.x] = r[i];
  for (int i = 0; i < 2; ++i) turned[32 * i + threadIdx.x] = t[i];
}
