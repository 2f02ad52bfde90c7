// f16 and bf16, alone and in pairs: computed in doubles, which hold every sum and product of them or are
// rounded to odd, then rounded once. It must not know memory, nor how warps run.
#include "ptx/binding.h"
#include "ptx/float_modes.h"
#include "ptx/lanes.h"

namespace fuseboard::ptx {
namespace {

struct F16 {
  static constexpr uint32_t kInfinity = 0x7c00;
  static double wide(uint32_t bits) { return f64_of_f16(bits); }
  static uint32_t round(double value) {
    return static_cast<uint32_t>(rounded_to(value, kF16, Rounding::nearest));
  }
};
struct Bf16 {
  static constexpr uint32_t kInfinity = 0x7f80;
  static double wide(uint32_t bits) { return f64_of_bf16(bits); }
  static uint32_t round(double value) {
    return static_cast<uint32_t>(rounded_to(value, kBf16, Rounding::nearest));
  }
};

template <class H>
bool is_nan(uint32_t bits) {
  return (bits & 0x7fff) > H::kInfinity;
}

template <class H>
uint32_t flushed(const MicroOp& op, uint32_t bits) {
  return (op.mode & kFtz) != 0 && (bits & H::kInfinity) == 0 ? bits & 0x8000 : bits;
}

template <class H>
uint32_t finished(const MicroOp& op, double value) {
  uint32_t bits = flushed<H>(op, value != value ? kNaN16 : H::round(value));
  const bool negative = (bits & 0x8000) != 0;
  if ((op.mode & kRelu) != 0 && bits != kNaN16 && negative) bits = 0;
  if ((op.mode & kSat) != 0) {
    if (bits == kNaN16 || negative) return 0;
    const uint32_t one = H::kInfinity == F16::kInfinity ? 0x3c00 : 0x3f80;
    return bits < one ? bits : one;
  }
  return bits;
}

template <class H>
struct Add {
  static uint32_t of(const MicroOp& op, uint32_t a, uint32_t b) {
    return finished<H>(op, sum_to_odd(H::wide(flushed<H>(op, a)), H::wide(flushed<H>(op, b))));
  }
};
template <class H>
struct Sub {
  static uint32_t of(const MicroOp& op, uint32_t a, uint32_t b) { return Add<H>::of(op, a, b ^ 0x8000); }
};
template <class H>
struct Mul {
  static uint32_t of(const MicroOp& op, uint32_t a, uint32_t b) {
    return finished<H>(op, H::wide(flushed<H>(op, a)) * H::wide(flushed<H>(op, b)));
  }
};
template <class H, bool Maximum>
struct Extreme {
  static uint32_t of(const MicroOp& op, uint32_t a, uint32_t b) {
    a = flushed<H>(op, a);
    b = flushed<H>(op, b);
    const bool signs = op.target != 0;  // .xorsign.abs
    const uint32_t sign = signs ? (a ^ b) & 0x8000 : 0;
    if (signs) {
      a &= 0x7fff;
      b &= 0x7fff;
    }
    if (is_nan<H>(a) || is_nan<H>(b)) {
      const bool propagate = op.size != 0;  // .NaN
      if (propagate || (is_nan<H>(a) && is_nan<H>(b))) return kNaN16;
      return (is_nan<H>(a) ? b : a) | sign;
    }
    const auto key = [](uint32_t bits) {
      return static_cast<int32_t>(bits & 0x7fff) * ((bits & 0x8000) != 0 ? -1 : 1) -
             ((bits & 0x8000) != 0 ? 1 : 0);
    };
    const bool first = Maximum ? key(a) >= key(b) : key(a) <= key(b);
    return (first ? a : b) | sign;
  }
};
template <class H>
using Min = Extreme<H, false>;
template <class H>
using Max = Extreme<H, true>;

template <class H>
struct Fma {
  static uint32_t of(const MicroOp& op, uint32_t a, uint32_t b, uint32_t c) {
    return finished<H>(
        op, fma_to_odd(H::wide(flushed<H>(op, a)), H::wide(flushed<H>(op, b)), H::wide(flushed<H>(op, c))));
  }
};
template <class H>
struct Neg {
  static uint32_t of(const MicroOp& op, uint32_t a) { return flushed<H>(op, a) ^ 0x8000; }
};
template <class H>
struct Abs {
  static uint32_t of(const MicroOp& op, uint32_t a) { return flushed<H>(op, a) & 0x7fff; }
};

template <class F>
Handler unary(bool pair) {
  return pair ? lanes([](const MicroOp& op, uint32_t a) {
    return F::of(op, a & 0xffff) | F::of(op, a >> 16) << 16;
  })
              : lanes([](const MicroOp& op, uint32_t a) { return F::of(op, a & 0xffff); });
}
template <class F>
Handler binary(bool pair) {
  return pair ? lanes([](const MicroOp& op, uint32_t a, uint32_t b) {
    return F::of(op, a & 0xffff, b & 0xffff) | F::of(op, a >> 16, b >> 16) << 16;
  })
              : lanes([](const MicroOp& op, uint32_t a, uint32_t b) {
                  return F::of(op, a & 0xffff, b & 0xffff);
                });
}
template <class F>
Handler ternary(bool pair) {
  return pair ? lanes([](const MicroOp& op, uint32_t a, uint32_t b, uint32_t c) {
    return F::of(op, a & 0xffff, b & 0xffff, c & 0xffff) | F::of(op, a >> 16, b >> 16, c >> 16) << 16;
  })
              : lanes([](const MicroOp& op, uint32_t a, uint32_t b, uint32_t c) {
                  return F::of(op, a & 0xffff, b & 0xffff, c & 0xffff);
                });
}

template <class H>
Handler of(Opcode opcode, bool pair) {
  if (opcode == Opcode::add) return binary<Add<H>>(pair);
  if (opcode == Opcode::sub) return binary<Sub<H>>(pair);
  if (opcode == Opcode::mul) return binary<Mul<H>>(pair);
  if (opcode == Opcode::min) return binary<Min<H>>(pair);
  if (opcode == Opcode::max) return binary<Max<H>>(pair);
  if (opcode == Opcode::fma) return ternary<Fma<H>>(pair);
  if (opcode == Opcode::neg) return unary<Neg<H>>(pair);
  if (opcode == Opcode::abs) return unary<Abs<H>>(pair);
  return nullptr;
}

}  // namespace

void bind_half(Binding& b) {
  const Type type = b.i.type();
  MicroOp& op = b.op;
  b.same(type);
  op.mode = float_mode(b);
  if (b.has(Modifier::oob))
    return;  // not run here: an operand that says "out of bounds" makes the result zero
  op.target = b.has(Modifier::xorsign) ? 1 : 0;
  op.size = b.has(Modifier::NaN) ? 1 : 0;
  const bool pair = type == Type::f16x2 || type == Type::bf16x2;
  op.run = type == Type::f16 || type == Type::f16x2 ? of<F16>(b.i.opcode, pair) : of<Bf16>(b.i.opcode, pair);
}

}  // namespace fuseboard::ptx
