// A producer warp and a consumer warp that hand over tiles by named barriers: arrive on one side, sync on the other.
// It must not know blocks of another size than 64 threads.
static __device__ void sync(int barrier) { asm volatile("barrier.sync.aligned %0, 64;" ::"r"(barrier) : "memory"); }
static __device__ void arrive(int barrier) { asm volatile("bar.arrive %0, 64;" ::"r"(barrier) : "memory"); }

extern "C" __global__ void hand_over(const int* __restrict__ x, int* __restrict__ y, int tiles) {
  __shared__ int tile[2][32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int t = 0; t < tiles; ++t) {
      if (t >= 2) sync(3 + t % 2);  // the tile is empty
      tile[t % 2][lane] = x[t * 32 + lane] * 2;
      arrive(1 + t % 2);  // the tile is full
    }
  } else {
    for (int t = 0; t < tiles; ++t) {
      sync(1 + t % 2);
      y[t * 32 + lane] = tile[t % 2][31 - lane];
      if (t + 2 < tiles) arrive(3 + t % 2);
    }
  }
}
