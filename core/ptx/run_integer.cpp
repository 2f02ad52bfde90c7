// Integer arithmetic: add to sad, div, rem, min, max, dot products, packed pairs.
// It must not know memory, nor how warps run.
#include <algorithm>

#include "ptx/integer_lanes.h"

namespace fuseboard::ptx {
namespace {

template <class T>
using Double = std::conditional_t<
    sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
    std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>, T>>;

/// The upper half of a product.
template <class T>
Stored<T> high_product(Stored<T> a, Stored<T> b) {
  if constexpr (sizeof(T) < 8) {
    const auto product = static_cast<std::make_unsigned_t<Double<T>>>(
        static_cast<Double<T>>(static_cast<T>(a)) * static_cast<Double<T>>(static_cast<T>(b)));
    return stored<T>(product >> (8 * sizeof(T)));
  } else {
    const uint64_t low = (a & 0xffffffff) * (b & 0xffffffff);
    const uint64_t first = (a >> 32) * (b & 0xffffffff) + (low >> 32);
    const uint64_t second = (a & 0xffffffff) * (b >> 32) + (first & 0xffffffff);
    uint64_t high = (a >> 32) * (b >> 32) + (first >> 32) + (second >> 32);
    if constexpr (std::is_signed_v<T>) {
      high -= static_cast<int64_t>(a) < 0 ? b : 0;
      high -= static_cast<int64_t>(b) < 0 ? a : 0;
    }
    return high;
  }
}

/// Of 16 bits, unsigned: the promotion to int must not overflow.
template <class T>
std::make_unsigned_t<Double<T>> wide_product(Stored<T> a, Stored<T> b) {
  using W = std::make_unsigned_t<Double<T>>;
  return static_cast<W>(static_cast<W>(static_cast<Double<T>>(static_cast<T>(a))) *
                        static_cast<W>(static_cast<Double<T>>(static_cast<T>(b))));
}

uint32_t clamped(int64_t value) {
  return static_cast<uint32_t>(static_cast<int32_t>(std::clamp<int64_t>(value, INT32_MIN, INT32_MAX)));
}

int64_t signed24(uint32_t value) { return static_cast<int32_t>(value << 8) >> 8; }
uint64_t unsigned24(uint32_t value) { return value & 0xffffff; }

template <bool Subtract>
Handler sum_handler(Binding& b) {
  if (b.has(Modifier::sat))
    return lanes([](uint32_t x, uint32_t y) {
      const int64_t a = static_cast<int32_t>(x), c = static_cast<int32_t>(y);
      return clamped(Subtract ? a - c : a + c);
    });
  return for_width(b.i.type(), [](auto zero) {
    using T = decltype(zero);
    return lanes([](Stored<T> x, Stored<T> y) { return stored<T>(Subtract ? x - y : x + y); });
  });
}

Handler product_handler(Binding& b) {
  const Type type = b.i.type();
  if (b.has(Modifier::lo))
    return for_width(type, [](auto zero) {
      using T = decltype(zero);
      return lanes([](Stored<T> x, Stored<T> y) { return stored<T>(x * y); });
    });
  if (b.has(Modifier::hi))
    return for_integer(type, [](auto zero) {
      using T = decltype(zero);
      return lanes([](Stored<T> x, Stored<T> y) { return high_product<T>(x, y); });
    });
  return for_integer(type, [](auto zero) -> Handler {
    using T = decltype(zero);
    if constexpr (sizeof(T) == 8)
      return nullptr;
    else
      return lanes([](Stored<T> x, Stored<T> y) { return wide_product<T>(x, y); });
  });
}

Handler mad_handler(Binding& b) {
  const Type type = b.i.type();
  if (b.has(Modifier::lo))
    return for_width(type, [](auto zero) {
      using T = decltype(zero);
      return lanes([](Stored<T> x, Stored<T> y, Stored<T> z) { return stored<T>(x * y + z); });
    });
  if (b.has(Modifier::sat))
    return lanes([](uint32_t x, uint32_t y, uint32_t z) {
      return clamped(static_cast<int64_t>(static_cast<int32_t>(high_product<int32_t>(x, y))) +
                     static_cast<int32_t>(z));
    });
  if (b.has(Modifier::hi))
    return for_integer(type, [](auto zero) {
      using T = decltype(zero);
      return lanes(
          [](Stored<T> x, Stored<T> y, Stored<T> z) { return stored<T>(high_product<T>(x, y) + z); });
    });
  return for_integer(type, [](auto zero) -> Handler {
    using T = decltype(zero);
    if constexpr (sizeof(T) == 8) {
      return nullptr;
    } else {
      using W = std::make_unsigned_t<Double<T>>;
      return lanes([](Stored<T> x, Stored<T> y, W z) { return static_cast<W>(wide_product<T>(x, y) + z); });
    }
  });
}

Handler mul24_handler(Binding& b) {
  const bool is_signed = b.i.type() == Type::s32;
  if (b.has(Modifier::lo))
    return is_signed ? lanes([](uint32_t x, uint32_t y) {
      return static_cast<uint32_t>(static_cast<uint64_t>(signed24(x) * signed24(y)));
    })
                     : lanes([](uint32_t x, uint32_t y) {
                         return static_cast<uint32_t>(unsigned24(x) * unsigned24(y));
                       });
  return is_signed ? lanes([](uint32_t x, uint32_t y) {
    return static_cast<uint32_t>(static_cast<uint64_t>(signed24(x) * signed24(y)) >> 16);
  })
                   : lanes([](uint32_t x, uint32_t y) {
                       return static_cast<uint32_t>(unsigned24(x) * unsigned24(y) >> 16);
                     });
}

Handler mad24_handler(Binding& b) {
  const bool is_signed = b.i.type() == Type::s32;
  if (b.has(Modifier::lo))
    return is_signed ? lanes([](uint32_t x, uint32_t y, uint32_t z) {
      return static_cast<uint32_t>(static_cast<uint64_t>(signed24(x) * signed24(y))) + z;
    })
                     : lanes([](uint32_t x, uint32_t y, uint32_t z) {
                         return static_cast<uint32_t>(unsigned24(x) * unsigned24(y)) + z;
                       });
  if (b.has(Modifier::sat))
    return lanes([](uint32_t x, uint32_t y, uint32_t z) {
      return clamped((signed24(x) * signed24(y) >> 16) + static_cast<int32_t>(z));
    });
  return is_signed ? lanes([](uint32_t x, uint32_t y, uint32_t z) {
    return static_cast<uint32_t>(static_cast<uint64_t>(signed24(x) * signed24(y)) >> 16) + z;
  })
                   : lanes([](uint32_t x, uint32_t y, uint32_t z) {
                       return static_cast<uint32_t>(unsigned24(x) * unsigned24(y) >> 16) + z;
                     });
}

/// Division by zero gives all ones, and the least integer by -1 itself: what hardware's sequences give.
template <class T>
T quotient(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});
  if constexpr (std::is_signed_v<T>)
    if (b == -1) return static_cast<T>(std::make_unsigned_t<T>{0} - static_cast<std::make_unsigned_t<T>>(a));
  return static_cast<T>(a / b);
}

template <class T>
T remainder(T a, T b) {
  if (b == 0) return a;
  if constexpr (std::is_signed_v<T>)
    if (b == -1) return 0;
  return static_cast<T>(a % b);
}

template <bool Maximum>
Handler extreme_handler(Binding& b) {
  const Type type = b.i.type();
  const bool relu = b.has(Modifier::relu);
  if (type == Type::u16x2)
    return lanes([](uint32_t x, uint32_t y) {
      const auto one = [](uint32_t p, uint32_t q) { return Maximum ? std::max(p, q) : std::min(p, q); };
      return one(x & 0xffff, y & 0xffff) | one(x >> 16, y >> 16) << 16;
    });
  if (type == Type::s16x2)
    return relu ? lanes([](uint32_t x, uint32_t y) {
      const auto one = [](uint32_t p, uint32_t q) {
        const auto u = static_cast<int16_t>(p), v = static_cast<int16_t>(q);
        return static_cast<uint32_t>(
            static_cast<uint16_t>(std::max<int16_t>(Maximum ? std::max(u, v) : std::min(u, v), 0)));
      };
      return one(x & 0xffff, y & 0xffff) | one(x >> 16, y >> 16) << 16;
    })
                : lanes([](uint32_t x, uint32_t y) {
                    const auto one = [](uint32_t p, uint32_t q) {
                      const auto u = static_cast<int16_t>(p), v = static_cast<int16_t>(q);
                      return static_cast<uint32_t>(
                          static_cast<uint16_t>(Maximum ? std::max(u, v) : std::min(u, v)));
                    };
                    return one(x & 0xffff, y & 0xffff) | one(x >> 16, y >> 16) << 16;
                  });
  if (relu)
    return lanes([](uint32_t x, uint32_t y) {
      const auto u = static_cast<int32_t>(x), v = static_cast<int32_t>(y);
      return static_cast<uint32_t>(std::max(Maximum ? std::max(u, v) : std::min(u, v), 0));
    });
  return for_integer(type, [](auto zero) {
    using T = decltype(zero);
    return lanes([](Stored<T> x, Stored<T> y) {
      const auto u = static_cast<T>(x), v = static_cast<T>(y);
      return stored<T>(Maximum ? (u > v ? u : v) : (u < v ? u : v));
    });
  });
}

uint32_t byte_of(uint32_t value, uint32_t n, bool is_signed) {
  const uint32_t byte = value >> (8 * n) & 0xff;
  return is_signed ? static_cast<uint32_t>(static_cast<int32_t>(static_cast<int8_t>(byte))) : byte;
}
uint32_t half_of(uint32_t value, uint32_t n, bool is_signed) {
  const uint32_t half = value >> (16 * n) & 0xffff;
  return is_signed ? static_cast<uint32_t>(static_cast<int32_t>(static_cast<int16_t>(half))) : half;
}

/// op.mode: bit 0 and 1, a and b are signed; bit 2, the upper half of b (dp2a.hi).
uint32_t dot4(const MicroOp& op, uint32_t a, uint32_t b, uint32_t c) {
  for (uint32_t n = 0; n < 4; ++n) c += byte_of(a, n, (op.mode & 1) != 0) * byte_of(b, n, (op.mode & 2) != 0);
  return c;
}
uint32_t dot2(const MicroOp& op, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t from = (op.mode & 4) != 0 ? 2 : 0;
  for (uint32_t n = 0; n < 2; ++n)
    c += half_of(a, n, (op.mode & 1) != 0) * byte_of(b, from + n, (op.mode & 2) != 0);
  return c;
}

void bind_dot(Binding& b) {
  MicroOp& op = b.op;
  op.mode = static_cast<uint8_t>((b.i.types[0] == Type::s32 ? 1 : 0) | (b.i.types[1] == Type::s32 ? 2 : 0) |
                                 (b.has(Modifier::hi) ? 4 : 0));
  b.same(Type::b32);
  op.run = b.i.opcode == Opcode::dp4a
               ? lanes([](const MicroOp& o, uint32_t x, uint32_t y, uint32_t z) { return dot4(o, x, y, z); })
               : lanes([](const MicroOp& o, uint32_t x, uint32_t y, uint32_t z) { return dot2(o, x, y, z); });
}

Handler pair_sum() {
  return lanes([](uint32_t x, uint32_t y) { return ((x + y) & 0xffff) | ((x >> 16) + (y >> 16)) << 16; });
}

}  // namespace

void bind_integer(Binding& b) {
  const Type type = b.i.type();
  const Opcode opcode = b.i.opcode;
  MicroOp& op = b.op;
  if (opcode == Opcode::dp4a || opcode == Opcode::dp2a) return bind_dot(b);
  if (opcode == Opcode::mul || opcode == Opcode::mad) {
    op.run = opcode == Opcode::mul ? product_handler(b) : mad_handler(b);
    if (!b.has(Modifier::wide)) return b.same(type);
    const Type wide = type_bits(type) == 16 ? Type::b32 : Type::b64;
    op.d = b.destination(0, wide);
    op.s[0] = b.source(1, type);
    op.s[1] = b.source(2, type);
    if (opcode == Opcode::mad) op.s[2] = b.source(3, wide);
    return;
  }
  b.same(type);
  if (opcode == Opcode::add)
    op.run = type_class(type) == TypeClass::Packed ? pair_sum() : sum_handler<false>(b);
  if (opcode == Opcode::sub) op.run = sum_handler<true>(b);
  if (opcode == Opcode::mul24) op.run = mul24_handler(b);
  if (opcode == Opcode::mad24) op.run = mad24_handler(b);
  if (opcode == Opcode::min) op.run = extreme_handler<false>(b);
  if (opcode == Opcode::max) op.run = extreme_handler<true>(b);
  if (opcode == Opcode::sad)
    op.run = for_integer(type, [](auto zero) {
      using T = decltype(zero);
      return lanes([](Stored<T> x, Stored<T> y, Stored<T> z) {
        const bool less = static_cast<T>(x) < static_cast<T>(y);
        return stored<T>(z + (less ? y - x : x - y));
      });
    });
  if (opcode == Opcode::div)
    op.run = for_integer(type, [](auto zero) {
      using T = decltype(zero);
      return lanes([](Stored<T> x, Stored<T> y) {
        return stored<T>(quotient<T>(static_cast<T>(x), static_cast<T>(y)));
      });
    });
  if (opcode == Opcode::rem)
    op.run = for_integer(type, [](auto zero) {
      using T = decltype(zero);
      return lanes([](Stored<T> x, Stored<T> y) {
        return stored<T>(remainder<T>(static_cast<T>(x), static_cast<T>(y)));
      });
    });
  if (opcode == Opcode::neg)
    op.run = for_width(type, [](auto zero) {
      using T = decltype(zero);
      return lanes([](Stored<T> x) { return stored<T>(Stored<T>{0} - x); });
    });
  if (opcode == Opcode::abs)
    op.run = for_integer(type, [](auto zero) {
      using T = decltype(zero);
      return lanes([](Stored<T> x) { return stored<T>(static_cast<T>(x) < 0 ? Stored<T>{0} - x : x); });
    });
}

}  // namespace fuseboard::ptx
