// cvt and cvt.pack: every pair of integer and floating types, rounding, saturation, packing.
// It must not know memory, nor how warps run.
#include <algorithm>

#include "ptx/float_modes.h"
#include "ptx/integer_lanes.h"

namespace fuseboard::ptx {
namespace {

bool is_float(Type type) { return type_class(type) == TypeClass::Float; }

/// Calls visit with the C++ type of an 8- to 64-bit integer.
template <class Visit>
Handler for_bytes(Type type, Visit visit) {
  if (type == Type::u8 || type == Type::b8) return visit(uint8_t{});
  if (type == Type::s8) return visit(int8_t{});
  return for_integer(type, visit);
}

template <class T>
T clamped_to(int64_t value) {
  if constexpr (std::is_same_v<T, uint64_t>)
    return value < 0 ? 0 : static_cast<T>(value);
  else
    return static_cast<T>(std::clamp<int64_t>(value, static_cast<int64_t>(std::numeric_limits<T>::min()),
                                              static_cast<int64_t>(std::numeric_limits<T>::max())));
}

template <class D, class S>
D integer_of(S value, bool saturate) {
  if (!saturate) return static_cast<D>(value);
  if constexpr (std::is_same_v<S, uint64_t>)
    return value > static_cast<uint64_t>(std::numeric_limits<D>::max()) ? std::numeric_limits<D>::max()
                                                                        : static_cast<D>(value);
  else
    return clamped_to<D>(static_cast<int64_t>(value));
}

Handler integers(Type to, Type from, bool saturate) {
  return for_bytes(to, [from, saturate](auto to_zero) {
    using D = decltype(to_zero);
    return for_bytes(from, [saturate](auto from_zero) {
      using S = decltype(from_zero);
      return saturate ? lanes([](Stored<S> x) { return stored<D>(integer_of<D>(static_cast<S>(x), true)); })
                      : lanes([](Stored<S> x) { return stored<D>(integer_of<D>(static_cast<S>(x), false)); });
    });
  });
}

/// Floats as doubles: all of them fit exactly.
struct FromF16 {
  using Lane = uint32_t;
  static double of(Lane bits, bool) { return f64_of_f16(bits & 0xffff); }
};
struct FromBf16 {
  using Lane = uint32_t;
  static double of(Lane bits, bool) { return f64_of_bf16(bits & 0xffff); }
};
struct FromF32 {
  using Lane = uint32_t;
  static double of(Lane bits, bool ftz) { return static_cast<double>(as_f32(ftz ? flushed32(bits) : bits)); }
};
struct FromF64 {
  using Lane = uint64_t;
  static double of(Lane bits, bool) { return as_f64(bits); }
};

template <class Visit>
Handler for_float(Type type, Visit visit) {
  if (type == Type::f16) return visit(FromF16{});
  if (type == Type::bf16) return visit(FromBf16{});
  if (type == Type::f32) return visit(FromF32{});
  if (type == Type::f64) return visit(FromF64{});
  return nullptr;
}

/// Clamped to the integer's range. NaN is 0, but of f64, and to 64 bits, the highest bit alone (PTX ISA,
/// cvt).
template <class D>
D to_integer(double value, bool wide_nan, Rounding rounding) {
  if (value != value) {
    if (!wide_nan && sizeof(D) < 8) return 0;
    return static_cast<D>(static_cast<std::make_unsigned_t<D>>(1) << (8 * sizeof(D) - 1));
  }
  const double whole = integral(value, rounding);
  constexpr double kLeast =
      std::is_signed_v<D> ? -static_cast<double>(uint64_t{1} << (8 * sizeof(D) - 1)) : 0.0;
  constexpr double kBeyond =
      static_cast<double>(uint64_t{1} << (8 * sizeof(D) - 1)) * (std::is_signed_v<D> ? 1.0 : 2.0);
  if (whole < kLeast) return std::numeric_limits<D>::min();
  if (whole >= kBeyond) return std::numeric_limits<D>::max();
  return static_cast<D>(whole);
}

Handler float_to_integer(Type to, Type from) {
  return for_bytes(to, [from](auto zero) {
    using D = decltype(zero);
    return for_float(from, [](auto source) {
      using From = decltype(source);
      return lanes([](const MicroOp& op, typename From::Lane x) {
        const double value = From::of(x, (op.mode & kFtz) != 0);
        return stored<D>(to_integer<D>(value, sizeof(typename From::Lane) == 8, rounding_in(op.mode)));
      });
    });
  });
}

FloatFormat format_of(Type type) {
  return type == Type::f16 ? kF16 : type == Type::bf16 ? kBf16 : type == Type::f64 ? kF64 : kF32;
}

uint64_t one_of(FloatFormat format) {
  return ((uint64_t{1} << (format.exponent_bits - 1)) - 1) << format.fraction;
}

/// .ftz of an f32 result, .relu, .satfinite, .sat; and the canonical NaN of each format.
uint64_t finished(const MicroOp& op, uint64_t bits, FloatFormat format) {
  const uint64_t sign = uint64_t{1} << (format.fraction + format.exponent_bits);
  const uint64_t infinity = ((uint64_t{1} << format.exponent_bits) - 1) << format.fraction;
  const uint64_t magnitude = bits & (sign - 1);
  const bool is_f64 = format.fraction == kF64.fraction;
  if (magnitude > infinity) {
    if ((op.mode & kSat) != 0) return 0;
    return is_f64 ? kNaN64 : sign - 1;
  }
  if ((op.mode & kFtz) != 0 && format.fraction == kF32.fraction && magnitude < uint64_t{1} << format.fraction)
    bits &= sign;
  if ((op.mode & kRelu) != 0 && (bits & sign) != 0) return 0;
  if ((op.mode & kSatFinite) != 0 && magnitude == infinity) return (bits & sign) | (infinity - 1);
  if ((op.mode & kSat) != 0) return (bits & sign) != 0 ? 0 : std::min(bits, one_of(format));
  return bits;
}

template <class D>
Handler integer_to_float(Type from) {
  return for_bytes(from, [](auto zero) {
    using S = decltype(zero);
    return lanes([](const MicroOp& op, Stored<S> x) {
      const auto value = static_cast<S>(x);
      const bool negative = std::is_signed_v<S> && static_cast<int64_t>(value) < 0;
      const auto wide = static_cast<uint64_t>(static_cast<int64_t>(value));
      const FloatFormat format = format_of(static_cast<Type>(op.target));
      return static_cast<D>(finished(
          op, rounded_integer(negative, negative ? uint64_t{0} - wide : wide, format, rounding_in(op.mode)),
          format));
    });
  });
}

/// From a float to one of another format, or to an integral value of the same (rni and its like).
template <class D>
Handler float_to_float(Type from, bool to_integral) {
  return for_float(from, [to_integral](auto source) {
    using From = decltype(source);
    if (to_integral)
      return lanes([](const MicroOp& op, typename From::Lane x) {
        const FloatFormat format = format_of(static_cast<Type>(op.target));
        const double whole = integral(From::of(x, (op.mode & kFtz) != 0), rounding_in(op.mode));
        return static_cast<D>(finished(op, rounded_to(whole, format, Rounding::nearest), format));
      });
    return lanes([](const MicroOp& op, typename From::Lane x) {
      const FloatFormat format = format_of(static_cast<Type>(op.target));
      const double value = From::of(x, (op.mode & kFtz) != 0);
      return static_cast<D>(finished(op, rounded_to(value, format, rounding_in(op.mode)), format));
    });
  });
}

/// The pairs that kernels use most, as vectors.
Handler fast(Type to, Type from, uint8_t mode, bool to_integral) {
  if (mode != 0 || to_integral) return nullptr;
  if (to == Type::f32 && from == Type::bf16)
    return lanes([](uint32_t x) {
      const uint32_t bits = f32_of_bf16(x & 0xffff);
      return is_nan32(bits) ? kNaN32 : bits;
    });
  if (to == Type::f32 && from == Type::f16)
    return lanes([](uint32_t x) {
      const uint32_t bits = f32_of_f16(x & 0xffff);
      return is_nan32(bits) ? kNaN32 : bits;
    });
  if (to == Type::f16 && from == Type::f32) return lanes([](uint32_t x) { return f16_of_f32(x); });
  if (to == Type::bf16 && from == Type::f32) return lanes([](uint32_t x) { return bf16_of_f32(x); });
  if (to == Type::f64 && from == Type::f32)
    return lanes([](uint32_t x) { return canonical(static_cast<double>(as_f32(x))); });
  if (to == Type::f32 && from == Type::f64)
    return lanes([](uint64_t x) { return canonical(static_cast<float>(as_f64(x))); });
  if (to == Type::f32 && from == Type::s32)
    return lanes([](uint32_t x) { return bits_of(static_cast<float>(static_cast<int32_t>(x))); });
  return nullptr;
}

uint32_t packed_half(const MicroOp& op, uint32_t bits, FloatFormat format) {
  const double value = static_cast<double>(as_f32(bits));
  return static_cast<uint32_t>(finished(op, rounded_to(value, format, rounding_in(op.mode)), format));
}

/// d = {a, b}: a goes to the upper half.
void bind_pair(Binding& b) {
  MicroOp& op = b.op;
  op.d = b.destination(0, Type::b32);
  op.s[0] = b.source(1, Type::f32);
  op.s[1] = b.source(2, Type::f32);
  const bool is_f16 = b.i.type() == Type::f16x2;
  if (op.mode == 0)
    op.run = is_f16 ? lanes([](uint32_t x, uint32_t y) { return f16_of_f32(x) << 16 | f16_of_f32(y); })
                    : lanes([](uint32_t x, uint32_t y) { return bf16_of_f32(x) << 16 | bf16_of_f32(y); });
  else
    op.run = is_f16 ? lanes([](const MicroOp& o, uint32_t x, uint32_t y) {
      return packed_half(o, x, kF16) << 16 | packed_half(o, y, kF16);
    })
                    : lanes([](const MicroOp& o, uint32_t x, uint32_t y) {
                        return packed_half(o, x, kBf16) << 16 | packed_half(o, y, kBf16);
                      });
}

/// cvt.pack.sat: op.size bits a value; d = {c's lower bits, a, b} with b lowest.
Flow run_pack(Execution& x, const MicroOp& op) {
  const LaneSource<uint32_t> a(x, op.s[0]), b(x, op.s[1]), c(x, op.s[2]);
  const bool is_signed = op.mode != 0;
  const uint32_t bits = op.size;
  const int64_t least = is_signed ? -(int64_t{1} << (bits - 1)) : 0;
  const int64_t most = (int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  const uint32_t mask = (1U << bits) - 1;
  alignas(64) std::array<uint32_t, kLanes> values;
  for (uint32_t i = 0; i < kLanes; ++i) {
    const auto one = [&](uint32_t value) {
      return static_cast<uint32_t>(std::clamp<int64_t>(static_cast<int32_t>(value), least, most)) & mask;
    };
    values[i] = (bits == 16 ? 0 : c[i] << (2 * bits)) | one(a[i]) << bits | one(b[i]);
  }
  keep(x, op.d, values.data());
  return Flow::next;
}

void bind_pack(Binding& b) {
  const Type type = b.i.type();
  MicroOp& op = b.op;
  op.d = b.destination(0, Type::b32);
  op.s[0] = b.source(1, Type::s32);
  op.s[1] = b.source(2, Type::s32);
  op.s[2] = b.count() > 3 ? b.source(3, Type::b32) : op.s[0];
  op.size = static_cast<uint8_t>(type_bits(type));
  op.mode = type_class(type) == TypeClass::Signed ? 1 : 0;
  op.run = run_pack;
}

}  // namespace

void bind_convert(Binding& b) {
  MicroOp& op = b.op;
  if (b.i.opcode == Opcode::cvt_pack) return bind_pack(b);
  const Type to = b.i.types[0], from = b.i.types[1];
  op.mode = float_mode(b);
  op.target = static_cast<uint32_t>(to);
  if (b.has(Modifier::rs)) return;
  if (to == Type::f16x2 || to == Type::bf16x2) {
    if (from == Type::f32) bind_pair(b);
    return;
  }
  if (to == Type::tf32) {
    op.d = b.destination(0, Type::b32);
    op.s[0] = b.source(1, Type::f32);
    op.run = lanes([](const MicroOp& o, uint32_t x) {
      const uint64_t bits = rounded_to(static_cast<double>(as_f32(x)), kTf32, rounding_in(o.mode));
      const auto done = static_cast<uint32_t>(finished(o, bits, kTf32));
      return (done & 0x3ffff) > 0x3fc00 ? kNaN32 : done << 13;
    });
    return;
  }
  const bool to_integral =
      b.has(Modifier::rni) || b.has(Modifier::rzi) || b.has(Modifier::rmi) || b.has(Modifier::rpi);
  op.d = b.destination(0, to);
  op.s[0] = b.source(1, from);
  op.run = fast(to, from, op.mode, to_integral);
  if (op.run) return;
  if (is_float(to) && is_float(from)) {
    op.run = type_bits(to) == 64 ? float_to_float<uint64_t>(from, to_integral)
                                 : float_to_float<uint32_t>(from, to_integral);
  } else if (is_float(to)) {
    op.run = type_bits(to) == 64 ? integer_to_float<uint64_t>(from) : integer_to_float<uint32_t>(from);
  } else {
    op.run = is_float(from) ? float_to_integer(to, from) : integers(to, from, b.has(Modifier::sat));
  }
}

}  // namespace fuseboard::ptx
