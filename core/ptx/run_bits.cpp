// Bits: logic, shifts, fields, counts.
// It must not know memory, nor how warps run.
#include <algorithm>
#include <bit>

#include "ptx/integer_lanes.h"

namespace fuseboard::ptx {
namespace {

void bind_logic(Binding& b) {
  const Type type = b.i.type();
  const Opcode opcode = b.i.opcode;
  MicroOp& op = b.op;
  if (type == Type::pred) {
    op.d = b.predicate_destination(0);
    for (uint32_t n = 1; n < b.count(); ++n) op.s[n - 1] = b.predicate(n);
    if (opcode == Opcode::and_) op.run = lanes([](bool x, bool y) { return x && y; });
    if (opcode == Opcode::or_) op.run = lanes([](bool x, bool y) { return x || y; });
    if (opcode == Opcode::xor_) op.run = lanes([](bool x, bool y) { return x != y; });
    if (opcode == Opcode::not_) op.run = lanes([](bool x) { return !x; });
    return;
  }
  b.same(type);
  op.run = for_width(type, [opcode](auto zero) -> Handler {
    using T = decltype(zero);
    using S = Stored<T>;
    if (opcode == Opcode::and_) return lanes([](S x, S y) { return x & y; });
    if (opcode == Opcode::or_) return lanes([](S x, S y) { return x | y; });
    if (opcode == Opcode::xor_) return lanes([](S x, S y) { return x ^ y; });
    if (opcode == Opcode::not_) return lanes([](S x) { return stored<T>(~x); });
    if (opcode == Opcode::cnot) return lanes([](S x) { return S{x == 0 ? S{1} : S{0}}; });
    return nullptr;
  });
}

void bind_shift(Binding& b) {
  const Type type = b.i.type();
  MicroOp& op = b.op;
  op.d = b.destination(0, type);
  op.s[0] = b.source(1, type);
  op.s[1] = b.source(2, Type::u32);
  // Amounts past the width give what shifting by the width would (PTX ISA, shl and shr).
  if (b.i.opcode == Opcode::shl)
    op.run = for_width(type, [](auto zero) {
      using T = decltype(zero);
      return lanes(
          [](Stored<T> x, uint32_t n) { return n >= 8 * sizeof(T) ? Stored<T>{0} : stored<T>(x << n); });
    });
  else
    op.run = for_integer(type, [](auto zero) {
      using T = decltype(zero);
      return lanes([](Stored<T> x, uint32_t n) {
        constexpr uint32_t width = 8 * sizeof(T);
        if constexpr (std::is_signed_v<T>)
          return stored<T>(static_cast<T>(x) >> (n < width ? n : width - 1));
        else
          return n >= width ? Stored<T>{0} : static_cast<Stored<T>>(x >> n);
      });
    });
}

uint32_t funnel_left(uint32_t low, uint32_t high, uint32_t n) {
  const uint64_t both = static_cast<uint64_t>(high) << 32 | low;
  return static_cast<uint32_t>((both << n) >> 32);
}
uint32_t funnel_right(uint32_t low, uint32_t high, uint32_t n) {
  const uint64_t both = static_cast<uint64_t>(high) << 32 | low;
  return static_cast<uint32_t>(both >> n);
}

void bind_funnel(Binding& b) {
  b.same(Type::b32);
  const bool wrap = b.has(Modifier::wrap);
  if (b.has(Modifier::l))
    b.op.run =
        wrap ? lanes([](uint32_t x, uint32_t y, uint32_t n) { return funnel_left(x, y, n & 31); })
             : lanes([](uint32_t x, uint32_t y, uint32_t n) { return funnel_left(x, y, std::min(n, 32U)); });
  else
    b.op.run =
        wrap ? lanes([](uint32_t x, uint32_t y, uint32_t n) { return funnel_right(x, y, n & 31); })
             : lanes([](uint32_t x, uint32_t y, uint32_t n) { return funnel_right(x, y, std::min(n, 32U)); });
}

uint32_t three_way(uint32_t table, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t result = 0;
  for (uint32_t n = 0; n < 8; ++n) {
    if ((table >> n & 1) == 0) continue;
    result |= ((n & 4) != 0 ? a : ~a) & ((n & 2) != 0 ? b : ~b) & ((n & 1) != 0 ? c : ~c);
  }
  return result;
}

/// lop3.and and lop3.or also give a predicate: whether the result has a bit, combined with another.
Flow run_lop3_predicate(Execution& x, const MicroOp& op) {
  const LaneSource<uint32_t> a(x, op.s[0]), b(x, op.s[1]), c(x, op.s[2]);
  alignas(64) std::array<uint32_t, kLanes> values;
  uint32_t any = 0;
  for (uint32_t i = 0; i < kLanes; ++i) {
    values[i] = three_way(static_cast<uint32_t>(op.immediate), a[i], b[i], c[i]);
    any |= values[i] != 0 ? kLaneBits[i] : 0;
  }
  const uint32_t with = x.predicate(op.s[3]);
  keep(x, op.d, values.data());
  x.set_predicate(op.d2, op.mode == 0 ? any & with : any | with);
  return Flow::next;
}

void bind_lop3(Binding& b) {
  MicroOp& op = b.op;
  op.d = b.destination(0, Type::b32);
  const bool combined = b.has(Modifier::and_) || b.has(Modifier::or_);
  const uint32_t first = combined ? 2 : 1;
  for (uint32_t n = 0; n < 3; ++n) op.s[n] = b.source(first + n, Type::b32);
  op.immediate = b.operand(first + 3).bits & 0xff;
  if (combined) {
    op.d2 = b.predicate_destination(1);
    op.s[3] = b.predicate(first + 4);
    op.mode = b.has(Modifier::or_) ? 1 : 0;
    op.run = run_lop3_predicate;
    return;
  }
  op.run = lanes([](const MicroOp& o, uint32_t x, uint32_t y, uint32_t z) {
    return three_way(static_cast<uint32_t>(o.immediate), x, y, z);
  });
}

/// A field as the PTX ISA's pseudo-code has it: a signed one is filled from its last bit inside the value.
template <class T>
Stored<T> field(Stored<T> value, uint32_t position, uint32_t length) {
  using U = std::make_unsigned_t<T>;
  constexpr uint32_t width = 8 * sizeof(T);
  position &= 0xff;
  length &= 0xff;
  const U moved = position < width ? static_cast<U>(static_cast<U>(value) >> position) : U{0};
  const U mask = length >= width ? static_cast<U>(~U{0}) : static_cast<U>((U{1} << length) - 1);
  const U taken = length == 0 ? U{0} : static_cast<U>(moved & mask);
  if constexpr (std::is_signed_v<T>) {
    if (length == 0) return 0;
    const uint32_t last = std::min(position + length - 1, width - 1);
    if ((static_cast<U>(value) >> last & 1) == 0) return taken;
    // Ones from the last bit that the value has, upwards.
    const uint32_t have = position < width ? std::min(length, width - position) : 0;
    return have >= width ? taken : static_cast<U>(taken | static_cast<U>(~U{0} << have));
  }
  return taken;
}

template <class T>
T inserted(T from, T into, uint32_t position, uint32_t length) {
  constexpr uint32_t width = 8 * sizeof(T);
  position &= 0xff;
  length &= 0xff;
  if (position >= width || length == 0) return into;
  const T ones = length >= width ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
  const T mask = static_cast<T>(ones << position);
  return static_cast<T>((into & ~mask) | (static_cast<T>(from << position) & mask));
}

template <class T>
uint32_t highest(T value, bool as_shift) {
  using U = std::make_unsigned_t<T>;
  auto bits = static_cast<U>(value);
  if constexpr (std::is_signed_v<T>)
    if (value < 0) bits = static_cast<U>(~bits);
  if (bits == 0) return 0xffffffff;
  const auto position =
      static_cast<uint32_t>(8 * sizeof(T) - 1) - static_cast<uint32_t>(std::countl_zero(bits));
  return as_shift ? static_cast<uint32_t>(8 * sizeof(T) - 1) - position : position;
}

template <class T>
T reversed(T value) {
  T result = 0;
  for (uint32_t n = 0; n < 8 * sizeof(T); ++n) result = static_cast<T>(result << 1 | (value >> n & 1));
  return result;
}

/// The n-th set bit from `base`, upwards or downwards (PTX ISA, fns).
uint32_t nth_set(uint32_t mask, uint32_t base, uint32_t offset) {
  const auto count = static_cast<int32_t>(offset);
  if (base > 31) return 0xffffffff;
  if (count == 0) return mask >> base & 1 ? base : 0xffffffff;
  int64_t left = count > 0 ? count : -static_cast<int64_t>(count);
  const int step = count > 0 ? 1 : -1;
  for (int position = static_cast<int>(base); position >= 0 && position < 32; position += step)
    if ((mask >> position & 1) != 0 && --left == 0) return static_cast<uint32_t>(position);
  return 0xffffffff;
}

/// mode: bit 0 signed, bit 1 wrap. As the PTX ISA's pseudo-code of szext.
uint32_t extended(const MicroOp& op, uint32_t value, uint32_t length) {
  const bool whole = length >= 32 && (op.mode & 2) == 0;
  const uint32_t bits = length & 31;
  const uint32_t above = whole ? 0 : 0xffffffff << bits;
  const bool filled = bits != 0 && !whole && (op.mode & 1) != 0 && (value >> (bits - 1) & 1) != 0;
  return (value & ~above) | (filled ? above : 0);
}

uint32_t bit_mask(const MicroOp& op, uint32_t from, uint32_t length) {
  if (op.mode != 0) {
    from &= 31;
    length &= 31;
  }
  if (from >= 32 || length == 0) return 0;
  const uint32_t ones = length >= 32 ? 0xffffffff : (1U << length) - 1;
  return ones << from;
}

/// Position and length are 32 bits wide whatever the value is.
void bind_field(Binding& b) {
  const Type type = b.i.type();
  MicroOp& op = b.op;
  const uint32_t values = b.i.opcode == Opcode::bfe ? 1 : 2;
  op.d = b.destination(0, type);
  for (uint32_t n = 0; n < values + 2; ++n) op.s[n] = b.source(n + 1, n < values ? type : Type::u32);
  if (b.i.opcode == Opcode::bfe)
    op.run = for_integer(type, [](auto zero) {
      using T = decltype(zero);
      return lanes(
          [](Stored<T> x, uint32_t position, uint32_t length) { return field<T>(x, position, length); });
    });
  else
    op.run = for_width(type, [](auto zero) {
      using T = decltype(zero);
      return lanes([](Stored<T> x, Stored<T> y, uint32_t position, uint32_t length) {
        return inserted<Stored<T>>(x, y, position, length);
      });
    });
}

}  // namespace

void bind_bits(Binding& b) {
  const Type type = b.i.type();
  const Opcode opcode = b.i.opcode;
  MicroOp& op = b.op;
  if (opcode == Opcode::shl || opcode == Opcode::shr) return bind_shift(b);
  if (opcode == Opcode::shf) return bind_funnel(b);
  if (opcode == Opcode::lop3) return bind_lop3(b);
  if (opcode == Opcode::and_ || opcode == Opcode::or_ || opcode == Opcode::xor_ || opcode == Opcode::not_ ||
      opcode == Opcode::cnot)
    return bind_logic(b);
  if (opcode == Opcode::popc || opcode == Opcode::clz || opcode == Opcode::bfind) {
    op.d = b.destination(0, Type::u32);
    op.s[0] = b.source(1, type);
    op.mode = b.has(Modifier::shiftamt) ? 1 : 0;
    op.run = for_integer(type, [opcode](auto zero) -> Handler {
      using T = decltype(zero);
      using U = std::make_unsigned_t<T>;
      if (opcode == Opcode::popc)
        return lanes([](Stored<T> x) { return static_cast<uint32_t>(std::popcount(static_cast<U>(x))); });
      if (opcode == Opcode::clz)
        return lanes([](Stored<T> x) { return static_cast<uint32_t>(std::countl_zero(static_cast<U>(x))); });
      return lanes([](const MicroOp& o, Stored<T> x) { return highest<T>(static_cast<T>(x), o.mode != 0); });
    });
    return;
  }
  if (opcode == Opcode::bfe || opcode == Opcode::bfi) return bind_field(b);
  b.same(type);
  if (opcode == Opcode::brev)
    op.run = type_bits(type) == 64 ? lanes([](uint64_t x) { return reversed(x); })
                                   : lanes([](uint32_t x) { return reversed(x); });
  if (opcode == Opcode::fns)
    op.run = lanes([](uint32_t mask, uint32_t base, uint32_t offset) { return nth_set(mask, base, offset); });
  if (opcode == Opcode::szext) {
    op.mode = static_cast<uint8_t>((type == Type::s32 ? 1 : 0) | (b.has(Modifier::wrap) ? 2 : 0));
    op.run = lanes([](const MicroOp& o, uint32_t x, uint32_t n) { return extended(o, x, n); });
  }
  if (opcode == Opcode::bmsk) {
    op.mode = b.has(Modifier::wrap) ? 1 : 0;
    op.run = lanes([](const MicroOp& o, uint32_t x, uint32_t n) { return bit_mask(o, x, n); });
  }
}

}  // namespace fuseboard::ptx
