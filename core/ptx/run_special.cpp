// The special functions of f32 and of both half formats: the exact function's value, correctly rounded, with
// the PTX ISA's results for zeros, infinities and NaN. It must not know memory, nor how warps run.
#include <cmath>

#include "ptx/approximate.h"
#include "ptx/binding.h"
#include "ptx/float_modes.h"
#include "ptx/lanes.h"

namespace fuseboard::ptx {
namespace {

uint32_t ex2(uint32_t bits) {
  const float x = as_f32(bits);
  const auto value = static_cast<float>(exp2_double(static_cast<double>(x)));
  return x != x ? kNaN32 : bits_of(value);
}

uint32_t lg2(uint32_t bits) {
  const float x = as_f32(bits);
  // Zeros and negative numbers keep off the series, which wants a positive number.
  const double safe = x > 0 && bits < 0x7f800000 ? static_cast<double>(x) : 1.0;
  const uint32_t value = bits_of(static_cast<float>(log2_double(safe)));
  const uint32_t finite = x > 0 ? value : (bits << 1 == 0 ? 0xff800000 : kNaN32);
  return bits == 0x7f800000 ? bits : finite;
}

uint32_t tanh32(uint32_t bits) {
  const float x = as_f32(bits);
  // Below 2^-13 tanh(x) rounds to x, or to its neighbour: x - x^3/3 in doubles says which.
  const auto value = static_cast<float>(tanh_double(static_cast<double>(x)));
  const uint32_t signed_zero = bits << 1 == 0 ? bits : bits_of(value);
  return x != x ? kNaN32 : signed_zero;
}

uint32_t sine(uint32_t bits) {
  const auto value = static_cast<float>(std::sin(static_cast<double>(as_f32(bits))));
  return canonical(value);
}
uint32_t cosine(uint32_t bits) {
  const auto value = static_cast<float>(std::cos(static_cast<double>(as_f32(bits))));
  return canonical(value);
}

uint32_t root(uint32_t bits) { return canonical(std::sqrt(as_f32(bits))); }
uint32_t inverse_root(uint32_t bits) {
  return canonical(static_cast<float>(1.0 / std::sqrt(static_cast<double>(as_f32(bits)))));
}
uint32_t reciprocal(uint32_t bits) { return canonical(1.0F / as_f32(bits)); }
uint32_t quotient(uint32_t a, uint32_t b) { return canonical(as_f32(a) / as_f32(b)); }

/// div.approx is a times 1 / b: past 2^126 the reciprocal is flushed to zero (PTX ISA, div).
uint32_t approximate_quotient(uint32_t a, uint32_t b) {
  const uint32_t magnitude = b & 0x7fffffff;
  const bool flushed = magnitude > 0x7e800000 && magnitude < 0x7f800000;
  const uint32_t sign = (a ^ b) & 0x80000000;
  const uint32_t exact = quotient(a, b);
  return flushed ? ((a & 0x7fffffff) >= 0x7f800000 ? kNaN32 : sign) : exact;
}

template <uint32_t (*F)(uint32_t)>
Handler one(bool ftz) {
  return ftz ? lanes([](uint32_t x) { return flushed32(F(flushed32(x))); })
             : lanes([](uint32_t x) { return F(x); });
}
template <uint32_t (*F)(uint32_t, uint32_t)>
Handler two(bool ftz) {
  return ftz ? lanes([](uint32_t x, uint32_t y) { return flushed32(F(flushed32(x), flushed32(y))); })
             : lanes([](uint32_t x, uint32_t y) { return F(x, y); });
}

uint32_t flushed_in(const MicroOp& op, uint32_t bits) {
  return (op.mode & kFtz) != 0 ? flushed32(bits) : bits;
}

Handler directed(Opcode opcode) {
  if (opcode == Opcode::div)
    return lanes([](const MicroOp& op, uint32_t x, uint32_t y) {
      return flushed_in(op, div_f32(flushed_in(op, x), flushed_in(op, y), rounding_in(op.mode)));
    });
  if (opcode == Opcode::rcp)
    return lanes([](const MicroOp& op, uint32_t x) {
      return flushed_in(op, div_f32(bits_of(1.0F), flushed_in(op, x), rounding_in(op.mode)));
    });
  return lanes([](const MicroOp& op, uint32_t x) {
    return flushed_in(op, sqrt_f32(flushed_in(op, x), rounding_in(op.mode)));
  });
}

/// A function of a half: the double's value, rounded once.
double exp2_of(double x) {
  if (x != x) return x;
  return exp2_double(x);
}
double tanh_of(double x) {
  if (x != x || x == 0) return x;
  return tanh_double(x);
}

template <double (*F)(double)>
uint32_t half(uint32_t bits) {
  return static_cast<uint32_t>(rounded_to(F(f64_of_f16(bits)), kF16, Rounding::nearest));
}
/// ex2.approx.ftz.bf16: subnormals are flushed at both ends.
template <double (*F)(double), bool Ftz>
uint32_t brain(uint32_t bits) {
  const uint32_t from = Ftz && (bits & 0x7f80) == 0 ? bits & 0x8000 : bits;
  const auto value = static_cast<uint32_t>(rounded_to(F(f64_of_bf16(from)), kBf16, Rounding::nearest));
  return Ftz && (value & 0x7f80) == 0 ? value & 0x8000 : value;
}

template <uint32_t (*F)(uint32_t)>
Handler single_or_pair(bool pair) {
  return pair ? lanes([](uint32_t x) { return F(x & 0xffff) | F(x >> 16) << 16; })
              : lanes([](uint32_t x) { return F(x & 0xffff); });
}

Handler of_halves(Opcode opcode, Type type) {
  const bool pair = type == Type::f16x2 || type == Type::bf16x2;
  const bool is_bf16 = type == Type::bf16 || type == Type::bf16x2;
  if (opcode == Opcode::ex2)
    return is_bf16 ? single_or_pair<brain<exp2_of, true>>(pair) : single_or_pair<half<exp2_of>>(pair);
  return is_bf16 ? single_or_pair<brain<tanh_of, false>>(pair) : single_or_pair<half<tanh_of>>(pair);
}

}  // namespace

void bind_special(Binding& b) {
  const Opcode opcode = b.i.opcode;
  const Type type = b.i.type();
  MicroOp& op = b.op;
  if (type == Type::f64) return bind_float64(b);
  b.same(type);
  op.mode = float_mode(b);
  if (type != Type::f32) {
    op.run = of_halves(opcode, type);
    return;
  }
  const bool ftz = b.has(Modifier::ftz);
  if (opcode == Opcode::ex2) op.run = one<ex2>(ftz);
  if (opcode == Opcode::lg2) op.run = one<lg2>(ftz);
  if (opcode == Opcode::tanh) op.run = one<tanh32>(ftz);
  if (opcode == Opcode::sin) op.run = one<sine>(ftz);
  if (opcode == Opcode::cos) op.run = one<cosine>(ftz);
  if (opcode == Opcode::rsqrt) op.run = one<inverse_root>(ftz);
  const bool nearest = rounding_in(op.mode) == Rounding::nearest;
  if (opcode == Opcode::sqrt) op.run = nearest ? one<root>(ftz) : directed(opcode);
  if (opcode == Opcode::rcp) op.run = nearest ? one<reciprocal>(ftz) : directed(opcode);
  if (opcode == Opcode::div) {
    op.run = nearest ? two<quotient>(ftz) : directed(opcode);
    if (b.has(Modifier::approx)) op.run = two<approximate_quotient>(ftz);
  }
}

}  // namespace fuseboard::ptx
