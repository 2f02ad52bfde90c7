// Kernels that nvcc compiled run as they do on a device: loops, tiles, shuffles, tables, calls, and what they
// cost. It must not know our emitter: nothing here was written by it.
#include <cmath>
#include <numeric>

#include "cuda_kernels.h"

using device::Counters;
using device::Device;
using device::integers;
using device::Pointer;
using device::reals;
using device::Shape;

namespace {

constexpr float kUntouched = -77;

Shape blocks(uint32_t grid, uint32_t block) { return {{grid, 1, 1}, {block, 1, 1}}; }

double sectors_per_load(const Counters& counters) {
  return static_cast<double>(counters.global_load_sectors) /
         static_cast<double>(counters.global_load_requests);
}

double sectors_per_store(const Counters& counters) {
  return static_cast<double>(counters.global_store_sectors) /
         static_cast<double>(counters.global_store_requests);
}

}  // namespace

TEST_CASE("nvcc: saxpy is one fused multiply-add an element, and leaves what lies behind alone") {
  const std::vector<float> x = reals(1000, -4, 4, 1), y = reals(1000, -4, 4, 2);
  cuda::on_each_target("saxpy", [&](Device& device) {
    std::vector<float> padded = y;
    padded.resize(1024, kUntouched);
    const Pointer in = device.buffer("x", x), out = device.buffer("y", padded);
    const Counters counters = device.launch("saxpy", blocks(4, 256), 1000, 1.7f, in, out);
    for (size_t i = 0; i < 1000; ++i) padded[i] = std::fma(1.7f, x[i], y[i]);
    CHECK(cuda::difference(device.values<float>(out, 1024), padded) == "none");
    CHECK(counters.threads == 1024);
    CHECK(counters.global_load_requests == 2 * 32);
    CHECK(counters.global_load_bytes == 8 * 1000);
    CHECK(counters.global_load_sectors == 2 * 125);
    CHECK(counters.global_store_sectors == 125);
    CHECK(counters.divergent_branches == 1);  // the last warp
    CHECK(device.memory().bytes_read(in.buffer) == 4000);
    CHECK(device.memory().bytes_written(out.buffer) == 4000);
  });
}

TEST_CASE("nvcc: gelu over a grid-stride loop, by single floats and by fours") {
  const std::vector<float> x = reals(5000, -6, 6, 3);
  const auto expected = [](double v) {
    return 0.5 * v * (1 + std::tanh(0.7978845608028654 * (v + 0.044715 * v * v * v)));
  };
  cuda::on_each_target("gelu", [&](Device& device) {
    const Pointer in = device.buffer("x", x);
    const Pointer single = device.empty<float>("single", 5000), vector = device.empty<float>("vector", 5000);
    device.launch("gelu", blocks(3, 128), in, single, 5000);
    const Counters counters = device.launch("gelu_vector", blocks(2, 128), in, vector, 1250);
    const std::vector<float> out = device.values<float>(single, 5000);
    for (size_t i = 0; i < out.size(); ++i) {
      INFO(i);
      // Seven roundings in f32, and a tanh within 2 ULP of a value near 1 (CUDA C++ Programming Guide).
      CHECK(std::fabs(out[i] - expected(x[i])) < 6e-7 * (1 + std::fabs(x[i])));
    }
    CHECK(cuda::difference(device.values<float>(vector, 5000), out) == "none");
    CHECK(counters.vector_accesses == 2 * 1250);
    CHECK(sectors_per_load(counters) > 15);  // 16 but for the last warp
  });
}

TEST_CASE("nvcc: a block's sum by shuffles adds in the shuffles' order") {
  const std::vector<float> x = reals(1000, -1, 1, 4);
  const auto warp_sum = [](std::vector<float> lanes) {
    for (size_t offset = 16; offset > 0; offset /= 2)
      for (size_t i = 0; i < offset; ++i) lanes[i] += lanes[i + offset];
    return lanes[0];
  };
  std::vector<float> expected;
  for (size_t block = 0; block < 4; ++block) {
    std::vector<float> of_warp(32);
    for (size_t warp = 0; warp < 8; ++warp) {
      std::vector<float> lanes(32);
      for (size_t i = 0; i < 32; ++i) {
        const size_t at = block * 256 + warp * 32 + i;
        lanes[i] = at < x.size() ? x[at] : 0.0f;
      }
      of_warp[warp] = warp_sum(lanes);
    }
    expected.push_back(warp_sum(of_warp));
  }
  int total = 0;
  for (size_t block = 0; block < 4; ++block) {
    bool any = false, all = true;
    for (size_t i = 256 * block; i < std::min<size_t>(1000, 256 * block + 256); ++i) {
      total += x[i] > 0;
      any = any || x[i] < -1;
      all = all && x[i] > -2;
    }
    total += 1000 * any + 100000 * all;
  }
  cuda::on_each_target("block_sum", [&](Device& device) {
    const Pointer in = device.buffer("x", x), out = device.empty<float>("partial", 4);
    const Pointer count = device.buffer("total", std::vector<int>{0});
    const Counters counters = device.launch("block_sum", blocks(4, 256), in, out, 1000);
    CHECK(cuda::difference(device.values<float>(out, 4), expected) == "none");
    CHECK(counters.barriers == 4);
    device.launch("count_positive", blocks(4, 256), in, count, 1000);
    CHECK(device.values<int>(count, 1)[0] == total);
  });
}

TEST_CASE("nvcc: a transpose has no bank conflicts where its tile is padded, 31 a read where not") {
  constexpr size_t rows = 64, columns = 96;
  const std::vector<float> x = reals(rows * columns, -9, 9, 5);
  std::vector<float> expected(x.size());
  for (size_t r = 0; r < rows; ++r)
    for (size_t c = 0; c < columns; ++c) expected[c * rows + r] = x[r * columns + c];
  cuda::on_each_target("transpose", [&](Device& device) {
    const Pointer in = device.buffer("x", x);
    const Shape shape{{3, 2, 1}, {32, 8, 1}};
    const auto run = [&](const std::string& entry) {
      const Pointer out = device.empty<float>(entry, x.size());
      const Counters counters = device.launch(entry, shape, in, out, int{rows}, int{columns});
      CHECK(cuda::difference(device.values<float>(out, x.size()), expected) == "none");
      CHECK(sectors_per_load(counters) == 4);
      return counters;
    };
    const Counters padded = run("transpose_padded"), conflicting = run("transpose_conflicting");
    CHECK(padded.shared_requests == 6 * 8 * 8);
    CHECK(padded.shared_bank_conflicts == 0);
    CHECK(conflicting.shared_bank_conflicts == 6 * 8 * 4 * 31);
    CHECK(sectors_per_store(padded) == 4);
    CHECK(sectors_per_store(run("transpose_strided")) == 32);
  });
}

TEST_CASE("nvcc: a tiled matrix product adds in the order of k, edges as zeros") {
  constexpr int m = 37, n = 29, k = 45;
  const std::vector<float> a = reals(m * k, -1, 1, 6), b = reals(k * n, -1, 1, 7);
  std::vector<float> expected(m * n);
  for (int r = 0; r < m; ++r) {
    for (int c = 0; c < n; ++c) {
      float sum = 0;
      for (int i = 0; i < 48; ++i) sum = i < k ? std::fma(a[r * k + i], b[i * n + c], sum) : sum;
      expected[r * n + c] = sum;
    }
  }
  cuda::on_each_target("matmul", [&](Device& device) {
    const Pointer left = device.buffer("a", a), right = device.buffer("b", b);
    const Pointer out = device.empty<float>("c", m * n);
    const Counters counters = device.launch("matmul", {{2, 3, 1}, {16, 16, 1}}, left, right, out, m, n, k);
    CHECK(cuda::difference(device.values<float>(out, m * n), expected) == "none");
    CHECK(counters.barriers == 6 * 3 * 2);
  });
}

TEST_CASE("nvcc: softmax of rows longer and shorter than the block") {
  for (const int columns : {100, 700}) {
    const std::vector<float> x = reals(3 * static_cast<size_t>(columns), -20, 20, 8);
    cuda::on_each_target("softmax", [&](Device& device) {
      const Pointer in = device.buffer("x", x), out = device.empty<float>("y", x.size());
      device.launch("softmax", blocks(3, 256), in, out, columns);
      const std::vector<float> y = device.values<float>(out, x.size());
      for (size_t row = 0; row < 3; ++row) {
        const float* from = x.data() + row * columns;
        const double top = *std::max_element(from, from + columns);
        double sum = 0;
        for (int c = 0; c < columns; ++c) sum += std::exp(from[c] - top);
        for (int c = 0; c < columns; ++c) {
          const double expected = std::exp(from[c] - top) / sum;
          // expf within 2 ULP twice, ten additions of positive numbers, one difference of 40 and a quotient.
          CHECK(std::fabs(y[row * columns + c] - expected) < 3e-6 * expected + 1e-38);
        }
      }
    });
  }
}

TEST_CASE("nvcc: a histogram counts by atomics") {
  device::Random random(9);
  std::vector<uint8_t> x(3000);
  for (uint8_t& each : x) each = static_cast<uint8_t>(random.between(0, 9) * random.between(0, 20));
  std::vector<uint32_t> expected(256, 5);
  for (const uint8_t each : x) ++expected[each];
  cuda::on_each_target("histogram", [&](Device& device) {
    const Pointer in = device.buffer("x", x), bins = device.buffer("bins", std::vector<uint32_t>(256, 5));
    const Counters counters = device.launch("histogram", blocks(2, 192), in, bins, 3000);
    CHECK(cuda::difference(device.values<uint32_t>(bins, 256), expected) == "none");
    const uint64_t atomics = counters.by_class[static_cast<size_t>(fuseboard::ptx::InstructionClass::atomic)];
    CHECK(atomics > 3000);
    CHECK(atomics < 3000 + 2 * 256);
    CHECK(counters.shared_bank_conflicts > 0);
  });
}

TEST_CASE("nvcc: prefix sums of a block, by shared memory and by shuffles") {
  const std::vector<int> x = integers(700, -1000, 1000, 10);
  std::vector<int> expected(700);
  for (size_t i = 0; i < 700; ++i) expected[i] = (i % 256 == 0 ? 0 : expected[i - 1]) + x[i];
  cuda::on_each_target("prefix_sum", [&](Device& device) {
    const Pointer in = device.buffer("x", x);
    for (const char* entry : {"scan_shared", "scan_shuffle"}) {
      const Pointer out = device.empty<int>(entry, 700);
      device.launch(entry, blocks(3, 256), in, out, 700);
      CHECK(cuda::difference(device.values<int>(out, 700), expected) == "none");
    }
  });
}

namespace {

void check_device_functions(Device& device) {
  const std::vector<int> top = integers(200, 1, 5000, 11), bottom = integers(200, 1, 60, 12);
  std::vector<int64_t> fractions;
  std::vector<int> applied;
  for (int i = 0; i < 200; ++i) {
    const int divisor = std::gcd(top[i], bottom[i]);
    const int64_t value = top[i] / divisor * int64_t{1000003} + bottom[i] / divisor;
    fractions.push_back(i % 2 == 0 ? -value : value);
    applied.push_back((top[i] & 1) == 0 ? top[i] + i : top[i] * i);
  }
  const Pointer a = device.buffer("top", top), b = device.buffer("bottom", bottom);
  const Pointer out = device.empty<int64_t>("out", 200), y = device.empty<int>("y", 200);
  device.launch("reduce_fractions", blocks(4, 64), a, b, out, 200);
  CHECK(cuda::difference(device.values<int64_t>(out, 200), fractions) == "none");
  device.launch("apply", blocks(4, 64), a, y, 200);
  CHECK(cuda::difference(device.values<int>(y, 200), applied) == "none");
}

}  // namespace

TEST_CASE("nvcc: functions are called with numbers, structs and pointers, by name and by address") {
  cuda::on_each_target("device_function", check_device_functions);
}

TEST_CASE("nvcc: a module with .file and .loc runs as the one without") {
  Device device(device::file_text(std::filesystem::path(FUSEBOARD_SOURCE_DIR) /
                                  "tests/data/cuda/device_function.lines.ptx"));
  check_device_functions(device);
}

TEST_CASE("nvcc: loops whose lanes leave at different times") {
  std::vector<uint32_t> x(150), steps(150), primes(70);
  for (uint32_t i = 0; i < 150; ++i) {
    x[i] = i + 1;
    for (uint64_t value = x[i]; value > 1; ++steps[i]) value = value % 2 == 0 ? value / 2 : 3 * value + 1;
  }
  for (uint32_t i = 0; i < 70; ++i) {
    for (uint32_t candidate = 2; candidate < i; ++candidate) {
      bool prime = true;
      for (uint32_t divisor = 2; divisor < candidate; ++divisor) prime = prime && candidate % divisor != 0;
      primes[i] += prime;
    }
  }
  cuda::on_each_target("divergent_loops", [&](Device& device) {
    const Pointer in = device.buffer("x", x), out = device.empty<uint32_t>("steps", 150);
    const Counters counters = device.launch("collatz", blocks(2, 96), in, out, 150);
    CHECK(cuda::difference(device.values<uint32_t>(out, 150), steps) == "none");
    CHECK(counters.divergent_branches > 50);
    CHECK(counters.thread_instructions < 24 * counters.warp_instructions);
    const Pointer counts = device.empty<uint32_t>("counts", 70);
    device.launch("primes_below", blocks(1, 96), counts, 70);
    CHECK(cuda::difference(device.values<uint32_t>(counts, 70), primes) == "none");
  });
}

TEST_CASE("nvcc: layer norm by a warp, with shuffles and with cooperative groups") {
  constexpr int rows = 7, columns = 75;
  const std::vector<float> x = reals(rows * columns, -3, 5, 13);
  cuda::on_each_target("warp_norm", [&](Device& device) {
    const Pointer in = device.buffer("x", x);
    const Pointer shuffled = device.empty<float>("shuffled", x.size()),
                  grouped = device.empty<float>("grouped", x.size());
    device.launch("norm_shuffle", blocks(2, 128), in, shuffled, rows, columns);
    device.launch("norm_groups", blocks(2, 128), in, grouped, rows, columns);
    const std::vector<float> a = device.values<float>(shuffled, x.size()),
                             b = device.values<float>(grouped, x.size());
    for (int row = 0; row < rows; ++row) {
      double sum = 0, squares = 0, deviations = 0;
      for (int c = 0; c < columns; ++c) sum += x[row * columns + c];
      for (int c = 0; c < columns; ++c) {
        const double value = x[row * columns + c];
        squares += value * value;
        deviations += (value - sum / columns) * (value - sum / columns);
      }
      for (int c = 0; c < columns; ++c) {
        const double value = x[row * columns + c];
        // Eight additions a sum, rsqrt within 2 ULP, and a mean that is off by as much.
        CHECK(std::fabs(a[row * columns + c] -
                        (value - sum / columns) / std::sqrt(deviations / columns + 1e-5)) < 3e-6);
        CHECK(std::fabs(b[row * columns + c] - value / std::sqrt(squares / columns + 1e-5)) < 3e-6);
      }
    }
  });
}
