// f32 arithmetic: sums, products, fma, extremes, signs; in every rounding mode.
// It must not know memory, nor how warps run.
#include "ptx/binding.h"
#include "ptx/float_modes.h"
#include "ptx/lanes.h"

namespace fuseboard::ptx {
namespace {

template <bool Ftz>
uint32_t in(uint32_t bits) {
  return Ftz ? flushed32(bits) : bits;
}
template <bool Ftz, bool Sat>
uint32_t out(uint32_t bits) {
  const uint32_t flushed = Ftz ? flushed32(bits) : bits;
  return Sat ? saturated32(flushed) : flushed;
}

template <bool Ftz, bool Sat>
Handler sum(bool subtract) {
  if (subtract)
    return lanes([](uint32_t a, uint32_t b) {
      return out<Ftz, Sat>(canonical(as_f32(in<Ftz>(a)) - as_f32(in<Ftz>(b))));
    });
  return lanes([](uint32_t a, uint32_t b) {
    return out<Ftz, Sat>(canonical(as_f32(in<Ftz>(a)) + as_f32(in<Ftz>(b))));
  });
}

template <bool Ftz, bool Sat>
Handler product() {
  return lanes([](uint32_t a, uint32_t b) {
    return out<Ftz, Sat>(canonical(as_f32(in<Ftz>(a)) * as_f32(in<Ftz>(b))));
  });
}

/// fma: the product is exact in a double, and so is the rounding of the sum to f32, but where the sum lies in
/// the middle of two floats, or below the normal ones. All lanes look whether any lies there; seldom one
/// does, and then all are rounded by way of odd.
template <bool Ftz, bool Sat>
Flow run_fused(Execution& x, const MicroOp& op) {
  const LaneSource<uint32_t> a(x, op.s[0]), b(x, op.s[1]), c(x, op.s[2]);
  alignas(64) std::array<double, kLanes> sums;
  alignas(64) std::array<uint32_t, kLanes> values;
  const auto wide = [](uint32_t bits) { return static_cast<double>(as_f32(in<Ftz>(bits))); };
  for (uint32_t i = 0; i < kLanes; ++i) sums[i] = wide(a[i]) * wide(b[i]) + wide(c[i]);
  uint64_t doubtful = 0;
  for (uint32_t i = 0; i < kLanes; ++i) {
    const uint64_t bits = bits_of(sums[i]);
    // The 29 bits that a float has not are 1 0...0; or the magnitude is below 2^-126 and not zero.
    const uint64_t low = (bits ^ 0x10000000) & 0x1fffffff;
    const uint64_t magnitude = bits & 0x7fffffffffffffff;
    doubtful |= (low == 0 ? 1 : 0) | (magnitude - 1 < 0x3810000000000000 - 1 ? 1 : 0);
  }
  if (doubtful == 0)
    for (uint32_t i = 0; i < kLanes; ++i) values[i] = out<Ftz, Sat>(canonical(static_cast<float>(sums[i])));
  else
    for (uint32_t i = 0; i < kLanes; ++i)
      values[i] =
          out<Ftz, Sat>(canonical(static_cast<float>(fma_to_odd(wide(a[i]), wide(b[i]), wide(c[i])))));
  keep(x, op.d, values.data());
  return Flow::next;
}

template <bool Ftz, bool Sat>
Handler fused() {
  return &run_fused<Ftz, Sat>;
}

/// Calls visit(true or false types) with what the modifiers say.
template <class Visit>
Handler with_flags(const Binding& b, Visit visit) {
  const bool ftz = b.has(Modifier::ftz), sat = b.has(Modifier::sat);
  if (ftz)
    return sat ? visit(std::true_type{}, std::true_type{}) : visit(std::true_type{}, std::false_type{});
  return sat ? visit(std::false_type{}, std::true_type{}) : visit(std::false_type{}, std::false_type{});
}

uint32_t directed_in(const MicroOp& op, uint32_t bits) {
  return (op.mode & kFtz) != 0 ? flushed32(bits) : bits;
}
uint32_t directed_out(const MicroOp& op, uint32_t bits) {
  const uint32_t flushed = (op.mode & kFtz) != 0 ? flushed32(bits) : bits;
  return (op.mode & kSat) != 0 ? saturated32(flushed) : flushed;
}

/// rz, rm, rp: seldom, so the mode is looked up as they run.
Handler directed(Opcode opcode) {
  if (opcode == Opcode::add)
    return lanes([](const MicroOp& op, uint32_t a, uint32_t b) {
      return directed_out(op, add_f32(directed_in(op, a), directed_in(op, b), rounding_in(op.mode)));
    });
  if (opcode == Opcode::sub)
    return lanes([](const MicroOp& op, uint32_t a, uint32_t b) {
      return directed_out(op,
                          add_f32(directed_in(op, a), directed_in(op, b) ^ 0x80000000, rounding_in(op.mode)));
    });
  if (opcode == Opcode::mul)
    return lanes([](const MicroOp& op, uint32_t a, uint32_t b) {
      return directed_out(op, mul_f32(directed_in(op, a), directed_in(op, b), rounding_in(op.mode)));
    });
  return lanes([](const MicroOp& op, uint32_t a, uint32_t b, uint32_t c) {
    return directed_out(
        op, fma_f32(directed_in(op, a), directed_in(op, b), directed_in(op, c), rounding_in(op.mode)));
  });
}

/// -0 is less than +0; one NaN gives the other operand, two give NaN; with Propagate one is enough.
template <bool Maximum, bool Propagate>
uint32_t extreme(uint32_t a, uint32_t b) {
  // Floats in the order of integers: negative ones turned round.
  const auto key = [](uint32_t bits) {
    return static_cast<int32_t>(bits ^ ((bits >> 31) != 0 ? 0x7fffffffU : 0));
  };
  const bool first = Maximum ? key(a) >= key(b) : key(a) <= key(b);
  const uint32_t chosen = first ? a : b;
  const bool a_nan = is_nan32(a), b_nan = is_nan32(b);
  if (Propagate) return a_nan || b_nan ? kNaN32 : chosen;
  const uint32_t other = a_nan ? b : b_nan ? a : chosen;
  return a_nan && b_nan ? kNaN32 : other;
}

template <bool Maximum, bool Propagate>
Handler extremes(const Binding& b) {
  if (b.has(Modifier::xorsign))
    return lanes([](const MicroOp& op, uint32_t x, uint32_t y) {
      x = directed_in(op, x);
      y = directed_in(op, y);
      const uint32_t magnitude = extreme<Maximum, Propagate>(x & 0x7fffffff, y & 0x7fffffff);
      return is_nan32(magnitude) ? kNaN32 : magnitude | ((x ^ y) & 0x80000000);
    });
  if (b.count() == 4)
    return lanes([](const MicroOp& op, uint32_t x, uint32_t y, uint32_t z) {
      const uint32_t keep_bits = op.target != 0 ? 0x7fffffff : 0xffffffff;  // .abs
      return extreme<Maximum, Propagate>(
          extreme<Maximum, Propagate>(directed_in(op, x) & keep_bits, directed_in(op, y) & keep_bits),
          directed_in(op, z) & keep_bits);
    });
  if (b.has(Modifier::abs)) return nullptr;
  if (b.has(Modifier::ftz))
    return lanes(
        [](uint32_t x, uint32_t y) { return extreme<Maximum, Propagate>(flushed32(x), flushed32(y)); });
  return lanes([](uint32_t x, uint32_t y) { return extreme<Maximum, Propagate>(x, y); });
}

/// f32x2: two lanes' worth in one register; runs a handler of pairs.
Handler packed_pairs(Opcode opcode) {
  if (opcode == Opcode::fma)
    return lanes([](const MicroOp& op, uint64_t a, uint64_t b, uint64_t c) {
      const auto one = [&op](uint64_t x, uint64_t y, uint64_t z) -> uint64_t {
        return directed_out(
            op, fma_f32(directed_in(op, static_cast<uint32_t>(x)), directed_in(op, static_cast<uint32_t>(y)),
                        directed_in(op, static_cast<uint32_t>(z)), rounding_in(op.mode)));
      };
      return one(a, b, c) | one(a >> 32, b >> 32, c >> 32) << 32;
    });
  if (opcode == Opcode::mul)
    return lanes([](const MicroOp& op, uint64_t a, uint64_t b) {
      const auto one = [&op](uint64_t x, uint64_t y) -> uint64_t {
        return directed_out(op, mul_f32(directed_in(op, static_cast<uint32_t>(x)),
                                        directed_in(op, static_cast<uint32_t>(y)), rounding_in(op.mode)));
      };
      return one(a, b) | one(a >> 32, b >> 32) << 32;
    });
  return lanes([](const MicroOp& op, uint64_t a, uint64_t b) {
    const uint32_t flip = op.target != 0 ? 0x80000000 : 0;  // sub
    const auto one = [&op, flip](uint64_t x, uint64_t y) -> uint64_t {
      return directed_out(op,
                          add_f32(directed_in(op, static_cast<uint32_t>(x)),
                                  directed_in(op, static_cast<uint32_t>(y)) ^ flip, rounding_in(op.mode)));
    };
    return one(a, b) | one(a >> 32, b >> 32) << 32;
  });
}

/// add.f32.f16 and its like: the narrow operands, exactly, as f32.
void widen(Binding& b, uint32_t source) {
  MicroOp convert = b.op;
  convert.counted = false;
  convert.s[0] = b.op.s[source];
  convert.d = b.frame().temporary(4);
  convert.run = b.i.types[1] == Type::bf16 ? lanes([](uint32_t x) { return f32_of_bf16(x); })
                                           : lanes([](uint32_t x) { return f32_of_f16(x); });
  b.op.s[source] = convert.d;
  b.before.push_back(convert);
}

}  // namespace

void bind_float32(Binding& b) {
  const Opcode opcode = b.i.opcode;
  MicroOp& op = b.op;
  op.mode = float_mode(b);
  if (b.i.type() == Type::f32x2) {
    b.same(Type::f32x2);
    op.target = opcode == Opcode::sub ? 1 : 0;
    op.run = packed_pairs(opcode);
    return;
  }
  if (b.i.type_count == 2) {
    const Type narrow = b.i.types[1];
    const uint32_t wide = b.count() - 1;  // the last operand is f32
    op.d = b.destination(0, Type::f32);
    for (uint32_t n = 1; n < b.count(); ++n) op.s[n - 1] = b.source(n, n == wide ? Type::f32 : narrow);
    for (uint32_t n = 1; n < wide; ++n) widen(b, n - 1);
  } else {
    b.same(Type::f32);
  }
  if (opcode == Opcode::neg)
    op.run = b.has(Modifier::ftz) ? lanes([](uint32_t x) { return flushed32(x) ^ 0x80000000; })
                                  : lanes([](uint32_t x) { return x ^ 0x80000000; });
  if (opcode == Opcode::abs)
    op.run = b.has(Modifier::ftz) ? lanes([](uint32_t x) { return flushed32(x) & 0x7fffffff; })
                                  : lanes([](uint32_t x) { return x & 0x7fffffff; });
  if (opcode == Opcode::copysign)
    op.run = lanes([](uint32_t sign, uint32_t x) { return (sign & 0x80000000) | (x & 0x7fffffff); });
  if (opcode == Opcode::min || opcode == Opcode::max) {
    op.target = b.has(Modifier::abs) ? 1 : 0;
    const bool nan = b.has(Modifier::NaN);
    if (opcode == Opcode::max) op.run = nan ? extremes<true, true>(b) : extremes<true, false>(b);
    if (opcode == Opcode::min) op.run = nan ? extremes<false, true>(b) : extremes<false, false>(b);
  }
  const bool arithmetic = opcode == Opcode::add || opcode == Opcode::sub || opcode == Opcode::mul ||
                          opcode == Opcode::mad || opcode == Opcode::fma;
  if (!arithmetic) return;
  if (rounding_in(op.mode) != Rounding::nearest) {
    op.run = directed(opcode);
    return;
  }
  op.run = with_flags(b, [opcode](auto ftz, auto sat) {
    constexpr bool Ftz = decltype(ftz)::value, Sat = decltype(sat)::value;
    if (opcode == Opcode::add || opcode == Opcode::sub) return sum<Ftz, Sat>(opcode == Opcode::sub);
    return opcode == Opcode::mul ? product<Ftz, Sat>() : fused<Ftz, Sat>();
  });
}

}  // namespace fuseboard::ptx
