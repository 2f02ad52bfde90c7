// Kernels that nvcc compiled compute with integers, halves, bfloats, votes, conversions and its own math
// library. It must not know our emitter: nothing here was written by it.
#include <cmath>

#include "cuda_kernels.h"
#include "float_bits.h"

using device::Device;
using device::integers;
using device::Pointer;
using device::reals;
using device::Shape;
using float_bits::bits_of;
using float_bits::from_bfloat;
using float_bits::from_half;
using float_bits::to_bfloat;
using float_bits::to_half;

namespace {

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

Shape blocks(uint32_t grid, uint32_t block) { return {{grid, 1, 1}, {block, 1, 1}}; }

/// Ordinary values, small ones, and the ends of the range.
std::vector<int> awkward_integers(size_t count, uint64_t seed) {
  device::Random random(seed);
  std::vector<int> all(count);
  for (int& each : all) {
    const uint32_t bits = static_cast<uint32_t>(random.bits()) >> (random.bits() % 32);
    each = static_cast<int>(random.bits() % 4 == 0 ? 0 - bits : bits);
  }
  const int ends[] = {0, -1, 1, INT32_MAX, INT32_MAX - 1, 7, 31, 32, -8};
  for (size_t i = 0; i < count; i += 5) all[i] = ends[random.bits() % std::size(ends)];
  return all;
}

uint32_t reversed(uint32_t v) {
  uint32_t out = 0;
  for (int i = 0; i < 32; ++i) out |= ((v >> i) & 1) << (31 - i);
  return out;
}

std::vector<uint32_t> integer_results(int a, int b, int i) {
  const auto u = static_cast<uint32_t>(a), v = static_cast<uint32_t>(b);
  const auto signed_product = static_cast<uint64_t>(int64_t{a} * b);
  const auto low24 = [](uint32_t w) { return static_cast<int32_t>(w << 8) >> 8; };
  const uint64_t bytes = u | uint64_t{v} << 32;
  uint32_t permuted = 0;
  for (int k = 0; k < 4; ++k)
    permuted |= static_cast<uint32_t>(bytes >> (8 * ((0x5140 >> (4 * k)) & 7)) & 255) << (8 * k);
  const uint64_t pair = uint64_t{v} << 32 | u;
  uint32_t dot = static_cast<uint32_t>(i);
  for (int k = 0; k < 4; ++k)
    dot += static_cast<uint32_t>(static_cast<int8_t>(u >> (8 * k)) * static_cast<int8_t>(v >> (8 * k)));
  return {static_cast<uint32_t>(signed_product >> 32),
          static_cast<uint32_t>(uint64_t{u} * v >> 32),
          static_cast<uint32_t>(int64_t{low24(u)} * low24(v)),
          u == 0 ? 32 : static_cast<uint32_t>(__builtin_clz(u)),
          static_cast<uint32_t>(__builtin_popcount(u)),
          reversed(u),
          static_cast<uint32_t>(__builtin_ffs(a)),
          permuted,
          static_cast<uint32_t>(pair << (v & 31) >> 32),
          static_cast<uint32_t>(pair >> std::min<uint32_t>(v & 63, 32)),
          static_cast<uint32_t>(std::abs(int64_t{a} - b)) + u,
          dot,
          v == 0 ? 0 : u / v,
          v == 0 ? 0 : u % v,
          static_cast<uint32_t>(a / 7 + b % 1000),
          static_cast<uint32_t>(a >> (b & 31)) + (u >> (b & 31)) + (u << (b & 31)),
          static_cast<uint32_t>(static_cast<int8_t>(u)) * static_cast<uint16_t>(v) +
              static_cast<uint32_t>(static_cast<int16_t>(v)),
          static_cast<uint32_t>(std::max(a, b)) - std::min(u, v),
          static_cast<uint32_t>(std::abs(int64_t{a})) + (a < b) + (u < v) * 2,
          static_cast<uint32_t>((int64_t{a} + b + 1) >> 1)};
}

uint64_t reversed(uint64_t v) {
  return uint64_t{reversed(static_cast<uint32_t>(v))} << 32 | reversed(static_cast<uint32_t>(v >> 32));
}

std::vector<uint64_t> wide_results(int64_t a, int64_t b) {
  const auto u = static_cast<uint64_t>(a), v = static_cast<uint64_t>(b);
  const Wide product = Wide{u} * v + u;
  const int leading = u == 0 ? 64 : __builtin_clzll(u);
  return {static_cast<uint64_t>(static_cast<SignedWide>(a) * b >> 64),
          static_cast<uint64_t>(Wide{u} * v >> 64),
          static_cast<uint64_t>(leading + 100 * __builtin_popcountll(u) + 10000 * __builtin_ffsll(a)),
          reversed(u),
          b == 0 || b == -1 ? 0 : static_cast<uint64_t>(a / b),
          v == 0 ? 0 : u % v,
          static_cast<uint64_t>(a >> (b & 63)) ^ (u << (b & 63)),
          static_cast<uint64_t>(std::max(a, b)) ^ std::min(u, v),
          static_cast<uint64_t>(product >> 64) - static_cast<uint64_t>(product),
          u * v + (a > b)};
}

}  // namespace

TEST_CASE("nvcc: integer arithmetic of 32 and 64 bits") {
  constexpr size_t count = 300;
  const std::vector<int> x = awkward_integers(count, 1), y = awkward_integers(count, 2);
  std::vector<int64_t> a(count), b(count);
  device::Random random(3);
  std::vector<uint32_t> expected;
  std::vector<uint64_t> wide;
  for (size_t i = 0; i < count; ++i) {
    const std::vector<uint32_t> one = integer_results(x[i], y[i], static_cast<int>(i));
    expected.insert(expected.end(), one.begin(), one.end());
    a[i] = i % 3 == 0 ? x[i] : static_cast<int64_t>(random.bits());
    b[i] = i % 4 == 0 ? y[i] : static_cast<int64_t>(random.bits() >> (random.bits() % 64));
    const std::vector<uint64_t> two = wide_results(a[i], b[i]);
    wide.insert(wide.end(), two.begin(), two.end());
  }
  cuda::on_each_target("integers", [&](Device& device) {
    const Pointer left = device.buffer("x", x), right = device.buffer("y", y);
    const Pointer out = device.empty<uint32_t>("out", expected.size());
    device.launch("integers", blocks(3, 128), left, right, out, int{count});
    const std::vector<uint32_t> got = device.values<uint32_t>(out, expected.size());
    for (size_t i = 0; i < got.size(); ++i) {
      INFO("result " << i % 20 << " of " << x[i / 20] << " and " << y[i / 20]);
      CHECK(got[i] == expected[i]);
    }
    const Pointer wide_left = device.buffer("a", a), wide_right = device.buffer("b", b);
    const Pointer wide_out = device.empty<uint64_t>("wide", wide.size());
    device.launch("wide_integers", blocks(3, 128), wide_left, wide_right, wide_out, int{count});
    const std::vector<uint64_t> wide_got = device.values<uint64_t>(wide_out, wide.size());
    for (size_t i = 0; i < wide_got.size(); ++i) {
      INFO("result " << i % 10 << " of " << a[i / 10] << " and " << b[i / 10]);
      CHECK(wide_got[i] == wide[i]);
    }
  });
}

TEST_CASE("nvcc: lanes vote, match and shuffle") {
  std::vector<int> x = integers(64, -100, 100, 4);
  for (size_t i = 32; i < 64; ++i) x[i] = std::abs(x[i]);  // of one sign
  cuda::on_each_target("votes", [&](Device& device) {
    const Pointer in = device.buffer("x", x), out = device.empty<uint32_t>("out", 8 * 64);
    device.launch("votes", blocks(1, 64), in, out);
    const std::vector<uint32_t> got = device.values<uint32_t>(out, 8 * 64);
    for (int i = 0; i < 64; ++i) {
      INFO(i);
      const int* warp = x.data() + i / 32 * 32;
      const int lane = i % 32;
      uint32_t positive = 0, alike = 0, odd = 0, same = 0;
      bool any = false, all = true;
      for (int k = 0; k < 32; ++k) {
        positive |= uint32_t{warp[k] > 0} << k;
        alike |= uint32_t{(warp[k] & 3) == (x[i] & 3)} << k;
        odd |= uint32_t{(warp[k] & 1) != 0} << k;
        same |= uint32_t{warp[k] >> 8 == warp[0] >> 8} << k;
        any = any || warp[k] > 90;
        all = all && warp[k] > -95;
      }
      const auto at = [&](int k) { return static_cast<uint32_t>(warp[k]); };
      const bool is_odd = (x[i] & 1) != 0;
      CHECK(got[8 * i] == positive);
      CHECK(got[8 * i + 1] == static_cast<uint32_t>(any) + 2 * static_cast<uint32_t>(all));
      CHECK(got[8 * i + 2] == alike);
      CHECK(got[8 * i + 3] == (same == 0xffffffff ? 0xfffffffe : 0));
      CHECK(got[8 * i + 4] == (is_odd ? odd : 0));
      CHECK(got[8 * i + 5] == (is_odd ? at(__builtin_ctz(odd)) : 0));
      CHECK(got[8 * i + 6] == at(lane ^ 3) + at(lane % 16 + 3 < 16 ? lane + 3 : lane));
      CHECK(got[8 * i + 7] == at(lane % 8 >= 5 ? lane - 5 : lane) + at(lane / 4 * 4 + (i + 1) % 4));
    }
  });
}

TEST_CASE("nvcc: halves in pairs") {
  device::Random random(5);
  const auto half = [&] { return to_half(random.between(-2000, 2000) / 256.0); };
  std::vector<uint16_t> x(300), y(300);
  for (size_t i = 0; i < 300; ++i) {
    x[i] = half();
    y[i] = i % 7 < 2 ? x[i] : half();
  }
  std::vector<uint16_t> sums(300), clamped(300);
  const double a = from_half(to_half(1.37));
  for (size_t i = 0; i < 300; i += 2) {
    uint16_t value[2] = {};
    bool equal = true;
    for (size_t k = 0; k < 2; ++k) {
      const double left = from_half(x[i + k]), right = from_half(y[i + k]);
      sums[i + k] = to_half(a * left + right);
      const double masked = from_half(to_half(left - right)) * (left > right);
      value[k] = to_half(masked - right);
      equal = equal && left == right;
    }
    if (equal) {
      for (size_t k = 0; k < 2; ++k) value[k] = x[i + k] & 0x7fff;
    }
    clamped[i] = value[0];
    clamped[i + 1] = value[1];  // the low half of the pair turned round is the high one
  }
  cuda::on_each_target("half2", [&](Device& device) {
    const Pointer left = device.buffer("x", x), right = device.buffer("y", y), out = device.buffer("sums", y);
    device.launch("axpy_half2", blocks(2, 96), left, out, 1.37f, 150);
    CHECK(cuda::difference(device.values<uint16_t>(out, 300), sums) == "none");
    const Pointer pairs = device.empty<uint16_t>("pairs", 300);
    device.launch("clamp_half2", blocks(2, 96), left, right, pairs, 150);
    CHECK(cuda::difference(device.values<uint16_t>(pairs, 300), clamped) == "none");

    const Pointer dot = device.empty<float>("dot", 1);
    device.launch("dot_half", blocks(1, 32), left, right, dot, 300);
    std::vector<float> lanes(32, 0.0f);
    for (size_t i = 0; i < 300; ++i)
      lanes[i % 32] =
          std::fma(static_cast<float>(from_half(x[i])), static_cast<float>(from_half(y[i])), lanes[i % 32]);
    for (size_t offset = 16; offset > 0; offset /= 2) {
      const std::vector<float> before = lanes;
      for (size_t i = 0; i < 32; ++i) lanes[i] = before[i] + before[i ^ offset];
    }
    CHECK(device.values<float>(dot, 1)[0] == lanes[0]);
  });
}

TEST_CASE("nvcc: bfloat16 in pairs, NaN kept by the maximum that keeps it") {
  device::Random random(6);
  std::vector<uint16_t> x(200), y(200), fused(200), scaled(200);
  for (size_t i = 0; i < 200; ++i) {
    x[i] = to_bfloat(random.real(-9, 9));
    y[i] = i % 50 == 3 ? 0x7fc0 : to_bfloat(random.real(-9, 9));
    const double left = from_bfloat(x[i]), right = from_bfloat(y[i]);
    fused[i] = std::isnan(right) ? 0x7fff : to_bfloat(left * right + std::max(left, right));
    const auto value = static_cast<float>(left);
    scaled[i] = to_bfloat(i % 2 == 0 ? value * 0.3f : value + 0.3f);
  }
  cuda::on_each_target("bfloat2", [&](Device& device) {
    const Pointer left = device.buffer("x", x), right = device.buffer("y", y);
    const Pointer out = device.empty<uint16_t>("fused", 200), other = device.empty<uint16_t>("scaled", 200);
    device.launch("fma_bfloat2", blocks(1, 128), left, right, out, 100);
    CHECK(cuda::difference(device.values<uint16_t>(out, 200), fused) == "none");
    device.launch("scale_bfloat2", blocks(1, 128), left, other, 0.3f, 100);
    CHECK(cuda::difference(device.values<uint16_t>(other, 200), scaled) == "none");
  });
}

namespace {

/// A double cut to `low` .. `high` on its way to an integer; NaN gives 0 (PTX ISA, cvt).
int64_t cut(double value, int64_t low, int64_t high) {
  if (std::isnan(value)) return 0;
  if (value <= static_cast<double>(low)) return low;
  return value >= static_cast<double>(high) ? high : static_cast<int64_t>(value);
}

uint32_t to_int(double value) { return static_cast<uint32_t>(cut(value, INT32_MIN, INT32_MAX)); }

/// The half next to `value` on the side that `direction` (-1, +1) says.
uint16_t half_towards(double value, int direction) {
  uint16_t bits = to_half(value);
  while (direction > 0 ? from_half(bits) < value : from_half(bits) > value) {
    const bool grow = (bits & 0x8000) == 0 ? direction > 0 : direction < 0;
    bits = static_cast<uint16_t>(grow ? bits + 1 : bits - 1);
  }
  return bits;
}

float float_towards(double value, int direction) {
  auto near = static_cast<float>(value);
  if (direction > 0 && near < value) near = std::nextafter(near, INFINITY);
  if (direction < 0 && near > value) near = std::nextafter(near, -INFINITY);
  return near;
}

}  // namespace

TEST_CASE("nvcc: conversions round as they say") {
  std::vector<float> x = reals(200, -300, 300, 7);
  const float ends[] = {0.5f,   -0.5f, 1.5f,  2.5f,    -2.5f, 1e10f,
                        -1e10f, 0.25f, 1e-5f, 3000.7f, -0.0f, 70000.0f};
  std::copy(std::begin(ends), std::end(ends), x.begin());
  std::vector<int64_t> words(100);
  device::Random random(8);
  for (int64_t& each : words) each = static_cast<int64_t>(random.bits()) >> (random.bits() % 60);
  cuda::on_each_target("conversions", [&](Device& device) {
    const Pointer in = device.buffer("x", x), out = device.empty<uint32_t>("out", 12 * 200);
    device.launch("from_float", blocks(2, 128), in, out, 200);
    const std::vector<uint32_t> got = device.values<uint32_t>(out, 12 * 200);
    for (size_t i = 0; i < 200; ++i) {
      const float a = x[i];
      INFO(a);
      const uint32_t* mine = got.data() + 12 * i;
      CHECK(mine[0] == to_int(std::nearbyint(a)));
      CHECK(mine[1] == to_int(std::trunc(a)));
      CHECK(mine[2] == to_int(std::ceil(a)));
      CHECK(mine[3] == to_int(std::floor(a)));
      CHECK(mine[4] == static_cast<uint32_t>(cut(std::trunc(a), 0, UINT32_MAX)));
      CHECK(mine[5] == static_cast<uint32_t>(static_cast<int64_t>(std::nearbyint(a)) >> 8));
      if (std::fabs(a) < 30000) {  // an unsigned byte comes from an unsigned word: below 0 it is 0
        const uint32_t word = to_int(std::trunc(a));
        CHECK(mine[6] == static_cast<uint32_t>(static_cast<int8_t>(word) + static_cast<uint8_t>(mine[4]) +
                                               static_cast<int16_t>(word)));
      }
      if (std::fabs(a) < 65000) {
        const uint32_t nearest = to_half(a), cut_off = half_towards(a, a < 0 ? 1 : -1);
        CHECK(mine[7] == nearest + (cut_off << 16));
        const uint32_t up = half_towards(a, 1), down = half_towards(a, -1);
        CHECK(mine[11] == up + (down << 16));
      }
      CHECK(mine[8] == (bits_of(std::floor(a)) ^ bits_of(std::ceil(a))));
      CHECK(mine[9] == (bits_of(std::nearbyint(a)) ^ bits_of(std::trunc(a))));
      CHECK(mine[10] == bits_of(a > 0 ? std::min(a, 1.0f) : 0.0f));
    }
    const Pointer from = device.buffer("words", words), to = device.empty<float>("to", 8 * 100);
    device.launch("to_float", blocks(1, 128), from, to, 100);
    const std::vector<float> floats = device.values<float>(to, 8 * 100);
    for (size_t i = 0; i < 100; ++i) {
      const int64_t a = words[i];
      INFO(a);
      const float* mine = floats.data() + 8 * i;
      CHECK(mine[0] == static_cast<float>(a));
      CHECK(std::fabs(static_cast<long double>(mine[1])) <= std::fabs(static_cast<long double>(a)));
      CHECK(std::fabs(static_cast<long double>(mine[1]) - a) <
            std::ldexp(std::fabs(static_cast<double>(a)), -23) + 1e-9);
      CHECK(mine[2] == float_towards(static_cast<int32_t>(a), 1));
      CHECK(mine[3] == float_towards(static_cast<uint32_t>(a), -1));
      CHECK(mine[4] == static_cast<float>(static_cast<int16_t>(a)));
      CHECK(mine[5] == static_cast<float>(static_cast<double>(a) * 1.0000001));
      CHECK(mine[6] == float_towards(static_cast<double>(a) / 3.0, 1));
      CHECK(mine[7] == static_cast<float>(static_cast<uint64_t>(a)));
    }
  });
}

TEST_CASE("nvcc: the functions of its math library") {
  const std::vector<float> x = reals(300, -8, 8, 9);
  std::vector<double> wide(x.begin(), x.end());
  for (double& each : wide) each *= 1.0 + 1e-9;
  cuda::on_each_target("math", [&](Device& device) {
    const Pointer in = device.buffer("x", x), out = device.empty<float>("out", 10 * 300);
    device.launch("math_float", blocks(3, 128), in, out, 300);
    const std::vector<float> got = device.values<float>(out, 10 * 300);
    for (size_t i = 0; i < 300; ++i) {
      const double a = x[i], size = std::fabs(a);
      const double expected[] = {std::sin(static_cast<double>(x[i] * 1e5f)),
                                 std::exp(a),
                                 std::log(static_cast<double>(std::fabs(x[i]) + 0.001f)),
                                 std::pow(size, static_cast<double>(1.7f)),
                                 std::erf(a),
                                 std::sqrt(size),
                                 std::cbrt(a),
                                 a / static_cast<double>(std::fabs(x[i]) + 1.5f),
                                 std::fmod(a, static_cast<double>(0.7f)),
                                 std::log1p(size)};
      for (size_t k = 0; k < 10; ++k) {
        INFO("function " << k << " of " << a);
        // 4 ULP is the largest error that the CUDA C++ Programming Guide gives for these (powf).
        CHECK(std::fabs(got[10 * i + k] - expected[k]) <= 5e-7 * std::fabs(expected[k]) + 1e-7);
      }
    }
    const Pointer from = device.buffer("wide", wide), to = device.empty<double>("to", 8 * 300);
    device.launch("math_double", blocks(3, 128), from, to, 300);
    const std::vector<double> doubles = device.values<double>(to, 8 * 300);
    for (size_t i = 0; i < 300; ++i) {
      const double a = wide[i], size = std::fabs(a);
      const double expected[] = {
          std::sin(a),  std::exp(a),     std::log(size + 0.001), std::pow(size + 0.1, 1.7),
          std::tanh(a), std::sqrt(size), a / (size + 1.5),       std::erf(a)};
      for (size_t k = 0; k < 8; ++k) {
        INFO("function " << k << " of " << a);
        CHECK(std::fabs(doubles[8 * i + k] - expected[k]) <= 1e-15 * std::fabs(expected[k]) + 1e-16);
      }
    }
  });
}
