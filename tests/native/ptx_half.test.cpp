// f16 and bf16 arithmetic and conversions: the nearest of all values of the format, found by looking at them.
// It must not know how the machine rounds.
#include <algorithm>
#include <cmath>

#include "ptx_lanes.h"

namespace fuseboard::ptx {
namespace {

struct Format {
  const char* type;
  const char* pair;
  int fraction;
  int bias;
};
constexpr Format kF16{"f16", "f16x2", 10, 15};
constexpr Format kBf16{"bf16", "bf16x2", 7, 127};
constexpr uint32_t kNaN = 0x7fff;

uint32_t infinity(const Format& f) { return f.fraction == 10 ? 0x7c00 : 0x7f80; }

long double value_of(uint32_t bits, const Format& f) {
  const auto exponent = static_cast<int>((bits & 0x7fff) >> f.fraction);
  const auto fraction = static_cast<int>(bits & ((1U << f.fraction) - 1));
  const long double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if ((bits & 0x7fff) > infinity(f)) return std::nanl("");
  if ((bits & 0x7fff) == infinity(f)) return sign * HUGE_VALL;
  if (exponent == 0) return sign * std::ldexp(static_cast<long double>(fraction), 1 - f.bias - f.fraction);
  return sign *
         std::ldexp(static_cast<long double>(fraction + (1 << f.fraction)), exponent - f.bias - f.fraction);
}

/// The neighbours of an exact value in the format, by halving the list of all positive ones; then the choice.
enum class Round { nearest, zero, down, up };
uint32_t rounded(long double exact, const Format& f, Round round = Round::nearest) {
  if (std::isnan(exact)) return kNaN;
  const uint32_t sign = std::signbit(exact) ? 0x8000 : 0;
  const long double magnitude = std::fabs(exact);
  uint32_t low = 0, high = infinity(f);
  if (magnitude == HUGE_VALL) return sign | high;
  while (high - low > 1) {
    const uint32_t middle = (low + high) / 2;
    (value_of(middle, f) <= magnitude ? low : high) = middle;
  }
  const long double below = value_of(low, f);
  if (below == magnitude) return sign | low;
  // What would come behind the largest finite value decides about infinity.
  const long double above = high == infinity(f) ? std::ldexp(1.0L, f.bias + 1) : value_of(high, f);
  bool up = false;
  switch (round) {
    case Round::nearest: {
      const long double middle = below + (above - below) / 2;
      up = magnitude > middle || (magnitude == middle && low % 2 == 1);
      break;
    }
    case Round::zero:
      up = false;
      break;
    case Round::down:
      up = sign != 0;
      break;
    case Round::up:
      up = sign == 0;
      break;
  }
  return sign | (up ? high : low);
}

std::vector<uint64_t> edges(const Format& f, uint32_t random) {
  std::vector<uint64_t> all;
  const uint32_t one = static_cast<uint32_t>(f.bias) << f.fraction;
  for (const uint32_t bits :
       {0U, 1U, 2U, (1U << f.fraction) - 1, 1U << f.fraction, one, one + 1, one - 1,
        one + (1U << (f.fraction - 1)), infinity(f) - 1, infinity(f), infinity(f) + 1, kNaN})
    for (const uint32_t sign : {0U, 0x8000U}) all.push_back(bits | sign);
  uint64_t state = 99;
  for (uint32_t n = 0; n < random; ++n) {
    state = state * 6364136223846793005 + 1442695040888963407;
    all.push_back(state >> 40 & 0xffff);
    all.push_back(one ^ (state >> 33 & ((1U << (f.fraction + 2)) - 1)));
  }
  return all;
}

/// One value, then pairs of it: the upper half the operands in another order.
void check_both(const std::string& name, const Format& f, uint32_t arity, const std::string& words,
                const std::function<uint32_t(const Operands&)>& expected) {
  const auto inputs = tuples(edges(f, 40), arity, 20'000);
  std::string operands = " $d, $a";
  if (arity > 1) operands += ", $b";
  if (arity > 2) operands += ", $c";
  check_lanes(name + words + "." + f.type + operands + ";", "h:" + std::string(arity, 'h'), inputs, expected);
  std::vector<Operands> paired = inputs;
  for (size_t i = 0; i < paired.size(); ++i)
    for (uint32_t n = 0; n < arity; ++n) paired[i][n] |= inputs[inputs.size() - 1 - i][n] << 16;
  check_lanes(name + words + "." + f.pair + operands + ";", "r:" + std::string(arity, 'r'), paired,
              [&](const Operands& x) {
                Operands low = x, high = x;
                for (uint32_t n = 0; n < 4; ++n) low[n] = x[n] & 0xffff, high[n] = x[n] >> 16;
                return expected(low) | static_cast<uint64_t>(expected(high)) << 16;
              });
}

bool nan(uint64_t bits, const Format& f) { return (bits & 0x7fff) > infinity(f); }

}  // namespace

TEST_CASE("ptx half: sums, products, fma are rounded once") {
  for (const Format& f : {kF16, kBf16}) {
    const auto value = [&](uint64_t bits) { return value_of(static_cast<uint32_t>(bits), f); };
    check_both("add", f, 2, "", [&](const Operands& x) { return rounded(value(x[0]) + value(x[1]), f); });
    check_both("sub", f, 2, "", [&](const Operands& x) { return rounded(value(x[0]) - value(x[1]), f); });
    check_both("mul", f, 2, "", [&](const Operands& x) { return rounded(value(x[0]) * value(x[1]), f); });
    // bf16's exponents reach too far for 64 bits of fraction: there c is only as far as the sum stays exact.
    check_both("fma.rn", f, 3, "", [&](const Operands& x) {
      const long double product = value(x[0]) * value(x[1]), c = value(x[2]);
      const long double sum = product + c;
      // What the sum lost, told by its error, moves a value off the middle.
      const long double part = sum - product, error = (product - (sum - part)) + (c - part);
      if (!std::isfinite(sum) || error == 0 || !std::isfinite(error)) return rounded(sum, f);
      return rounded(std::nextafter(sum, error > 0 ? HUGE_VALL : -HUGE_VALL), f);
    });
  }
}

TEST_CASE("ptx half: flushing, saturation, relu, extremes, signs") {
  const Format& f = kF16;
  const auto value = [&](uint64_t bits) { return value_of(static_cast<uint32_t>(bits), f); };
  const auto flushed = [](uint64_t bits) { return (bits & 0x7c00) == 0 ? bits & 0x8000 : bits; };
  check_both("add.ftz", f, 2, "", [&](const Operands& x) {
    return static_cast<uint32_t>(flushed(rounded(value(flushed(x[0])) + value(flushed(x[1])), f)));
  });
  check_both("mul.sat", f, 2, "", [&](const Operands& x) -> uint32_t {
    const long double product = value(x[0]) * value(x[1]);
    return std::isnan(product) || std::signbit(product) ? 0 : std::min(rounded(product, f), 0x3c00U);
  });
  for (const Format& each : {kF16, kBf16}) {
    check_both("fma.rn.relu", each, 3, "", [&](const Operands& x) -> uint32_t {
      const auto of = [&](uint64_t bits) { return value_of(static_cast<uint32_t>(bits), each); };
      const long double product = of(x[0]) * of(x[1]), sum = product + of(x[2]);
      if (std::isnan(sum)) return kNaN;
      if (std::signbit(sum)) return 0;
      const long double c = of(x[2]), part = sum - product, error = (product - (sum - part)) + (c - part);
      if (!std::isfinite(sum) || error == 0 || !std::isfinite(error)) return rounded(sum, each);
      return rounded(std::nextafter(sum, error > 0 ? HUGE_VALL : -HUGE_VALL), each);
    });
    check_both("neg", each, 1, "", [](const Operands& x) { return static_cast<uint32_t>(x[0] ^ 0x8000); });
    check_both("abs", each, 1, "", [](const Operands& x) { return static_cast<uint32_t>(x[0] & 0x7fff); });
    for (const bool maximum : {false, true})
      for (const bool propagates : {false, true})
        check_both(maximum ? "max" : "min", each, 2, propagates ? ".NaN" : "",
                   [&](const Operands& x) -> uint32_t {
                     const auto a = static_cast<uint32_t>(x[0]), b = static_cast<uint32_t>(x[1]);
                     if ((nan(a, each) && nan(b, each)) || (propagates && (nan(a, each) || nan(b, each))))
                       return kNaN;
                     if (nan(a, each)) return b;
                     if (nan(b, each)) return a;
                     const long double p = value_of(a, each), q = value_of(b, each);
                     if (p == q) return std::signbit(p) == maximum ? b : a;
                     return (p > q) == maximum ? a : b;
                   });
  }
}

TEST_CASE("ptx half: conversions from and to wider types") {
  std::vector<Operands> all;
  for (uint32_t bits = 0; bits < 65536; ++bits) all.push_back({bits, 0, 0, 0});
  std::vector<Operands> floats, doubles;
  uint64_t state = 5;
  const auto add = [&](float value) {
    floats.push_back({__builtin_bit_cast(uint32_t, value), 0, 0, 0});
    doubles.push_back({__builtin_bit_cast(uint64_t, static_cast<double>(value)), 0, 0, 0});
  };
  for (const Format& f : {kF16, kBf16})
    for (uint32_t bits = 0; bits < 65536; bits += 37) {
      const auto value = static_cast<float>(value_of(bits, f));
      const auto next = static_cast<float>(value_of(bits + 1, f));
      for (const float each :
           {value, std::nextafter(value, HUGE_VALF), std::nextafter(value, -HUGE_VALF), (value + next) / 2})
        add(each);
    }
  for (uint32_t n = 0; n < 4000; ++n) {
    state = state * 6364136223846793005 + 1442695040888963407;
    add(__builtin_bit_cast(float, static_cast<uint32_t>(state >> 32)));
    doubles.push_back({state ^ state >> 31, 0, 0, 0});
  }
  const auto f32 = [](uint64_t bits) {
    return static_cast<long double>(__builtin_bit_cast(float, static_cast<uint32_t>(bits)));
  };
  const auto f64 = [](uint64_t bits) { return static_cast<long double>(__builtin_bit_cast(double, bits)); };
  for (const Format& f : {kF16, kBf16}) {
    const std::string type = f.type;
    check_lanes("cvt.f32." + type + " $d, $a;", "r:h", all, [&](const Operands& x) -> uint64_t {
      const auto value = static_cast<float>(value_of(static_cast<uint32_t>(x[0]), f));
      return std::isnan(value) ? 0x7fffffff : __builtin_bit_cast(uint32_t, value);
    });
    check_lanes("cvt.f64." + type + " $d, $a;", "d:h", all, [&](const Operands& x) -> uint64_t {
      const auto value = static_cast<double>(value_of(static_cast<uint32_t>(x[0]), f));
      return std::isnan(value) ? 0xfff8000000000000 : __builtin_bit_cast(uint64_t, value);
    });
    check_lanes("cvt.rn." + type + ".f32 $d, $a;", "h:r", floats,
                [&](const Operands& x) { return rounded(f32(x[0]), f); });
    check_lanes("cvt.rz." + type + ".f32 $d, $a;", "h:r", floats,
                [&](const Operands& x) { return rounded(f32(x[0]), f, Round::zero); });
    check_lanes("cvt.rn.relu." + type + ".f32 $d, $a;", "h:r", floats, [&](const Operands& x) -> uint32_t {
      const long double value = f32(x[0]);
      return std::isnan(value) ? kNaN : std::signbit(value) ? 0 : rounded(value, f);
    });
    check_lanes("cvt.rn." + type + ".f64 $d, $a;", "h:d", doubles,
                [&](const Operands& x) { return rounded(f64(x[0]), f); });
    check_lanes("cvt.rm." + type + ".f64 $d, $a;", "h:d", doubles,
                [&](const Operands& x) { return rounded(f64(x[0]), f, Round::down); });
    check_lanes("cvt.rp." + type + ".f64 $d, $a;", "h:d", doubles,
                [&](const Operands& x) { return rounded(f64(x[0]), f, Round::up); });
    for (const char* mode : {"rn", "rz"})
      check_lanes(std::string("cvt.") + mode + "." + f.pair + ".f32 $d, $a, $b;", "r:rr",
                  tuples({0x3f800001, 0xbf7fffff, 0x7f800000, 0x7fc00000, 0x00000001, 0x477fe000, 0x477fefff,
                          0x3eaaaaab},
                         2),
                  [&](const Operands& x) -> uint64_t {
                    const Round round = mode[1] == 'n' ? Round::nearest : Round::zero;
                    return static_cast<uint64_t>(rounded(f32(x[0]), f, round)) << 16 |
                           rounded(f32(x[1]), f, round);
                  });
    std::vector<Operands> integers;
    for (const uint64_t each : integer_edges(64)) integers.push_back({each, 0, 0, 0});
    check_lanes("cvt.rn." + type + ".s64 $d, $a;", "h:d", integers, [&](const Operands& x) {
      return rounded(static_cast<long double>(static_cast<int64_t>(x[0])), f);
    });
    check_lanes("cvt.rzi.s32." + type + " $d, $a;", "r:h", all, [&](const Operands& x) -> uint64_t {
      const long double value = value_of(static_cast<uint32_t>(x[0]), f);
      if (std::isnan(value)) return 0;
      return static_cast<uint32_t>(
          static_cast<int32_t>(std::clamp<long double>(std::trunc(value), INT32_MIN, INT32_MAX)));
    });
  }
  check_lanes("cvt.rn.f16.bf16 $d, $a;", "h:h", all,
              [](const Operands& x) { return rounded(value_of(static_cast<uint32_t>(x[0]), kBf16), kF16); });
  check_lanes("cvt.rni.f16.f16 $d, $a;", "h:h", all, [](const Operands& x) {
    const long double value = value_of(static_cast<uint32_t>(x[0]), kF16);
    return rounded(std::copysign(std::nearbyint(value), value), kF16);
  });
}

}  // namespace fuseboard::ptx
