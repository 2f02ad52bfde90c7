// Comparison, selection and conversion of integers and wide floats, stated plainly.
// It must not know how the machine computes them.
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>

#include "ptx_lanes.h"

namespace fuseboard::ptx {
namespace {

const std::vector<uint64_t> kFloats = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
                                       0xff800000, 0x7fc00000, 0x00000001, 0x80000001, 0x40490fdb,
                                       0x4f000000, 0xcf000000, 0x5f000000, 0xdf000001, 0x4effffff,
                                       0x3f000000, 0x3fc00000, 0x40200000, 0xc0200000, 0x437f8000,
                                       0x43808000, 0x5f7fffff, 0x4f7fffff, 0xbf7fffff, 0x7f7fffff};
float f32(uint64_t bits) { return __builtin_bit_cast(float, static_cast<uint32_t>(bits)); }
double f64(uint64_t bits) { return __builtin_bit_cast(double, bits); }
std::vector<uint64_t> doubles() {
  std::vector<uint64_t> all;
  for (const uint64_t each : kFloats)
    all.push_back(__builtin_bit_cast(uint64_t, static_cast<double>(f32(each))));
  for (const double each : {2147483647.5, 2147483647.0, -2147483648.5, 4294967295.5, 0.49999999999999994,
                            1e300, 1e-320, 9007199254740993.0, 16777217.0, 3.4028235677973366e38})
    all.push_back(__builtin_bit_cast(uint64_t, each));
  return all;
}

struct Comparison {
  const char* name;
  bool less, equal, greater, unordered;
};
const Comparison kFloatComparisons[] = {
    {"eq", false, true, false, false}, {"ne", true, false, true, false},  {"lt", true, false, false, false},
    {"le", true, true, false, false},  {"gt", false, false, true, false}, {"ge", false, true, true, false},
    {"equ", false, true, false, true}, {"neu", true, false, true, true},  {"ltu", true, false, false, true},
    {"leu", true, true, false, true},  {"gtu", false, false, true, true}, {"geu", false, true, true, true},
    {"num", true, true, true, false},  {"nan", false, false, false, true}};
template <class T>
bool holds(const Comparison& c, T a, T b) {
  if (a != a || b != b) return c.unordered;
  return a < b ? c.less : a > b ? c.greater : c.equal;
}

}  // namespace

TEST_CASE("ptx compare: every comparison of every type") {
  const auto floats = tuples(kFloats, 2);
  const auto wide = tuples(doubles(), 2);
  std::vector<Operands> halves, brains;
  for (const Operands& x : tuples({0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 1, 0x3c01}, 2))
    halves.push_back(x);
  for (const Operands& x : tuples({0, 0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc0, 1, 0x3f81}, 2))
    brains.push_back(x);
  const auto f16 = [](uint64_t h) -> float {
    const auto exponent = static_cast<int>(h >> 10 & 31);
    const auto fraction = static_cast<float>(h & 1023);
    const float sign = (h & 0x8000) != 0 ? -1.0F : 1.0F;
    if (exponent == 31) return fraction != 0 ? NAN : sign * HUGE_VALF;
    return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25));
  };
  for (const Comparison& c : kFloatComparisons) {
    const std::string setp = std::string("setp.") + c.name;
    check_lanes(setp + ".f32 $d, $a, $b;", "p:rr", floats,
                [&](const Operands& x) { return holds(c, f32(x[0]), f32(x[1])); });
    check_lanes(setp + ".f64 $d, $a, $b;", "p:dd", wide,
                [&](const Operands& x) { return holds(c, f64(x[0]), f64(x[1])); });
    check_lanes(setp + ".f16 $d, $a, $b;", "p:hh", halves,
                [&](const Operands& x) { return holds(c, f16(x[0]), f16(x[1])); });
    check_lanes(setp + ".bf16 $d, $a, $b;", "p:hh", brains,
                [&](const Operands& x) { return holds(c, f32(x[0] << 16), f32(x[1] << 16)); });
    check_lanes(setp + ".ftz.f32 $d, $a, $b;", "p:rr", floats, [&](const Operands& x) {
      const auto flush = [](uint64_t v) { return (v & 0x7f800000) == 0 ? 0.0F : f32(v); };
      return holds(c, flush(x[0]), flush(x[1]));
    });
    check_lanes(std::string("set.") + c.name + ".f32.f32 $d, $a, $b;", "r:rr", floats,
                [&](const Operands& x) { return holds(c, f32(x[0]), f32(x[1])) ? 0x3f800000 : 0; });
    check_lanes(std::string("set.") + c.name + ".u32.f64 $d, $a, $b;", "r:dd", wide,
                [&](const Operands& x) { return holds(c, f64(x[0]), f64(x[1])) ? 0xffffffff : 0; });
  }
  for (const uint32_t bits : {16U, 32U, 64U}) {
    const auto inputs = tuples(integer_edges(bits), 2, 4000);
    const char kind = bits == 16 ? 'h' : bits == 32 ? 'r' : 'd';
    const auto as_signed = [&](uint64_t x) { return static_cast<int64_t>(x << (64 - bits)) >> (64 - bits); };
    for (const Comparison& c : kFloatComparisons) {
      if (c.unordered || std::string(c.name) == "num") continue;
      const std::string width = std::to_string(bits), kinds = std::string("p:") + kind + kind;
      check_lanes(std::string("setp.") + c.name + ".s" + width + " $d, $a, $b;", kinds, inputs,
                  [&](const Operands& x) { return holds(c, as_signed(x[0]), as_signed(x[1])); });
      check_lanes(std::string("setp.") + c.name + ".u" + width + " $d, $a, $b;", kinds, inputs,
                  [&](const Operands& x) { return holds(c, x[0], x[1]); });
    }
  }
  const std::pair<const char*, Comparison> unsigned_words[] = {{"lo", kFloatComparisons[2]},
                                                               {"ls", kFloatComparisons[3]},
                                                               {"hi", kFloatComparisons[4]},
                                                               {"hs", kFloatComparisons[5]}};
  for (const auto& [name, c] : unsigned_words)
    check_lanes(std::string("setp.") + name + ".u32 $d, $a, $b;", "p:rr", tuples(integer_edges(32), 2, 2000),
                [&, same = c](const Operands& x) { return holds(same, x[0], x[1]); });
}

TEST_CASE("ptx compare: two results, combinations, pairs, selection") {
  std::vector<Operands> inputs;
  for (const Operands& two : tuples(integer_edges(32), 2, 300))
    for (const uint64_t p : {0, 1}) inputs.push_back({two[0], two[1], p, 0});
  const char* const names[] = {"and", "or", "xor"};
  for (int n = 0; n < 3; ++n) {
    const auto combine = [n](bool a, bool b) { return n == 0 ? a && b : n == 1 ? a || b : a != b; };
    const std::string text = std::string("setp.lt.") + names[n] + ".u32 $d|$e, $a, $b, $c;";
    const auto got = run_lanes(text, "pp:rrp", inputs);
    const auto negated =
        run_lanes(std::string("setp.lt.") + names[n] + ".u32 $d|$e, $a, $b, !$c;", "pp:rrp", inputs);
    for (size_t i = 0; i < inputs.size(); ++i) {
      const bool less = inputs[i][0] < inputs[i][1], p = inputs[i][2] != 0;
      CHECK(got[i][0] == combine(less, p));
      CHECK(got[i][1] == combine(!less, p));
      CHECK(negated[i][0] == combine(less, !p));
    }
  }
  // Of a packed type the first predicate is the lower half's, the second the upper's.
  const auto packed = run_lanes("setp.lt.f16x2 $d|$e, $a, $b;", "pp:rr",
                                {{0x3c004000, 0x40003c00, 0, 0}, {0x40003c00, 0x3c004000, 0, 0}});
  CHECK(packed[0] == std::array<uint64_t, 2>{0, 1});
  CHECK(packed[1] == std::array<uint64_t, 2>{1, 0});
  check_lanes("set.lt.f16x2.f16x2 $d, $a, $b;", "r:rr", {{0x3c004000, 0x40003c00, 0, 0}},
              [](const Operands&) { return 0x3c000000; });
  check_lanes("set.lt.u32.f16x2 $d, $a, $b;", "r:rr", {{0x3c004000, 0x40003c00, 0, 0}},
              [](const Operands&) { return 0xffff0000; });
  check_lanes("selp.b32 $d, $a, $b, $c;", "r:rrp", inputs,
              [](const Operands& x) { return x[2] != 0 ? x[0] : x[1]; });
  check_lanes("selp.s16 $d, $a, $b, !$c;", "h:hhp", tuples({0, 1, 0x8000}, 3),
              [](const Operands& x) { return x[2] != 0 ? x[1] : x[0]; });
  check_lanes("selp.f64 $d, $a, $b, $c;", "d:ddp", tuples({0, 1, ~0ULL}, 3),
              [](const Operands& x) { return x[2] != 0 ? x[0] : x[1]; });
  check_lanes("slct.u64.s32 $d, $a, $b, $c;", "d:ddr", tuples({0, 1, 0x80000000, 0x7fffffff}, 3),
              [](const Operands& x) { return static_cast<int32_t>(x[2]) >= 0 ? x[0] : x[1]; });
  check_lanes("slct.f32.f32 $d, $a, $b, $c;", "r:rrr",
              tuples({0, 0x80000000, 0xbf800000, 0x7fc00000, 0x80000001}, 3),
              [](const Operands& x) { return f32(x[2]) >= 0 ? x[0] : x[1]; });
  check_lanes("slct.ftz.f32.f32 $d, $a, $b, $c;", "r:rrr", tuples({0, 0x80000001, 0xbf800000}, 3),
              [](const Operands& x) { return x[2] == 0xbf800000 ? x[1] : x[0]; });
}

TEST_CASE("ptx convert: integers of every width into each other") {
  const char* const types[] = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};
  for (const char* to : types)
    for (const char* from : types)
      for (const bool saturates : {false, true}) {
        const auto bits = [](const char* type) { return static_cast<uint32_t>(std::atoi(type + 1)); };
        const auto kind = [&](const char* type) {
          return bits(type) <= 16 ? 'h' : bits(type) == 32 ? 'r' : 'd';
        };
        const std::string text =
            std::string("cvt.") + (saturates ? "sat." : "") + to + "." + from + " $d, $a;";
        if (saturates && std::string(to) == from) continue;
        check_lanes(text, std::string(1, kind(to)) + ":" + kind(from),
                    tuples(integer_edges(bits(from) == 8 ? 16 : bits(from)), 1), [&](const Operands& x) {
                      __extension__ using Wide = __int128;
                      const uint32_t n = bits(from), m = bits(to);
                      const uint64_t low = n == 64 ? x[0] : x[0] & ((uint64_t{1} << n) - 1);
                      Wide value = low;
                      if (from[0] == 's' && (low >> (n - 1) & 1) != 0) value -= static_cast<Wide>(1) << n;
                      if (saturates) {
                        const Wide least = to[0] == 's' ? -(static_cast<Wide>(1) << (m - 1)) : 0;
                        const Wide most = (static_cast<Wide>(1) << (to[0] == 's' ? m - 1 : m)) - 1;
                        value = std::clamp(value, least, most);
                      }
                      uint64_t result = static_cast<uint64_t>(value);
                      if (m < 64) result &= (uint64_t{1} << m) - 1;
                      // An 8-bit result is extended to its 16-bit register.
                      if (m == 8 && to[0] == 's' && (result & 0x80) != 0) result |= 0xff00;
                      return result;
                    });
      }
}

TEST_CASE("ptx convert: floats to integers clamp, NaN as the table says; integers to floats in every mode") {
  struct Mode {
    const char* to_integer;
    const char* to_float;
    int host;
  };
  const Mode modes[] = {{"rni", "rn", FE_TONEAREST},
                        {"rzi", "rz", FE_TOWARDZERO},
                        {"rmi", "rm", FE_DOWNWARD},
                        {"rpi", "rp", FE_UPWARD}};
  const char* const types[] = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};
  for (const Mode& mode : modes)
    for (const char* type : types) {
      const auto bits = static_cast<uint32_t>(std::atoi(type + 1));
      const bool is_signed = type[0] == 's';
      const char kind = bits <= 16 ? 'h' : bits == 32 ? 'r' : 'd';
      const auto integer = [&](double value, bool is_f64) -> uint64_t {
        const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
        uint64_t result;
        if (std::isnan(value)) {
          result = is_f64 || bits == 64 ? uint64_t{1} << (bits - 1) : 0;
        } else {
          volatile double in = value;
          std::fesetround(mode.host);
          const double whole = std::nearbyint(in);
          std::fesetround(FE_TONEAREST);
          const double least = is_signed ? -std::ldexp(1.0, static_cast<int>(bits) - 1) : 0;
          const double beyond = std::ldexp(1.0, static_cast<int>(bits) - (is_signed ? 1 : 0));
          if (whole < least)
            result = is_signed ? uint64_t{1} << (bits - 1) : 0;
          else if (whole >= beyond)
            result = is_signed ? mask >> 1 : mask;
          else
            result = is_signed ? static_cast<uint64_t>(static_cast<int64_t>(whole)) & mask
                               : static_cast<uint64_t>(whole);
        }
        if (bits == 8 && is_signed && (result & 0x80) != 0) result |= 0xff00;
        return result;
      };
      const std::string to = std::string("cvt.") + mode.to_integer + "." + type;
      check_lanes(to + ".f32 $d, $a;", std::string(1, kind) + ":r", tuples(kFloats, 1),
                  [&](const Operands& x) { return integer(f32(x[0]), false); });
      check_lanes(to + ".f64 $d, $a;", std::string(1, kind) + ":d", tuples(doubles(), 1),
                  [&](const Operands& x) { return integer(f64(x[0]), true); });
      if (bits < 32) continue;
      const auto inputs = tuples(integer_edges(bits), 1);
      const auto hosted = [&](uint64_t x, auto zero) {
        using T = decltype(zero);
        if (x == 0) return zero;  // which some hosts reach by a subtraction, and leave as -0
        volatile int64_t s = bits == 32 ? static_cast<int32_t>(x) : static_cast<int64_t>(x);
        volatile uint64_t u = x;
        std::fesetround(mode.host);
        volatile T result = is_signed ? static_cast<T>(s) : static_cast<T>(u);
        std::fesetround(FE_TONEAREST);
        return T(result);
      };
      const std::string form = std::string("cvt.") + mode.to_float;
      check_lanes(form + ".f32." + type + " $d, $a;", std::string("r:") + kind, inputs,
                  [&](const Operands& x) { return __builtin_bit_cast(uint32_t, hosted(x[0], 0.0F)); });
      check_lanes(form + ".f64." + type + " $d, $a;", std::string("d:") + kind, inputs,
                  [&](const Operands& x) { return __builtin_bit_cast(uint64_t, hosted(x[0], 0.0)); });
    }
  for (const Mode& mode : modes) {
    check_lanes(std::string("cvt.") + mode.to_float + ".f32.f64 $d, $a;", "r:d", tuples(doubles(), 1),
                [&](const Operands& x) -> uint64_t {
                  volatile double in = f64(x[0]);
                  std::fesetround(mode.host);
                  volatile float out = static_cast<float>(in);
                  std::fesetround(FE_TONEAREST);
                  return std::isnan(out) ? 0x7fffffff : __builtin_bit_cast(uint32_t, float(out));
                });
    check_lanes(std::string("cvt.") + mode.to_integer + ".f32.f32 $d, $a;", "r:r", tuples(kFloats, 1),
                [&](const Operands& x) -> uint64_t {
                  volatile float in = f32(x[0]);
                  std::fesetround(mode.host);
                  volatile float out = std::nearbyint(in);
                  std::fesetround(FE_TONEAREST);
                  return std::isnan(out) ? 0x7fffffff
                                         : __builtin_bit_cast(uint32_t, std::copysign(float(out), float(in)));
                });
  }
  check_lanes("cvt.f64.f32 $d, $a;", "d:r", tuples(kFloats, 1), [](const Operands& x) -> uint64_t {
    return std::isnan(f32(x[0])) ? 0xfff8000000000000
                                 : __builtin_bit_cast(uint64_t, static_cast<double>(f32(x[0])));
  });
  check_lanes("cvt.ftz.sat.f32.f32 $d, $a;", "r:r", tuples(kFloats, 1), [](const Operands& x) -> uint64_t {
    const float value = f32(x[0]);
    return value > 0x1p-126F ? __builtin_bit_cast(uint32_t, std::min(value, 1.0F)) : 0;
  });
  check_lanes(
      "cvt.rna.tf32.f32 $d, $a;", "r:r",
      tuples({0x3f800fff, 0x3f801000, 0x3f801001, 0xbf803000, 0x7f800000, 0x00000fff, 0x00001000}, 1),
      [](const Operands& x) { return ((x[0] & 0x7fffffff) + 0x1000) >> 13 << 13 | (x[0] & 0x80000000); });
  const auto integers = tuples({0, 5, 300, 70000, 0xffffffff, 0xffff0000, 0x7fffffff}, 2);
  check_lanes("cvt.pack.sat.s16.s32 $d, $a, $b;", "r:rr", integers, [](const Operands& x) {
    const auto clamp = [](uint64_t v) {
      return static_cast<uint16_t>(std::clamp<int32_t>(static_cast<int32_t>(v), -32768, 32767));
    };
    return static_cast<uint64_t>(clamp(x[0])) << 16 | clamp(x[1]);
  });
  check_lanes("cvt.pack.sat.u8.s32.b32 $d, $a, $b, 0x12345678;", "r:rr", integers, [](const Operands& x) {
    const auto clamp = [](uint64_t v) {
      return static_cast<uint8_t>(std::clamp<int32_t>(static_cast<int32_t>(v), 0, 255));
    };
    return 0x56780000ULL | static_cast<uint64_t>(clamp(x[0])) << 8 | clamp(x[1]);
  });
}

}  // namespace fuseboard::ptx
