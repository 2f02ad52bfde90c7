// What lanes of a warp tell each other: votes, matches, masks, reductions by shuffles of parts of a warp.
// It must not know more than one warp a row of results.
extern "C" __global__ void votes(const int* __restrict__ x, unsigned* __restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = x[i];
  unsigned* mine = out + 8 * i;
  mine[0] = __ballot_sync(0xffffffffu, value > 0);
  mine[1] = __any_sync(0xffffffffu, value > 90) + 2 * __all_sync(0xffffffffu, value > -95);
  mine[2] = __match_any_sync(0xffffffffu, value & 3);
  int same = 0;
  mine[3] = __match_all_sync(0xffffffffu, value >> 8, &same) ^ same;
  mine[4] = 0;
  mine[5] = 0;
  if (value & 1) {
    mine[4] = __activemask();
    mine[5] = __shfl_sync(__activemask(), value, __ffs(__activemask()) - 1);
  }
  __syncwarp();
  mine[6] = __shfl_xor_sync(0xffffffffu, value, 3, 8) + __shfl_down_sync(0xffffffffu, value, 3, 16);
  mine[7] = __shfl_up_sync(0xffffffffu, value, 5, 8) + __shfl_sync(0xffffffffu, value, i + 1, 4);
}
