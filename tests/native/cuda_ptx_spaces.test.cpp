// Kernels that nvcc compiled use local, constant and dynamic shared memory, barriers by name, copies in
// flight, atomics. It must not know our emitter: nothing here was written by it.
#include <cmath>

#include "cuda_kernels.h"

using device::Device;
using device::integers;
using device::Pointer;
using device::reals;
using device::Shape;

namespace {

Shape blocks(uint32_t grid, uint32_t block) { return {{grid, 1, 1}, {block, 1, 1}}; }

}  // namespace

TEST_CASE("nvcc: a switch takes its case, and an indexed branch its target") {
  const std::vector<int> codes = integers(300, -2, 12, 1), a = integers(300, -90, 90, 2),
                         b = integers(300, -9, 9, 3);
  std::vector<uint32_t> indices(300);
  std::vector<int> expected(600, 0);
  std::vector<uint32_t> chosen(300);
  for (int i = 0; i < 300; ++i) {
    const auto r = static_cast<uint32_t>(a[i]), v = static_cast<uint32_t>(b[i]);
    uint32_t out = 0xffffffff;
    switch (codes[i]) {
      case 0:
        out = r + v;
        for (uint32_t k = 0; k < (v & 3); ++k) out ^= out << k;
        break;
      case 1:
        out = a[i] - b[i] < 0 ? 3 * (v - r) : r - v;
        break;
      case 2:
        out = r * v;
        break;
      case 3:
        out = r ^ v;
        expected[i + 300] = static_cast<int>(out);
        break;
      case 4:
        out = static_cast<uint32_t>(std::min(a[i], b[i]));
        expected[i + 300] = b[i];
        break;
      case 5:
        out = static_cast<uint32_t>(__builtin_popcount(r & v));
        break;
      case 6:
        out = (r | v) == 0 ? 32 : static_cast<uint32_t>(__builtin_clz(r | v));
        break;
      case 7:
        out = static_cast<uint32_t>((int64_t{a[i]} * b[i]) >> 32);
        break;
      case 8:
        out = b[i] == 0 ? 0 : static_cast<uint32_t>(a[i] / b[i]);
        break;
      case 9:
        out = b[i] == 0 ? 0 : static_cast<uint32_t>(a[i] % b[i]);
        break;
    }
    expected[i] = static_cast<int>(out);
    const uint32_t code = indices[i] = r & 0xff;
    const uint32_t results[] = {code + 100, 3 * code, ~code, code + 100};
    chosen[i] = results[code & 3];
  }
  cuda::on_each_target("switch_table", [&](Device& device) {
    const Pointer which = device.buffer("codes", codes), left = device.buffer("a", a),
                  right = device.buffer("b", b);
    const Pointer out = device.buffer("out", std::vector<int>(600, 0));
    device.launch("calculate", blocks(3, 128), which, left, right, out, 300);
    CHECK(cuda::difference(device.values<int>(out, 600), expected) == "none");
    const Pointer in = device.buffer("indices", indices), taken = device.empty<uint32_t>("taken", 300);
    device.launch("indexed", blocks(3, 128), in, taken, 300);
    CHECK(cuda::difference(device.values<uint32_t>(taken, 300), chosen) == "none");
  });
}

TEST_CASE("nvcc: every thread has local memory of its own") {
  const std::vector<float> x = reals(116, -5, 5, 4);
  std::vector<float> expected(100);
  for (size_t i = 0; i < 100; ++i) {
    const size_t size = 9 + (i & 7);
    std::vector<float> window(x.begin() + static_cast<int>(i), x.begin() + static_cast<int>(i + size));
    std::sort(window.begin(), window.end());
    expected[i] = window[size / 2];
  }
  cuda::on_each_target("local_array", [&](Device& device) {
    const Pointer in = device.buffer("x", x), out = device.empty<float>("medians", 100);
    device.launch("sort_windows", blocks(2, 64), in, out, 100);
    CHECK(cuda::difference(device.values<float>(out, 100), expected) == "none");
  });
}

TEST_CASE("nvcc: constant and global variables hold their initial values") {
  const std::vector<float> x = reals(90, -1, 1, 5);
  const std::vector<int> words = integers(96, -1000, 1000, 6);
  const float coefficients[] = {1.0f, 1.0f, 0.5f, 0.16666667f, 0.041666668f, 0.008333334f};
  const int steps[] = {1, -2, 3, -4};
  const std::string letters("fuse\n\"board\"");
  std::vector<float> polynomial(90);
  std::vector<int> gathered(96);
  for (size_t i = 0; i < 90; ++i) {
    float value = coefficients[5];
    for (int k = 4; k >= 0; --k) value = std::fma(value, x[i], coefficients[k]);
    polynomial[i] = value + static_cast<float>(steps[i & 3]);
  }
  for (size_t i = 0; i < 96; ++i) gathered[i] = words[(i & ~size_t{7}) + 7 - (i & 7)] + letters[i % 12];
  cuda::on_each_target("constant_table", [&](Device& device) {
    const Pointer in = device.buffer("x", x), out = device.empty<float>("y", 90);
    device.launch("polynomial", blocks(2, 64), in, out, 90);
    CHECK(cuda::difference(device.values<float>(out, 90), polynomial) == "none");
    const Pointer from = device.buffer("words", words), to = device.empty<int>("gathered", 96);
    device.launch("gather", blocks(2, 64), from, to, 96);
    CHECK(cuda::difference(device.values<int>(to, 96), gathered) == "none");
  });
}

TEST_CASE("nvcc: shared memory sized at the launch holds two arrays") {
  const std::vector<int> x = integers(192, -1000, 1000, 7);
  std::vector<int> reversed(192);
  std::vector<double> means(192);
  for (size_t i = 0; i < 192; ++i) {
    const size_t other = i / 96 * 96 + 95 - i % 96;
    reversed[i] = x[other];
    means[i] = 0.5 * x[other] + 0.5 * x[i];
  }
  cuda::on_each_target("dynamic_shared", [&](Device& device) {
    const Pointer in = device.buffer("x", x), out = device.empty<int>("y", 192),
                  mean = device.empty<double>("m", 192);
    device.launch("reverse", {{2, 1, 1}, {96, 1, 1}, 96 * 12}, in, out, mean);
    CHECK(cuda::difference(device.values<int>(out, 192), reversed) == "none");
    CHECK(cuda::difference(device.values<double>(mean, 192), means) == "none");
  });
}

TEST_CASE("nvcc: named barriers hand tiles from one warp to another without a race") {
  const std::vector<int> x = integers(7 * 32, -1000, 1000, 8);
  std::vector<int> expected(x.size());
  for (size_t i = 0; i < x.size(); ++i) expected[i] = 2 * x[i / 32 * 32 + 31 - i % 32];
  cuda::on_each_target("named_barriers", [&](Device& device) {
    const Pointer in = device.buffer("x", x), out = device.empty<int>("y", x.size());
    device.launch("hand_over", blocks(1, 64), in, out, 7);
    CHECK(device.values<int>(out, x.size()) == expected);
  });
}

TEST_CASE("nvcc: asynchronous copies arrive by the wait for their group") {
  const std::vector<float> x = reals(2 * 5 * 128, -1, 1, 9);
  std::vector<float> expected(256);
  for (size_t block = 0; block < 2; ++block)
    for (size_t i = 0; i < 128; ++i)
      for (size_t tile = 0; tile < 5; ++tile)
        expected[128 * block + i] += x[(5 * block + tile) * 128 + 127 - i];
  cuda::on_each_target("async_copy", [&](Device& device) {
    const Pointer in = device.buffer("x", x), out = device.empty<float>("y", 256);
    device.launch("sum_tiles", blocks(2, 128), in, out, 5);
    CHECK(cuda::difference(device.values<float>(out, 256), expected) == "none");
  });
}

TEST_CASE("nvcc: ldmatrix deals rows to lanes, or columns") {
  const std::vector<int> x = integers(128, -2000000000, 2000000000, 10);
  std::vector<int> turned(64);
  std::vector<uint16_t> halves(256);
  std::memcpy(halves.data(), x.data(), 512);
  for (size_t matrix = 0; matrix < 2; ++matrix) {
    for (size_t lane = 0; lane < 32; ++lane) {
      const size_t column = lane / 4, row = 2 * (lane % 4);  // lane holds [row][column] and [row + 1][column]
      const uint32_t low = halves[64 * matrix + 8 * row + column],
                     high = halves[64 * matrix + 8 * (row + 1) + column];
      turned[32 * matrix + lane] = static_cast<int>(low | high << 16);
    }
  }
  cuda::on_each_target("load_matrix", [&](Device& device) {
    const Pointer in = device.buffer("x", x), a = device.empty<int>("a", 128), b = device.empty<int>("b", 64);
    device.launch("fragments", blocks(1, 32), in, a, b);
    CHECK(cuda::difference(device.values<int>(a, 128), x) ==
          "none");  // lane i holds the i-th pair of the matrix
    CHECK(cuda::difference(device.values<int>(b, 64), turned) == "none");
  });
}

TEST_CASE("nvcc: atomics on global memory, a lock that lanes of one warp fight for, and the last block") {
  const std::vector<int> x = integers(100, -300, 300, 11);
  std::vector<int> words = {0, -1000, 1000, -1, 0, 0, 3, 0};
  float real = 0;
  double wide = 0;
  uint64_t longs = 0;
  for (size_t i = 0; i < 100; ++i) {
    words[0] += x[i];
    words[1] = std::max(words[1], x[i]);
    words[2] = std::min(words[2], x[i]);
    words[3] &= x[i] | 0xff;
    words[4] |= x[i] & 0xff0;
    words[5] ^= x[i];
    words[6] = words[6] >= 9 ? 0 : words[6] + 1;
    real += static_cast<float>(x[i] & 15);
    wide += 0.5 * x[i];
    longs = std::max(longs, static_cast<uint64_t>(x[i] & 0xffff) << 20);
  }
  const std::vector<float> blocks_of = reals(4 * 64, -1, 1, 12);
  float total = 0;
  for (size_t block = 0; block < 4; ++block) {
    float sum = 0;
    for (size_t i = 0; i < 64; ++i) sum += blocks_of[64 * block + i];
    total += sum;
  }
  cuda::on_each_target("atomics", [&](Device& device) {
    std::vector<int> start = {0, -1000, 1000, -1, 0, 0, 3, 0};
    start.resize(108, 0);
    const Pointer in = device.buffer("x", x), memory = device.buffer("words", start);
    const Pointer f32 = device.buffer("real", std::vector<float>{0}),
                  f64 = device.buffer("wide", std::vector<double>{0});
    const Pointer u64 = device.buffer("longs", std::vector<uint64_t>{0});
    device.launch("atomics", blocks(2, 64), in, memory, f32, f64, u64, 100);
    std::vector<int> after = device.values<int>(memory, 108);
    CHECK(std::equal(words.begin(), words.begin() + 7, after.begin()));
    CHECK(device.values<float>(f32, 1)[0] == real);
    CHECK(device.values<double>(f64, 1)[0] == wide);
    CHECK(device.values<uint64_t>(u64, 1)[0] == longs);
    std::sort(after.begin() + 7,
              after.end());  // what was exchanged, and what is there now: 0 to 100, each once
    for (int i = 0; i <= 100; ++i) CHECK(after[7 + static_cast<size_t>(i)] == i);

    const Pointer lock = device.buffer("lock", std::vector<int>{0}),
                  counter = device.buffer("counter", std::vector<int>{1, 0});
    // A lane that spins gets a long turn: few lanes, or the test takes its time.
    device.launch("locked", blocks(2, 6), lock, counter, in, 12);
    CHECK(device.values<int>(counter, 2)[1] == 12);
    CHECK(device.values<int>(lock, 1)[0] == 0);

    const Pointer values = device.buffer("values", blocks_of), partial = device.empty<float>("partial", 4);
    const Pointer arrived = device.buffer("arrived", std::vector<uint32_t>{0}),
                  sum = device.empty<float>("sum", 1);
    device.launch("last_block", blocks(4, 64), values, partial, arrived, sum);
    CHECK(device.values<float>(sum, 1)[0] == total);
  });
}
