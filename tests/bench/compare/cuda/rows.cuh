// A row of COLUMNS elements held in the registers of the threads that share it, and its folds: shuffles within a
// warp, shared memory across warps. It must not know what is folded.
#pragma once

#include "vectors.cuh"

constexpr unsigned kRowPacks = COLUMNS / kSlots;
/// A warp or less for a short row, one access a lane at least; behind that 32 elements a thread.
constexpr unsigned kRowThreads =
    COLUMNS <= 1024 ? (kRowPacks < 32 ? kRowPacks : 32) : COLUMNS / 32;
constexpr unsigned kPasses = kRowPacks / kRowThreads;
constexpr unsigned kBlock = kRowThreads < 128 ? 128 : kRowThreads;
constexpr unsigned kRowsInBlock = kBlock / kRowThreads;
constexpr unsigned kWarps = kRowThreads <= 32 ? 1 : kRowThreads / 32;  // of a row; 1: no shared memory
static_assert(kRowPacks % kRowThreads == 0 && ROWS % kRowsInBlock == 0);

__device__ __forceinline__ unsigned row_of_thread() {
  return kRowsInBlock == 1 ? blockIdx.x : blockIdx.x * kRowsInBlock + threadIdx.x / kRowThreads;
}

__device__ __forceinline__ unsigned lane_of_thread() {
  return kRowsInBlock == 1 ? threadIdx.x : threadIdx.x % kRowThreads;
}

__device__ __forceinline__ void widen(const float4& words, float (&out)[kSlots]) {
  out[0] = words.x, out[1] = words.y, out[2] = words.z, out[3] = words.w;
}

__device__ __forceinline__ void widen(const uint4& words, float (&out)[kSlots]) {
  const __half2* pairs = reinterpret_cast<const __half2*>(&words);
#pragma unroll
  for (unsigned j = 0; j < kSlots / 2; ++j) {
    const float2 both = __half22float2(pairs[j]);
    out[2 * j] = both.x, out[2 * j + 1] = both.y;
  }
}

__device__ __forceinline__ void narrow_all(const float (&values)[kSlots], float4& words) {
  words = {values[0], values[1], values[2], values[3]};
}

__device__ __forceinline__ void narrow_all(const float (&values)[kSlots], uint4& words) {
  __half2* pairs = reinterpret_cast<__half2*>(&words);
#pragma unroll
  for (unsigned j = 0; j < kSlots / 2; ++j) pairs[j] = __floats2half2_rn(values[2 * j], values[2 * j + 1]);
}

__device__ __forceinline__ void load_pack(const Word4* from, float (&out)[kSlots]) { widen(__ldg(from), out); }

__device__ __forceinline__ void store_pack(Word4* to, const float (&values)[kSlots]) {
  Word4 words;
  narrow_all(values, words);
  *to = words;
}

/// Every pass of this thread's row, all loads before the first use.
__device__ __forceinline__ void load_row(const Element* __restrict__ from, float (&out)[kPasses][kSlots]) {
  const Word4* packs = reinterpret_cast<const Word4*>(from) + row_of_thread() * kRowPacks + lane_of_thread();
  Word4 words[kPasses];
#pragma unroll
  for (unsigned pass = 0; pass < kPasses; ++pass) words[pass] = __ldg(packs + pass * kRowThreads);
#pragma unroll
  for (unsigned pass = 0; pass < kPasses; ++pass) widen(words[pass], out[pass]);
}

struct Sum {
  __device__ __forceinline__ float operator()(float a, float b) const { return a + b; }
};

struct Largest {
  __device__ __forceinline__ float operator()(float a, float b) const { return larger(a, b); }
};

/// What all threads of the row have, in each of them. `partials` are of this fold alone, so that one barrier does.
template <class Both>
__device__ __forceinline__ float over_row(float value, Both both, float* partials) {
#pragma unroll
  for (unsigned lanes = (kRowThreads < 32 ? kRowThreads : 32) / 2; lanes > 0; lanes /= 2) {
    value = both(value, __shfl_xor_sync(0xffffffffu, value, lanes));
  }
  if constexpr (kWarps > 1) {
    if (threadIdx.x % 32 == 0) partials[threadIdx.x / 32] = value;
    __syncthreads();
    value = partials[threadIdx.x % kWarps];
#pragma unroll
    for (unsigned lanes = kWarps / 2; lanes > 0; lanes /= 2) {
      value = both(value, __shfl_xor_sync(0xffffffffu, value, lanes));
    }
  }
  return value;
}
