// Conversions between integers and floats of all widths, in all roundings.
// It must not know values that fit.
#include <cuda_fp16.h>

extern "C" __global__ void from_float(const float* __restrict__ x, int* __restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float a = x[i];
  int* mine = out + 12 * i;
  mine[0] = __float2int_rn(a);
  mine[1] = __float2int_rz(a);
  mine[2] = __float2int_ru(a);
  mine[3] = __float2int_rd(a);
  mine[4] = __float2uint_rz(a);
  mine[5] = static_cast<int>(__float2ll_rn(a) >> 8);
  mine[6] = static_cast<signed char>(a) + static_cast<unsigned char>(a) + static_cast<short>(a);
  mine[7] = __half_as_ushort(__float2half_rn(a)) + (__half_as_ushort(__float2half_rz(a)) << 16);
  mine[8] = __float_as_int(floorf(a)) ^ __float_as_int(ceilf(a));
  mine[9] = __float_as_int(rintf(a)) ^ __float_as_int(truncf(a));
  mine[10] = __float_as_int(__saturatef(a));
  mine[11] = __half_as_ushort(__float2half_ru(a)) + (__half_as_ushort(__float2half_rd(a)) << 16);
}

extern "C" __global__ void to_float(const long long* __restrict__ x, float* __restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const long long a = x[i];
  float* mine = out + 8 * i;
  mine[0] = __ll2float_rn(a);
  mine[1] = __ll2float_rz(a);
  mine[2] = __int2float_ru(static_cast<int>(a));
  mine[3] = __uint2float_rd(static_cast<unsigned>(a));
  mine[4] = static_cast<float>(static_cast<short>(a));
  mine[5] = __double2float_rn(static_cast<double>(a) * 1.0000001);
  mine[6] = __double2float_ru(static_cast<double>(a) / 3.0);
  mine[7] = static_cast<float>(static_cast<unsigned long long>(a));
}
