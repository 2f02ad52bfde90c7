// Comparison and selection: setp, set, selp, slct, testp.
// It must not know memory, nor how warps run.
#include <functional>

#include "ptx/float_bits.h"
#include "ptx/integer_lanes.h"

namespace fuseboard::ptx {
namespace {

/// What of (less, equal, greater, unordered) makes a comparison true: one bit each.
constexpr uint8_t kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8;

struct Comparison {
  Modifier modifier;
  uint8_t true_for;
};
constexpr Comparison kComparisons[] = {
    {Modifier::eq, kEqual},
    {Modifier::ne, kLess | kGreater},
    {Modifier::lt, kLess},
    {Modifier::le, kLess | kEqual},
    {Modifier::gt, kGreater},
    {Modifier::ge, kGreater | kEqual},
    {Modifier::lo, kLess},
    {Modifier::ls, kLess | kEqual},
    {Modifier::hi, kGreater},
    {Modifier::hs, kGreater | kEqual},
    {Modifier::equ, kEqual | kUnordered},
    {Modifier::neu, kLess | kGreater | kUnordered},
    {Modifier::ltu, kLess | kUnordered},
    {Modifier::leu, kLess | kEqual | kUnordered},
    {Modifier::gtu, kGreater | kUnordered},
    {Modifier::geu, kGreater | kEqual | kUnordered},
    {Modifier::num, kLess | kEqual | kGreater},
    {Modifier::nan, kUnordered},
};

uint8_t true_for(const Binding& b) {
  for (const Comparison& each : kComparisons)
    if (b.has(each.modifier)) return each.true_for;
  return 0;
}

template <uint8_t TrueFor, class T>
bool holds(T a, T b) {
  // Spelled as one comparison, so that 32 of them are vector instructions.
  if constexpr (TrueFor == kEqual) return a == b;
  if constexpr (TrueFor == (kLess | kGreater)) return a < b || a > b;
  if constexpr (TrueFor == kLess) return a < b;
  if constexpr (TrueFor == (kLess | kEqual)) return a <= b;
  if constexpr (TrueFor == kGreater) return a > b;
  if constexpr (TrueFor == (kGreater | kEqual)) return a >= b;
  if constexpr (TrueFor == (kEqual | kUnordered)) return !(a < b || a > b);
  if constexpr (TrueFor == (kLess | kGreater | kUnordered)) return !(a == b);
  if constexpr (TrueFor == (kLess | kUnordered)) return !(a >= b);
  if constexpr (TrueFor == (kLess | kEqual | kUnordered)) return !(a > b);
  if constexpr (TrueFor == (kGreater | kUnordered)) return !(a <= b);
  if constexpr (TrueFor == (kGreater | kEqual | kUnordered)) return !(a < b);
  if constexpr (TrueFor == (kLess | kEqual | kGreater)) return a == a && b == b;
  if constexpr (TrueFor == kUnordered) return a != a || b != b;
  return false;
}

/// Calls visit with the comparison as a constant.
template <class Visit>
Handler for_comparison(uint8_t true_for, Visit visit) {
#define FUSEBOARD_COMPARISON(value) \
  if (true_for == (value)) return visit(std::integral_constant<uint8_t, (value)>{});
  FUSEBOARD_COMPARISON(kEqual)
  FUSEBOARD_COMPARISON(kLess | kGreater)
  FUSEBOARD_COMPARISON(kLess)
  FUSEBOARD_COMPARISON(kLess | kEqual)
  FUSEBOARD_COMPARISON(kGreater)
  FUSEBOARD_COMPARISON(kGreater | kEqual)
  FUSEBOARD_COMPARISON(kEqual | kUnordered)
  FUSEBOARD_COMPARISON(kLess | kGreater | kUnordered)
  FUSEBOARD_COMPARISON(kLess | kUnordered)
  FUSEBOARD_COMPARISON(kLess | kEqual | kUnordered)
  FUSEBOARD_COMPARISON(kGreater | kUnordered)
  FUSEBOARD_COMPARISON(kGreater | kEqual | kUnordered)
  FUSEBOARD_COMPARISON(kLess | kEqual | kGreater)
  FUSEBOARD_COMPARISON(kUnordered)
#undef FUSEBOARD_COMPARISON
  return nullptr;
}

/// How lanes of a type become numbers that < and == compare.
struct AsF32 {
  using Lane = uint32_t;
  static float of(uint32_t bits) { return as_f32(bits); }
};
struct AsFlushedF32 {
  using Lane = uint32_t;
  static float of(uint32_t bits) { return as_f32(flushed32(bits)); }
};
struct AsF64 {
  using Lane = uint64_t;
  static double of(uint64_t bits) { return as_f64(bits); }
};
struct AsF16 {
  using Lane = uint32_t;
  static float of(uint32_t bits) { return as_f32(f32_of_f16(bits & 0xffff)); }
};
struct AsFlushedF16 {
  using Lane = uint32_t;
  static float of(uint32_t bits) { return as_f32(f32_of_f16(flushed_f16(bits & 0xffff))); }
};
struct AsBf16 {
  using Lane = uint32_t;
  static float of(uint32_t bits) { return as_f32(f32_of_bf16(bits & 0xffff)); }
};
template <class T>
struct AsInteger {
  using Lane = Stored<T>;
  static T of(Lane bits) { return static_cast<T>(bits); }
};

template <class As>
Handler comparison_of(uint8_t comparison) {
  return for_comparison(comparison, [](auto constant) {
    constexpr uint8_t kTrueFor = decltype(constant)::value;
    return lanes(
        [](typename As::Lane a, typename As::Lane b) { return holds<kTrueFor>(As::of(a), As::of(b)); });
  });
}

Handler comparison_for(Type type, bool ftz, uint8_t comparison) {
  if (type == Type::f32)
    return ftz ? comparison_of<AsFlushedF32>(comparison) : comparison_of<AsF32>(comparison);
  if (type == Type::f64) return comparison_of<AsF64>(comparison);
  if (type == Type::f16 || type == Type::f16x2)
    return ftz ? comparison_of<AsFlushedF16>(comparison) : comparison_of<AsF16>(comparison);
  if (type == Type::bf16 || type == Type::bf16x2) return comparison_of<AsBf16>(comparison);
  return for_integer(
      type, [comparison](auto zero) { return comparison_of<AsInteger<decltype(zero)>>(comparison); });
}

MicroOp step(const Binding& b, Handler run) {
  MicroOp op = b.op;
  op.run = run;
  op.counted = false;
  return op;
}

/// The comparison into a temporary predicate; of a packed type's upper half after `shift_right`.
Slot compared(Binding& b, uint32_t first, Type type, bool upper) {
  MicroOp op = step(b, comparison_for(type, b.has(Modifier::ftz), true_for(b)));
  if (!op.run) b.refuse();
  op.d = b.frame().temporary_predicate();
  for (uint32_t n = 0; n < 2; ++n) {
    op.s[n] = b.source(first + n, type);
    if (!upper) continue;
    MicroOp shift = step(b, lanes([](uint32_t x) { return x >> 16; }));
    shift.s[0] = op.s[n];
    shift.d = b.frame().temporary(4);
    op.s[n] = shift.d;
    b.before.push_back(shift);
  }
  b.before.push_back(op);
  return op.d;
}

/// How a comparison's outcome meets the predicate operand; mode: 0 none, 1 and, 2 or, 3 xor.
uint8_t combination(const Binding& b) {
  return b.has(Modifier::and_) ? 1 : b.has(Modifier::or_) ? 2 : b.has(Modifier::xor_) ? 3 : 0;
}
uint32_t combine(uint8_t mode, uint32_t outcome, uint32_t with) {
  return mode == 1 ? outcome & with : mode == 2 ? outcome | with : mode == 3 ? outcome ^ with : outcome;
}

/// d = outcome with c; d2 = its negation with c, or of a packed type the upper half's (size 1).
Flow run_combine(Execution& x, const MicroOp& op) {
  const uint32_t with = x.predicate(op.s[2]);
  const uint32_t outcome = x.predicate(op.s[0]);
  const uint32_t other = op.size == 1 ? x.predicate(op.s[1]) : ~outcome;
  x.set_predicate(op.d2, combine(op.mode, other, with));
  x.set_predicate(op.d, combine(op.mode, outcome, with));
  return Flow::next;
}

void bind_setp(Binding& b) {
  const Type type = b.i.type();
  MicroOp& op = b.op;
  const bool packed = type == Type::f16x2 || type == Type::bf16x2;
  const bool plain = combination(b) == 0 && b.operand(1).kind == OperandKind::sink && !packed;
  if (plain) {
    op.d = b.predicate_destination(0);
    op.s[0] = b.source(2, type);
    op.s[1] = b.source(3, type);
    op.run = comparison_for(type, b.has(Modifier::ftz), true_for(b));
    return;
  }
  op.s[0] = compared(b, 2, type, false);
  op.s[1] = packed ? compared(b, 2, type, true) : op.s[0];
  op.s[2] = combination(b) != 0 ? b.predicate(4) : b.frame().all_true();
  op.d = b.predicate_destination(0);
  op.d2 = b.predicate_destination(1);
  op.mode = combination(b);
  op.size = packed ? 1 : 0;
  op.run = run_combine;
}

/// What set writes for true: 1.0 of a float, all ones of an integer.
uint32_t truth_of(Type type) {
  if (type == Type::f32) return 0x3f800000;
  if (type == Type::f16) return 0x3c00;
  if (type == Type::bf16) return 0x3f80;
  if (type == Type::f16x2) return 0x3c003c00;
  if (type == Type::bf16x2) return 0x3f803f80;
  return type_bits(type) == 16 ? 0xffff : 0xffffffff;
}

Flow run_set(Execution& x, const MicroOp& op) {
  const uint32_t with = x.predicate(op.s[2]);
  const uint32_t low = combine(op.mode, x.predicate(op.s[0]), with);
  const uint32_t high = combine(op.mode, x.predicate(op.s[1]), with);
  alignas(64) std::array<uint32_t, kLanes> values;
  const auto truth = static_cast<uint32_t>(op.immediate);
  const uint32_t low_half = op.size == 1 ? truth & 0xffff : truth;
  const uint32_t high_half = op.size == 1 ? truth & 0xffff0000 : 0;
  for (uint32_t i = 0; i < kLanes; ++i)
    values[i] = ((low & kLaneBits[i]) != 0 ? low_half : 0) | ((high & kLaneBits[i]) != 0 ? high_half : 0);
  keep(x, op.d, values.data());
  return Flow::next;
}

void bind_set(Binding& b) {
  const Type result = b.i.types[0], type = b.i.types[1];
  MicroOp& op = b.op;
  const bool packed = type == Type::f16x2 || type == Type::bf16x2;
  op.s[0] = compared(b, 1, type, false);
  op.s[1] = packed ? compared(b, 1, type, true) : op.s[0];
  op.s[2] = combination(b) != 0 ? b.predicate(3) : b.frame().all_true();
  op.d = b.destination(0, result);
  op.mode = combination(b);
  op.size = packed ? 1 : 0;
  op.immediate = truth_of(result);
  op.run = run_set;
}

uint32_t tested(const MicroOp& op, uint64_t bits, uint32_t fraction_bits, uint32_t exponent_bits) {
  const uint64_t infinity = ((uint64_t{1} << exponent_bits) - 1) << fraction_bits;
  const uint64_t magnitude = bits & (infinity | ((uint64_t{1} << fraction_bits) - 1));
  const bool subnormal = magnitude != 0 && magnitude < uint64_t{1} << fraction_bits;
  const bool finite = magnitude < infinity;
  switch (op.mode) {
    case 0:
      return finite;
    case 1:
      return magnitude == infinity;
    case 2:
      return magnitude <= infinity;
    case 3:
      return magnitude > infinity;
    case 4:
      return finite && magnitude >= uint64_t{1} << fraction_bits;
  }
  return subnormal;
}

void bind_testp(Binding& b) {
  const Type type = b.i.type();
  MicroOp& op = b.op;
  op.d = b.predicate_destination(0);
  op.s[0] = b.source(1, type);
  constexpr Modifier kTests[] = {Modifier::finite,     Modifier::infinite, Modifier::number,
                                 Modifier::notanumber, Modifier::normal,   Modifier::subnormal};
  for (uint8_t n = 0; n < 6; ++n)
    if (b.has(kTests[n])) op.mode = n;
  op.run = type == Type::f64 ? lanes([](const MicroOp& o, uint64_t x) { return tested(o, x, 52, 11) != 0; })
                             : lanes([](const MicroOp& o, uint32_t x) { return tested(o, x, 23, 8) != 0; });
}

void bind_slct(Binding& b) {
  const Type type = b.i.type();
  MicroOp& op = b.op;
  op.d = b.destination(0, type);
  op.s[0] = b.source(1, type);
  op.s[1] = b.source(2, type);
  op.s[2] = b.source(3, b.i.types[1]);
  // At least zero takes a; a NaN takes b (PTX ISA, slct).
  if (b.i.types[1] == Type::s32)
    op.run = for_width(type, [](auto zero) {
      using S = Stored<decltype(zero)>;
      return lanes([](S x, S y, uint32_t c) { return static_cast<int32_t>(c) >= 0 ? x : y; });
    });
  else if (b.has(Modifier::ftz))
    op.run = for_width(type, [](auto zero) {
      using S = Stored<decltype(zero)>;
      return lanes([](S x, S y, uint32_t c) { return as_f32(flushed32(c)) >= 0.0F ? x : y; });
    });
  else
    op.run = for_width(type, [](auto zero) {
      using S = Stored<decltype(zero)>;
      return lanes([](S x, S y, uint32_t c) { return as_f32(c) >= 0.0F ? x : y; });
    });
}

}  // namespace

void bind_compare(Binding& b) {
  const Type type = b.i.type();
  MicroOp& op = b.op;
  if (b.i.opcode == Opcode::setp) return bind_setp(b);
  if (b.i.opcode == Opcode::set) return bind_set(b);
  if (b.i.opcode == Opcode::testp) return bind_testp(b);
  if (b.i.opcode == Opcode::slct) return bind_slct(b);
  if (b.i.opcode != Opcode::selp) return;
  op.d = b.destination(0, type);
  op.s[0] = b.source(1, type);
  op.s[1] = b.source(2, type);
  op.s[2] = b.predicate(3);
  op.run = for_width(type, [](auto zero) {
    using S = Stored<decltype(zero)>;
    return lanes([](S x, S y, bool which) { return which ? x : y; });
  });
}

}  // namespace fuseboard::ptx
