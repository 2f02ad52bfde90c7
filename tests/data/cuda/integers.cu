// What integers can do on the device, 32 and 64 bits wide, each result on its own.
// It must not know which instruction does it.
extern "C" __global__ void integers(const int* __restrict__ x, const int* __restrict__ y, int* __restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int a = x[i], b = y[i];
  const unsigned u = a, v = b;
  int* mine = out + 20 * i;
  mine[0] = __mulhi(a, b);
  mine[1] = __umulhi(u, v);
  mine[2] = __mul24(a, b);
  mine[3] = __clz(a);
  mine[4] = __popc(a);
  mine[5] = __brev(u);
  mine[6] = __ffs(a);
  mine[7] = __byte_perm(u, v, 0x5140);
  mine[8] = __funnelshift_l(u, v, b);
  mine[9] = __funnelshift_rc(u, v, b & 63);
  mine[10] = __sad(a, b, u);
  mine[11] = __dp4a(a, b, i);
  mine[12] = v == 0 ? 0 : u / v;
  mine[13] = v == 0 ? 0 : u % v;
  mine[14] = a / 7 + b % 1000;
  mine[15] = (a >> (b & 31)) + (u >> (b & 31)) + (a << (b & 31));
  mine[16] = static_cast<signed char>(a) * static_cast<unsigned short>(b) + static_cast<short>(b);
  mine[17] = max(a, b) - min(u, v);
  mine[18] = abs(a) + (a < b) + (u < v) * 2;
  mine[19] = __rhadd(a, b);
}

extern "C" __global__ void wide_integers(const long long* __restrict__ x, const long long* __restrict__ y,
                                         long long* __restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const long long a = x[i], b = y[i];
  const unsigned long long u = a, v = b;
  long long* mine = out + 10 * i;
  mine[0] = __mul64hi(a, b);
  mine[1] = __umul64hi(u, v);
  mine[2] = __clzll(a) + 100 * __popcll(a) + 10000 * __ffsll(a);
  mine[3] = __brevll(u);
  mine[4] = b == 0 || b == -1 ? 0 : a / b;
  mine[5] = v == 0 ? 0 : u % v;
  mine[6] = (a >> (b & 63)) ^ (u << (b & 63));
  mine[7] = max(a, b) ^ min(u, v);
  const unsigned __int128 product = static_cast<unsigned __int128>(u) * v + u;
  mine[8] = static_cast<long long>(product >> 64) - static_cast<long long>(product);
  mine[9] = a * b + (a > b);
}
