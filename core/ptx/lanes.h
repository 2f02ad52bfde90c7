// Makes a handler of a function of one lane: it runs for all 32, which compilers turn into vectors, and
// keeps what the active lanes computed. It must not know any instruction.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "ptx/execution.h"

namespace fuseboard::ptx {

constexpr std::array<uint32_t, kLanes> kLaneBits = [] {
  std::array<uint32_t, kLanes> bits{};
  for (uint32_t i = 0; i < kLanes; ++i) bits[i] = 1U << i;
  return bits;
}();

/// The frame's bytes are read as whatever a slot holds.
template <class T>
struct Aliased {
  using type __attribute__((may_alias)) = T;
};

template <class T>
class LaneSource {
 public:
  LaneSource(Execution& x, Slot slot)
      : lanes_(reinterpret_cast<const typename Aliased<T>::type*>(x.at(slot))) {}
  T operator[](uint32_t lane) const { return lanes_[lane]; }

 private:
  const typename Aliased<T>::type* lanes_;
};

template <>
class LaneSource<bool> {
 public:
  LaneSource(Execution& x, Slot slot) : bits_(x.predicate(slot)) {}
  bool operator[](uint32_t lane) const { return (bits_ & kLaneBits[lane]) != 0; }

 private:
  uint32_t bits_;
};

/// Stores the active lanes of `values`.
template <class T>
void keep(Execution& x, Slot slot, const T* values) {
  auto* const to = reinterpret_cast<typename Aliased<T>::type*>(x.at(slot));
  if (x.active == kAllLanes) {
    std::memcpy(x.at(slot), values, kLanes * sizeof(T));
    return;
  }
  const uint32_t active = x.active;
  for (uint32_t i = 0; i < kLanes; ++i) to[i] = (active & kLaneBits[i]) != 0 ? values[i] : to[i];
}

template <class T>
void splat(Execution& x, Slot slot, T value) {
  alignas(64) std::array<T, kLanes> values;
  values.fill(value);
  keep(x, slot, values.data());
}

template <class F, class D, class... A>
struct LaneHandler {
  static Flow run(Execution& x, const MicroOp& op) { return go(x, op, std::index_sequence_for<A...>()); }

 private:
  template <size_t... I>
  static Flow go(Execution& x, const MicroOp& op, std::index_sequence<I...>) {
    return over(x, op, LaneSource<A>(x, op.s[I])...);
  }
  static Flow over(Execution& x, const MicroOp& op, const LaneSource<A>... sources) {
    const F f;
    if constexpr (std::is_same_v<D, bool>) {
      alignas(64) std::array<uint32_t, kLanes> bits;
      for (uint32_t i = 0; i < kLanes; ++i) bits[i] = f(sources[i]...) ? kLaneBits[i] : 0;
      uint32_t all = 0;
      for (uint32_t i = 0; i < kLanes; ++i) all |= bits[i];
      x.set_predicate(op.d, all);
    } else {
      alignas(64) std::array<D, kLanes> values;
      for (uint32_t i = 0; i < kLanes; ++i) values[i] = f(sources[i]...);
      keep(x, op.d, values.data());
    }
    return Flow::next;
  }
};

/// As LaneHandler, for a function whose first argument is the micro-op.
template <class F, class D, class... A>
struct LaneHandler<F, D, const MicroOp&, A...> {
  static Flow run(Execution& x, const MicroOp& op) { return go(x, op, std::index_sequence_for<A...>()); }

 private:
  template <size_t... I>
  static Flow go(Execution& x, const MicroOp& op, std::index_sequence<I...>) {
    return over(x, op, LaneSource<A>(x, op.s[I])...);
  }
  static Flow over(Execution& x, const MicroOp& op, const LaneSource<A>... sources) {
    const F f;
    if constexpr (std::is_same_v<D, bool>) {
      uint32_t all = 0;
      for (uint32_t i = 0; i < kLanes; ++i) all |= f(op, sources[i]...) ? kLaneBits[i] : 0;
      x.set_predicate(op.d, all);
    } else {
      alignas(64) std::array<D, kLanes> values;
      for (uint32_t i = 0; i < kLanes; ++i) values[i] = f(op, sources[i]...);
      keep(x, op.d, values.data());
    }
    return Flow::next;
  }
};

template <class F, class C, class D, class... A>
constexpr Handler lane_handler(D (C::*)(A...) const) {
  return &LaneHandler<F, D, A...>::run;
}

/// The handler of a stateless lambda: its result goes to op.d, its arguments come from op.s in order;
/// uint32_t and uint64_t are lanes of that width, bool is a predicate.
template <class F>
constexpr Handler lanes(F) {
  return lane_handler<F>(&F::operator());
}

}  // namespace fuseboard::ptx
