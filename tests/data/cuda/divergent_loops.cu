// Loops whose lanes leave at different times, with break and continue, one in another.
// It must not know a bound on the steps.
extern "C" __global__ void collatz(const unsigned* __restrict__ x, unsigned* __restrict__ steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long value = x[i];
  unsigned count = 0;
  while (value > 1) {
    value = value % 2 == 0 ? value / 2 : 3 * value + 1;
    ++count;
  }
  steps[i] = count;
}

extern "C" __global__ void primes_below(unsigned* __restrict__ counts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned count = 0;
  for (unsigned candidate = 2; candidate < static_cast<unsigned>(i); ++candidate) {
    if (candidate > 2 && candidate % 2 == 0) continue;
    bool prime = true;
    for (unsigned divisor = 3; divisor * divisor <= candidate; divisor += 2) {
      if (candidate % divisor == 0) {
        prime = false;
        break;
      }
    }
    count += prime;
  }
  counts[i] = count;
}
