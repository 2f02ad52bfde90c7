// Special functions: the correctly rounded value of the exact function, and the PTX ISA's results at its
// ends. It must not know how the machine computes them.
#include <cmath>

#include "ptx_lanes.h"

namespace fuseboard::ptx {
namespace {

float f32(uint64_t bits) { return __builtin_bit_cast(float, static_cast<uint32_t>(bits)); }
uint64_t bits(float value) { return value != value ? 0x7fffffff : __builtin_bit_cast(uint32_t, value); }
uint64_t flushed(uint64_t x) { return (x & 0x7f800000) == 0 ? x & 0x80000000 : x; }

/// Floats of all magnitudes, and most of them where the functions are not flat.
std::vector<Operands> floats() {
  std::vector<Operands> all;
  const auto add = [&all](uint32_t each) { all.push_back({each, 0, 0, 0}); };
  for (const uint32_t each : {0U, 1U, 0x7fffffU, 0x800000U, 0x3f800000U, 0x7f7fffffU, 0x7f800000U,
                              0x7fc00000U, 0x7f800001U, 0x42fe0000U, 0x43000000U, 0x43150000U, 0x43160000U,
                              0x3f7fffffU, 0x3f800001U, 0x7e800000U, 0x7e800001U})
    add(each), add(each ^ 0x80000000);
  uint64_t state = 7;
  for (uint32_t n = 0; n < 20'000; ++n) {
    state = state * 6364136223846793005 + 1442695040888963407;
    add(static_cast<uint32_t>(state >> 32));
    const auto small =
        static_cast<float>(static_cast<int64_t>(state >> 20 & 0xffffffff) - 0x80000000LL) * 0x1p-26F;
    add(__builtin_bit_cast(uint32_t, small));
    add(__builtin_bit_cast(uint32_t, small / 32));
  }
  return all;
}

/// How many results are not the correctly rounded value, and by more than one place.
struct Misses {
  size_t any = 0, far = 0;
};
Misses misses(const std::string& instruction, bool ftz, long double (*exact)(long double)) {
  const auto inputs = floats();
  const auto got = run_lanes(instruction, "r:r", inputs);
  Misses found;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const uint64_t in = ftz ? flushed(inputs[i][0]) : inputs[i][0];
    uint64_t wanted = bits(static_cast<float>(exact(f32(in))));
    if (ftz) wanted = flushed(wanted);
    if (got[i][0] == wanted) continue;
    ++found.any;
    const auto apart = static_cast<int64_t>(got[i][0]) - static_cast<int64_t>(wanted);
    if (apart < -1 || apart > 1) {
      ++found.far;
      INFO(instruction << std::hex << " of " << inputs[i][0] << ": got " << got[i][0] << ", expected "
                       << wanted);
      if (found.far < 4) CHECK(got[i][0] == wanted);
    }
  }
  return found;
}

void check_rounded(const std::string& name, const std::string& type, bool ftz,
                   long double (*exact)(long double)) {
  const Misses found = misses(name + (ftz ? ".ftz." : ".") + type + " $d, $a;", ftz, exact);
  INFO(name);
  CHECK(found.far == 0);
  CHECK(found.any <= 2);  // of 60,000: double's last places may tip one
}

}  // namespace

TEST_CASE("ptx special: f32 functions give the correctly rounded value") {
  for (const bool ftz : {false, true}) {
    check_rounded("ex2.approx", "f32", ftz, [](long double x) { return exp2l(x); });
    check_rounded("lg2.approx", "f32", ftz, [](long double x) { return log2l(x); });
    check_rounded("sqrt.approx", "f32", ftz, [](long double x) { return sqrtl(x); });
    check_rounded("rsqrt.approx", "f32", ftz, [](long double x) { return 1 / sqrtl(x); });
    check_rounded("rcp.approx", "f32", ftz, [](long double x) { return 1 / x; });
    check_rounded("sin.approx", "f32", ftz, [](long double x) { return sinl(x); });
    check_rounded("cos.approx", "f32", ftz, [](long double x) { return cosl(x); });
  }
  check_rounded("tanh.approx", "f32", false, [](long double x) { return tanhl(x); });
}

TEST_CASE("ptx special: zeros, infinities and NaN as the PTX ISA's tables have them") {
  const uint64_t inf = 0x7f800000, minus_inf = 0xff800000, nan = 0x7fffffff, zero = 0,
                 minus_zero = 0x80000000, one = 0x3f800000, subnormal = 0x00000001;
  struct Row {
    const char* instruction;
    uint64_t in, out;
  };
  const Row rows[] = {
      {"ex2.approx.ftz.f32", minus_inf, zero},
      {"ex2.approx.ftz.f32", subnormal, one},
      {"ex2.approx.ftz.f32", minus_zero, one},
      {"ex2.approx.ftz.f32", inf, inf},
      {"ex2.approx.ftz.f32", nan, nan},
      {"lg2.approx.ftz.f32", minus_inf, nan},
      {"lg2.approx.ftz.f32", subnormal, minus_inf},
      {"lg2.approx.ftz.f32", minus_zero, minus_inf},
      {"lg2.approx.f32", zero, minus_inf},
      {"lg2.approx.f32", inf, inf},
      {"lg2.approx.f32", one, zero},
      {"lg2.approx.f32", 0xbf800000, nan},
      {"lg2.approx.f32", subnormal, 0xc3150000},
      {"rcp.approx.ftz.f32", minus_inf, minus_zero},
      {"rcp.approx.ftz.f32", subnormal, inf},
      {"rcp.approx.ftz.f32", minus_zero, minus_inf},
      {"rcp.approx.ftz.f32", nan, nan},
      {"sqrt.approx.ftz.f32", minus_inf, nan},
      {"sqrt.approx.ftz.f32", minus_zero, minus_zero},
      {"sqrt.approx.f32", inf, inf},
      {"rsqrt.approx.ftz.f32", minus_zero, minus_inf},
      {"rsqrt.approx.ftz.f32", zero, inf},
      {"rsqrt.approx.f32", inf, zero},
      {"rsqrt.approx.f32", minus_inf, nan},
      {"sin.approx.ftz.f32", minus_zero, minus_zero},
      {"sin.approx.ftz.f32", inf, nan},
      {"cos.approx.ftz.f32", zero, one},
      {"cos.approx.ftz.f32", minus_inf, nan},
      {"tanh.approx.f32", minus_inf, 0xbf800000},
      {"tanh.approx.f32", minus_zero, minus_zero},
      {"tanh.approx.f32", inf, one},
      {"tanh.approx.f32", nan, nan},
  };
  for (const Row& row : rows)
    check_lanes(std::string(row.instruction) + " $d, $a;", "r:r", {{row.in, 0, 0, 0}},
                [&](const Operands&) { return row.out; });
}

TEST_CASE("ptx special: quotients; past 2^126 div.approx has no reciprocal") {
  std::vector<Operands> inputs;
  const auto all = floats();
  for (size_t i = 0; i + 1 < all.size(); ++i) inputs.push_back({all[i][0], all[all.size() - 1 - i][0], 0, 0});
  for (const uint64_t a : {0x3f800000ULL, 0xff800000ULL, 0ULL, 0x7fc00000ULL})
    for (const uint64_t b :
         {0x7e800000ULL, 0x7e800001ULL, 0x7f7fffffULL, 0xff7fffffULL, 0x7f800000ULL, 0x7fc00000ULL, 0ULL})
      inputs.push_back({a, b, 0, 0});
  check_lanes("div.full.f32 $d, $a, $b;", "r:rr", inputs,
              [](const Operands& x) { return bits(f32(x[0]) / f32(x[1])); });
  check_lanes("div.approx.f32 $d, $a, $b;", "r:rr", inputs, [](const Operands& x) -> uint64_t {
    const float a = f32(x[0]), b = f32(x[1]);
    if (std::fabs(b) > 0x1p126F && std::isfinite(b))
      return std::isnan(a) || std::isinf(a) ? 0x7fffffff : (x[0] ^ x[1]) & 0x80000000;
    return bits(a / b);
  });
}

TEST_CASE("ptx special: halves, and the coarse f64 functions") {
  const auto half_value = [](uint64_t h) -> long double {
    const auto exponent = static_cast<int>(h >> 10 & 31);
    const auto fraction = static_cast<int>(h & 1023);
    const long double sign = (h & 0x8000) != 0 ? -1 : 1;
    if (exponent == 31) return fraction != 0 ? std::nanl("") : sign * HUGE_VALL;
    return sign * (exponent == 0 ? std::ldexp(static_cast<long double>(fraction), -24)
                                 : std::ldexp(static_cast<long double>(fraction + 1024), exponent - 25));
  };
  std::vector<Operands> all;
  for (uint64_t h = 0; h < 65536; ++h) all.push_back({h, 0, 0, 0});
  struct Named {
    const char* name;
    long double (*exact)(long double);
  };
  for (const Named& f : {Named{"ex2.approx", [](long double x) { return exp2l(x); }},
                         Named{"tanh.approx", [](long double x) { return tanhl(x); }}}) {
    const auto got = run_lanes(std::string(f.name) + ".f16 $d, $a;", "h:h", all);
    size_t wrong = 0;
    for (uint64_t h = 0; h < 65536; ++h) {
      const long double exact = f.exact(half_value(h)), found = half_value(got[h][0]);
      if (std::isnan(exact)) {
        wrong += got[h][0] != 0x7fff;
        continue;
      }
      // No neighbour is nearer; past the largest half the next would be 65536.
      const auto distance = [&](uint64_t other) {
        const long double value = half_value(other);
        return std::fabs((std::isinf(value) ? std::copysign(65536.0L, value) : value) - exact);
      };
      const bool nearest = std::isinf(found) ? exact >= 65520
                                             : distance(got[h][0]) <= distance(got[h][0] + 1) &&
                                                   ((got[h][0] & 0x7fff) == 0 ||
                                                    distance(got[h][0]) <= distance(got[h][0] - 1));
      wrong += nearest ? 0 : 1;
    }
    INFO(f.name);
    CHECK(wrong == 0);
    const auto pairs = run_lanes(std::string(f.name) + ".f16x2 $d, $a;", "r:r", {{0x3c00bc00, 0, 0, 0}});
    CHECK(pairs[0][0] == (got[0x3c00][0] << 16 | got[0xbc00][0]));
    const auto brain =
        run_lanes(std::string(f.name) + (f.name[0] == 'e' ? ".ftz.bf16 $d, $a;" : ".bf16 $d, $a;"), "h:h",
                  {{0x3f80, 0, 0, 0}, {0xff80, 0, 0, 0}, {0x7fff, 0, 0, 0}});
    CHECK(brain[0][0] == (f.name[0] == 'e' ? 0x4000 : 0x3f43));
    CHECK(brain[1][0] == (f.name[0] == 'e' ? 0 : 0xbf80));
    CHECK(brain[2][0] == 0x7fff);
  }
  for (const double value : {1.0, 3.0, -7.0, 1e300, 0.1}) {
    const Operands in = {__builtin_bit_cast(uint64_t, value), 0, 0, 0};
    const double got = __builtin_bit_cast(double, run_lanes("rcp.approx.ftz.f64 $d, $a;", "d:d", {in})[0][0]);
    CHECK(std::fabs(got * value - 1) < 0x1p-20);
    if (value < 0) continue;
    const double root =
        __builtin_bit_cast(double, run_lanes("rsqrt.approx.ftz.f64 $d, $a;", "d:d", {in})[0][0]);
    CHECK(std::fabs(root * std::sqrt(value) - 1) < 0x1p-20);
  }
}

}  // namespace fuseboard::ptx
