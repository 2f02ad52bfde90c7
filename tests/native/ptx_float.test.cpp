// f32 and f64 arithmetic in every rounding mode, against the host's own arithmetic in that mode; extremes,
// signs, flushing, saturation. It must not know how the machine rounds.
#include <cfenv>
#include <cmath>

#include "ptx/float_bits.h"
#include "ptx_lanes.h"

namespace fuseboard::ptx {
namespace {

/// Values where rounding, overflow and underflow happen, and random ones of all magnitudes.
template <class T>
std::vector<uint64_t> float_edges(uint32_t random) {
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  std::vector<uint64_t> all;
  const auto both = [&all](Bits bits) {
    all.push_back(bits);
    all.push_back(bits ^ static_cast<Bits>(Bits{1} << (8 * sizeof(T) - 1)));
  };
  for (const T value : {T(0), T(1), T(0.5), T(1.5), T(3), T(1) / T(3), std::numeric_limits<T>::max(),
                        std::numeric_limits<T>::min(), std::numeric_limits<T>::denorm_min(),
                        std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN(),
                        T(1) + std::numeric_limits<T>::epsilon(),
                        T(1) - std::numeric_limits<T>::epsilon() / 2, std::numeric_limits<T>::min() * T(0.75),
                        std::numeric_limits<T>::min() - std::numeric_limits<T>::denorm_min()})
    both(__builtin_bit_cast(Bits, value));
  uint64_t state = 12345;
  for (uint32_t n = 0; n < random; ++n) {
    state = state * 6364136223846793005 + 1442695040888963407;
    const uint64_t mixed = state ^ state >> 29;
    both(static_cast<Bits>(mixed));
    // Close to one another, so that sums cancel and products stay in range.
    const Bits one = __builtin_bit_cast(Bits, T(1));
    both(one ^ static_cast<Bits>(mixed & ((Bits{1} << (sizeof(T) == 8 ? 53 : 24)) - 1)));
  }
  return all;
}

struct Mode {
  const char* text;
  int host;
};
const Mode kModes[] = {{"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

template <class T>
T as(uint64_t bits) {
  if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(double, bits);
  else
    return __builtin_bit_cast(float, static_cast<uint32_t>(bits));
}
template <class T>
uint64_t bits(T value) {
  if (value != value) return sizeof(T) == 8 ? 0xfff8000000000000 : 0x7fffffff;
  if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(uint64_t, value);
  else
    return __builtin_bit_cast(uint32_t, value);
}

/// The host computes in a mode: its operands are volatile, so that nothing is computed beforehand.
template <class T, class F>
uint64_t hosted(int mode, const Operands& x, F f) {
  volatile T a = as<T>(x[0]), b = as<T>(x[1]), c = as<T>(x[2]);
  std::fesetround(mode);
  volatile T result = f(a, b, c);
  std::fesetround(FE_TONEAREST);
  return bits<T>(result);
}

template <class T>
void check_arithmetic() {
  const std::string type = sizeof(T) == 8 ? "f64" : "f32", kind = sizeof(T) == 8 ? "d" : "r";
  const auto ones = tuples(float_edges<T>(3000), 1);
  const auto pairs = tuples(float_edges<T>(60), 2);
  const auto triples = tuples(float_edges<T>(60), 3, 40'000);
  const std::string two = kind + ":" + kind + kind;
  using V = const volatile T&;
  for (const Mode& mode : kModes) {
    const std::string form = std::string(".") + mode.text + "." + type;
    const auto check2 = [&](const std::string& name, auto f) {
      check_lanes(name + form + " $d, $a, $b;", two, pairs,
                  [&](const Operands& x) { return hosted<T>(mode.host, x, f); });
    };
    check2("add", [](V a, V b, V) { return a + b; });
    check2("sub", [](V a, V b, V) { return a - b; });
    check2("mul", [](V a, V b, V) { return a * b; });
    check2("div", [](V a, V b, V) { return a / b; });
    for (const char* name : {"fma", "mad"})
      check_lanes(name + form + " $d, $a, $b, $c;", kind + ":" + kind + kind + kind, triples,
                  [&](const Operands& x) {
                    return hosted<T>(mode.host, x, [](V a, V b, V c) { return std::fma(T(a), T(b), T(c)); });
                  });
    check_lanes("rcp" + form + " $d, $a;", kind + ":" + kind, ones, [&](const Operands& x) {
      return hosted<T>(mode.host, x, [](V a, V, V) { return T(1) / a; });
    });
    check_lanes("sqrt" + form + " $d, $a;", kind + ":" + kind, ones, [&](const Operands& x) {
      return hosted<T>(mode.host, x, [](V a, V, V) { return std::sqrt(T(a)); });
    });
  }
  // Without a mode they round to nearest.
  check_lanes("add." + type + " $d, $a, $b;", two, pairs, [&](const Operands& x) {
    return hosted<T>(FE_TONEAREST, x, [](V a, V b, V) { return a + b; });
  });
}

uint64_t flushed(uint64_t x) { return (x & 0x7f800000) == 0 ? x & 0x80000000 : x; }

/// The larger or smaller as the PTX ISA says: a NaN gives way, -0 is below +0.
template <class T>
uint64_t extreme(uint64_t x, uint64_t y, bool maximum, bool propagates) {
  const T a = as<T>(x), b = as<T>(y);
  const bool a_nan = std::isnan(a), b_nan = std::isnan(b);
  if ((a_nan && b_nan) || (propagates && (a_nan || b_nan))) return bits(std::numeric_limits<T>::quiet_NaN());
  if (a_nan) return y;
  if (b_nan) return x;
  if (a == b) return std::signbit(a) == maximum ? y : x;
  return (a > b) == maximum ? x : y;
}

}  // namespace

TEST_CASE("ptx float: f32 in every rounding mode is the host's") { check_arithmetic<float>(); }
TEST_CASE("ptx float: f64 in every rounding mode is the host's") { check_arithmetic<double>(); }

TEST_CASE("ptx float: .ftz flushes operands and results, .sat cuts to 0 and 1") {
  const auto pairs = tuples(float_edges<float>(60), 2);
  const auto triples = tuples(float_edges<float>(60), 3, 20'000);
  using F = float;
  const auto saturated = [](uint64_t x) {
    const F value = as<F>(x);
    return value > 0 ? (value < 1 ? x : 0x3f800000) : 0;
  };
  check_lanes("add.ftz.f32 $d, $a, $b;", "r:rr", pairs,
              [](const Operands& x) { return flushed(bits(as<F>(flushed(x[0])) + as<F>(flushed(x[1])))); });
  check_lanes("mul.rn.ftz.sat.f32 $d, $a, $b;", "r:rr", pairs, [&](const Operands& x) {
    return saturated(flushed(bits(as<F>(flushed(x[0])) * as<F>(flushed(x[1])))));
  });
  check_lanes("sub.sat.f32 $d, $a, $b;", "r:rr", pairs,
              [&](const Operands& x) { return saturated(bits(as<F>(x[0]) - as<F>(x[1]))); });
  check_lanes("fma.rn.ftz.f32 $d, $a, $b, $c;", "r:rrr", triples, [](const Operands& x) {
    return flushed(bits(std::fma(as<F>(flushed(x[0])), as<F>(flushed(x[1])), as<F>(flushed(x[2])))));
  });
  check_lanes("fma.rz.ftz.sat.f32 $d, $a, $b, $c;", "r:rrr", triples, [&](const Operands& x) {
    const Operands in = {flushed(x[0]), flushed(x[1]), flushed(x[2]), 0};
    return saturated(flushed(
        hosted<F>(FE_TOWARDZERO, in, [](const volatile F& a, const volatile F& b, const volatile F& c) {
          return std::fma(F(a), F(b), F(c));
        })));
  });
  check_lanes("div.full.ftz.f32 $d, $a, $b;", "r:rr", pairs,
              [](const Operands& x) { return flushed(bits(as<F>(flushed(x[0])) / as<F>(flushed(x[1])))); });
}

TEST_CASE("ptx float: extremes, their NaN rules and signed zeros") {
  const auto pairs = tuples(float_edges<float>(40), 2);
  const auto triples = tuples(float_edges<float>(10), 3, 20'000);
  const auto doubles = tuples(float_edges<double>(40), 2);
  for (const bool maximum : {false, true}) {
    const std::string name = maximum ? "max" : "min";
    check_lanes(name + ".f32 $d, $a, $b;", "r:rr", pairs,
                [&](const Operands& x) { return extreme<float>(x[0], x[1], maximum, false); });
    check_lanes(name + ".NaN.f32 $d, $a, $b;", "r:rr", pairs,
                [&](const Operands& x) { return extreme<float>(x[0], x[1], maximum, true); });
    check_lanes(name + ".ftz.f32 $d, $a, $b;", "r:rr", pairs, [&](const Operands& x) {
      return extreme<float>(flushed(x[0]), flushed(x[1]), maximum, false);
    });
    check_lanes(name + ".xorsign.abs.f32 $d, $a, $b;", "r:rr", pairs, [&](const Operands& x) {
      const uint64_t found = extreme<float>(x[0] & 0x7fffffff, x[1] & 0x7fffffff, maximum, false);
      return std::isnan(as<float>(found)) ? 0x7fffffff : found | ((x[0] ^ x[1]) & 0x80000000);
    });
    check_lanes(name + ".f32 $d, $a, $b, $c;", "r:rrr", triples, [&](const Operands& x) {
      return extreme<float>(extreme<float>(x[0], x[1], maximum, false), x[2], maximum, false);
    });
    check_lanes(name + ".f64 $d, $a, $b;", "d:dd", doubles,
                [&](const Operands& x) { return extreme<double>(x[0], x[1], maximum, false); });
  }
}

TEST_CASE("ptx float: signs, tests, pairs") {
  const auto ones = tuples(float_edges<float>(40), 1);
  const auto pairs = tuples(float_edges<float>(40), 2);
  const auto doubles = tuples(float_edges<double>(40), 2);
  check_lanes("neg.f32 $d, $a;", "r:r", ones, [](const Operands& x) { return x[0] ^ 0x80000000; });
  check_lanes("neg.ftz.f32 $d, $a;", "r:r", ones,
              [](const Operands& x) { return flushed(x[0]) ^ 0x80000000; });
  check_lanes("abs.f32 $d, $a;", "r:r", ones, [](const Operands& x) { return x[0] & 0x7fffffff; });
  check_lanes("abs.ftz.f32 $d, $a;", "r:r", ones,
              [](const Operands& x) { return flushed(x[0]) & 0x7fffffff; });
  check_lanes("neg.f64 $d, $a;", "d:d", doubles, [](const Operands& x) { return x[0] ^ 0x8000000000000000; });
  check_lanes("abs.f64 $d, $a;", "d:d", doubles, [](const Operands& x) { return x[0] & 0x7fffffffffffffff; });
  check_lanes("copysign.f32 $d, $a, $b;", "r:rr", pairs,
              [](const Operands& x) { return (x[0] & 0x80000000) | (x[1] & 0x7fffffff); });
  check_lanes("copysign.f64 $d, $a, $b;", "d:dd", doubles,
              [](const Operands& x) { return (x[0] & 0x8000000000000000) | (x[1] & 0x7fffffffffffffff); });
  struct Test {
    const char* name;
    bool (*holds)(int);
  };
  const Test tests[] = {{"finite", [](int c) { return c != FP_NAN && c != FP_INFINITE; }},
                        {"infinite", [](int c) { return c == FP_INFINITE; }},
                        {"number", [](int c) { return c != FP_NAN; }},
                        {"notanumber", [](int c) { return c == FP_NAN; }},
                        {"normal", [](int c) { return c == FP_NORMAL; }},
                        {"subnormal", [](int c) { return c == FP_SUBNORMAL; }}};
  for (const Test& test : tests) {
    check_lanes(std::string("testp.") + test.name + ".f32 $d, $a;", "p:r", ones,
                [&](const Operands& x) { return test.holds(std::fpclassify(as<float>(x[0]))) ? 1 : 0; });
    check_lanes(std::string("testp.") + test.name + ".f64 $d, $a;", "p:d", doubles,
                [&](const Operands& x) { return test.holds(std::fpclassify(as<double>(x[0]))) ? 1 : 0; });
  }
  const auto couple = [](const Operands& x, auto f) {
    return bits(f(as<float>(x[0]), as<float>(x[1]))) | bits(f(as<float>(x[0] >> 32), as<float>(x[1] >> 32)))
                                                           << 32;
  };
  check_lanes("add.rn.f32x2 $d, $a, $b;", "d:dd", doubles,
              [&](const Operands& x) { return couple(x, [](float a, float b) { return a + b; }); });
  check_lanes("mul.rn.f32x2 $d, $a, $b;", "d:dd", doubles,
              [&](const Operands& x) { return couple(x, [](float a, float b) { return a * b; }); });
  check_lanes("fma.rn.f32x2 $d, $a, $b, $a;", "d:dd", doubles, [&](const Operands& x) {
    return couple(x, [](float a, float b) { return std::fma(a, b, a); });
  });
}

}  // namespace fuseboard::ptx
