// Packs of 16 bytes of floats, half or bfloat16: loaded and stored at once, computed in f32.
// It must not know which kernel uses them.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#ifndef ELEMENT
#define ELEMENT float
#endif
using Element = ELEMENT;
constexpr unsigned kSlots = 16 / sizeof(Element);

struct alignas(16) Pack {
  Element slots[kSlots];
};

__device__ __forceinline__ float wide(float value) { return value; }
__device__ __forceinline__ float wide(__half value) { return __half2float(value); }
__device__ __forceinline__ float wide(__nv_bfloat16 value) { return __bfloat162float(value); }

__device__ __forceinline__ void narrow(float value, float& out) { out = value; }
__device__ __forceinline__ void narrow(float value, __half& out) { out = __float2half_rn(value); }
__device__ __forceinline__ void narrow(float value, __nv_bfloat16& out) { out = __float2bfloat16_rn(value); }

/// The larger of two, NaN where either is: one instruction from sm_80 on, for which CUDA C++ has no name.
__device__ __forceinline__ float larger(float a, float b) {
  float out;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(out) : "f"(a), "f"(b));
  return out;
}

__device__ __forceinline__ float relu(float value) { return larger(value, 0.0f); }

/// What one access moves: float4 as it is, halves as words.
template <class T>
struct Words {
  using type = uint4;
};
template <>
struct Words<float> {
  using type = float4;
};
using Word4 = Words<Element>::type;

__device__ __forceinline__ void load(const Element* __restrict__ from, unsigned pack, float (&out)[kSlots]) {
  const Word4 words = __ldg(reinterpret_cast<const Word4*>(from) + pack);
  const Pack packed = *reinterpret_cast<const Pack*>(&words);
#pragma unroll
  for (unsigned j = 0; j < kSlots; ++j) out[j] = wide(packed.slots[j]);
}

__device__ __forceinline__ void store(Element* __restrict__ to, unsigned pack, const float (&values)[kSlots]) {
  Pack packed;
#pragma unroll
  for (unsigned j = 0; j < kSlots; ++j) narrow(values[j], packed.slots[j]);
  reinterpret_cast<Word4*>(to)[pack] = *reinterpret_cast<const Word4*>(&packed);
}

/// Packs in grid-stride order.
#define FOR_EACH_PACK(pack, count)                                                         \
  for (unsigned pack = blockIdx.x * blockDim.x + threadIdx.x; pack < (count) / kSlots; \
       pack += gridDim.x * blockDim.x)

/// The elements behind the last pack, one a thread.
#define FOR_THE_REST(element, count)                                                             \
  for (unsigned element = (count) / kSlots * kSlots + blockIdx.x * blockDim.x + threadIdx.x; \
       element < (count); element += gridDim.x * blockDim.x)
