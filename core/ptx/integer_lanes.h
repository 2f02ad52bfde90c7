// Integers of every width as lanes: how they lie in slots, and the handler for each type.
// It must not know instructions.
#pragma once

#include <cstdint>
#include <type_traits>

#include "ptx/binding.h"
#include "ptx/lanes.h"

namespace fuseboard::ptx {

/// Lanes hold up to 32 bits in 4 bytes, zero-extended.
template <class T>
using Stored = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <class T, class V>
constexpr Stored<T> stored(V value) {
  return static_cast<Stored<T>>(static_cast<std::make_unsigned_t<T>>(value));
}

/// Calls visit(T{}) with the C++ type of an integer or bit type; null where it is none.
template <class Visit>
Handler for_integer(Type type, Visit visit) {
  if (type == Type::u16 || type == Type::b16) return visit(uint16_t{});
  if (type == Type::s16) return visit(int16_t{});
  if (type == Type::u32 || type == Type::b32) return visit(uint32_t{});
  if (type == Type::s32) return visit(int32_t{});
  if (type == Type::u64 || type == Type::b64) return visit(uint64_t{});
  if (type == Type::s64) return visit(int64_t{});
  return nullptr;
}

/// The same for what only depends on the width.
template <class Visit>
Handler for_width(Type type, Visit visit) {
  const uint32_t bits = type_bits(type);
  if (bits == 16) return visit(uint16_t{});
  if (bits == 32) return visit(uint32_t{});
  if (bits == 64) return visit(uint64_t{});
  return nullptr;
}

}  // namespace fuseboard::ptx
