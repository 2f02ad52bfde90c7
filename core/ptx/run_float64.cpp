// f64 arithmetic: sums, products, fma, quotients, roots, extremes, signs; in every rounding mode.
// It must not know memory, nor how warps run.
#include <cmath>

#include "ptx/binding.h"
#include "ptx/float_modes.h"
#include "ptx/lanes.h"

namespace fuseboard::ptx {
namespace {

constexpr uint64_t kSign = uint64_t{1} << 63;

Handler nearest(Opcode opcode) {
  if (opcode == Opcode::add)
    return lanes([](uint64_t a, uint64_t b) { return canonical(as_f64(a) + as_f64(b)); });
  if (opcode == Opcode::sub)
    return lanes([](uint64_t a, uint64_t b) { return canonical(as_f64(a) - as_f64(b)); });
  if (opcode == Opcode::mul)
    return lanes([](uint64_t a, uint64_t b) { return canonical(as_f64(a) * as_f64(b)); });
  if (opcode == Opcode::div)
    return lanes([](uint64_t a, uint64_t b) { return canonical(as_f64(a) / as_f64(b)); });
  if (opcode == Opcode::rcp) return lanes([](uint64_t a) { return canonical(1.0 / as_f64(a)); });
  if (opcode == Opcode::sqrt) return lanes([](uint64_t a) { return canonical(std::sqrt(as_f64(a))); });
  return lanes([](uint64_t a, uint64_t b, uint64_t c) {
    return canonical(std::fma(as_f64(a), as_f64(b), as_f64(c)));
  });
}

Handler directed(Opcode opcode) {
  if (opcode == Opcode::add)
    return lanes(
        [](const MicroOp& op, uint64_t a, uint64_t b) { return add_f64(a, b, rounding_in(op.mode)); });
  if (opcode == Opcode::sub)
    return lanes([](const MicroOp& op, uint64_t a, uint64_t b) {
      return add_f64(a, b ^ kSign, rounding_in(op.mode));
    });
  if (opcode == Opcode::mul)
    return lanes(
        [](const MicroOp& op, uint64_t a, uint64_t b) { return mul_f64(a, b, rounding_in(op.mode)); });
  if (opcode == Opcode::div)
    return lanes(
        [](const MicroOp& op, uint64_t a, uint64_t b) { return div_f64(a, b, rounding_in(op.mode)); });
  if (opcode == Opcode::rcp)
    return lanes(
        [](const MicroOp& op, uint64_t a) { return div_f64(bits_of(1.0), a, rounding_in(op.mode)); });
  if (opcode == Opcode::sqrt)
    return lanes([](const MicroOp& op, uint64_t a) { return sqrt_f64(a, rounding_in(op.mode)); });
  return lanes([](const MicroOp& op, uint64_t a, uint64_t b, uint64_t c) {
    return fma_f64(a, b, c, rounding_in(op.mode));
  });
}

template <bool Maximum>
uint64_t extreme(uint64_t a, uint64_t b) {
  const auto key = [](uint64_t bits) {
    return static_cast<int64_t>(bits ^ ((bits & kSign) != 0 ? ~kSign : 0));
  };
  if (is_nan64(a)) return is_nan64(b) ? kNaN64 : b;
  if (is_nan64(b)) return a;
  return (Maximum ? key(a) >= key(b) : key(a) <= key(b)) ? a : b;
}

/// The exact value cut to the upper 32 bits, which is what hardware's table gives about (PTX ISA: relative
/// error at most 2^-20 for both); subnormal inputs and results are flushed.
uint64_t coarse(double value) { return canonical(value) & 0xffffffff00000000; }
double flushed(uint64_t bits) { return as_f64((bits & ~kSign) >> 52 == 0 ? bits & kSign : bits); }

}  // namespace

void bind_float64(Binding& b) {
  const Opcode opcode = b.i.opcode;
  MicroOp& op = b.op;
  b.same(Type::f64);
  op.mode = float_mode(b);
  if (b.has(Modifier::approx)) {
    if (opcode == Opcode::rcp)
      op.run = lanes([](uint64_t a) { return bits_of(flushed(coarse(1.0 / flushed(a)))); });
    if (opcode == Opcode::rsqrt)
      op.run = b.has(Modifier::ftz) ? lanes([](uint64_t a) { return coarse(1.0 / std::sqrt(flushed(a))); })
                                    : lanes([](uint64_t a) { return canonical(1.0 / std::sqrt(as_f64(a))); });
    return;
  }
  if (opcode == Opcode::neg) op.run = lanes([](uint64_t a) { return a ^ kSign; });
  if (opcode == Opcode::abs) op.run = lanes([](uint64_t a) { return a & ~kSign; });
  if (opcode == Opcode::copysign)
    op.run = lanes([](uint64_t sign, uint64_t a) { return (sign & kSign) | (a & ~kSign); });
  if (opcode == Opcode::min) op.run = lanes([](uint64_t x, uint64_t y) { return extreme<false>(x, y); });
  if (opcode == Opcode::max) op.run = lanes([](uint64_t x, uint64_t y) { return extreme<true>(x, y); });
  const bool arithmetic = opcode == Opcode::add || opcode == Opcode::sub || opcode == Opcode::mul ||
                          opcode == Opcode::mad || opcode == Opcode::fma || opcode == Opcode::div ||
                          opcode == Opcode::rcp || opcode == Opcode::sqrt;
  if (arithmetic) op.run = rounding_in(op.mode) == Rounding::nearest ? nearest(opcode) : directed(opcode);
}

}  // namespace fuseboard::ptx
