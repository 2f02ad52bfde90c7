// Kernels that Triton compiled to reduce run on their functions' inputs, at their own sizes, some blocks of
// each. It must not know our emitter: nothing here was written by it.
#include "triton_kernels.h"

using namespace triton;

namespace {

/// What a row's elements share, computed once.
class OfRow {
 public:
  using Compute = std::function<std::array<double, 2>(const Ins&, uint64_t)>;
  explicit OfRow(Compute compute) : compute_(std::move(compute)) {}
  const std::array<double, 2>& operator()(const Ins& in, uint64_t row) {
    if (row != row_) kept_ = compute_(in, row);
    row_ = row;
    return kept_;
  }

 private:
  Compute compute_;
  uint64_t row_ = UINT64_MAX;
  std::array<double, 2> kept_{};
};

/// Mean and 1 / sqrt(variance + 1e-5) of `columns` values that `at` gives.
std::array<double, 2> moments(uint64_t columns, const std::function<double(uint64_t)>& at) {
  double sum = 0, squares = 0;
  for (uint64_t c = 0; c < columns; ++c) sum += at(c);
  const double mean = sum / static_cast<double>(columns);
  for (uint64_t c = 0; c < columns; ++c) squares += (at(c) - mean) * (at(c) - mean);
  return {mean, 1 / std::sqrt(squares / static_cast<double>(columns) + 1e-5)};
}

/// Maximum, and sum of exponentials below it.
std::array<double, 2> softmax_of(uint64_t columns, const std::function<double(uint64_t)>& at) {
  double top = -HUGE_VAL, sum = 0;
  for (uint64_t c = 0; c < columns; ++c) top = std::max(top, at(c));
  for (uint64_t c = 0; c < columns; ++c) sum += std::exp(at(c) - top);
  return {top, sum};
}

std::vector<Case> reduction_cases() {
  const auto normed = [](uint64_t columns, std::function<double(const Ins&, uint64_t)> at, size_t scale) {
    OfRow row([columns, at](const Ins& in, uint64_t r) {
      return moments(columns, [&](uint64_t c) { return at(in, r * columns + c); });
    });
    return [columns, at, scale, row](const Ins& in, uint64_t i) mutable {
      const auto [mean, factor] = row(in, i / columns);
      return (at(in, i) - mean) * factor * in[scale][i % columns] + in[scale + 1][i % columns];
    };
  };
  const auto first = [](const Ins& in, uint64_t i) { return in[0][i]; };
  const auto row_softmax = [](uint64_t columns, std::function<double(const Ins&, uint64_t)> at) {
    OfRow row([columns, at](const Ins& in, uint64_t r) {
      return softmax_of(columns, [&](uint64_t c) { return at(in, r * columns + c); });
    });
    return [columns, at, row](const Ins& in, uint64_t i) mutable {
      const auto [top, sum] = row(in, i / columns);
      return std::exp(at(in, i) - top) / sum;
    };
  };
  /// Element r of the 128 that column x % 4096 has in the slice x / 4096.
  const auto slice = [](uint64_t x, uint64_t r) { return x % 4096 + 4096 * r + 524288 * (x / 4096); };
  const auto fold = [](uint64_t count, const std::function<double(uint64_t)>& at) {
    double sum = 0;
    for (uint64_t r = 0; r < count; ++r) sum += at(r);
    return sum;
  };
  std::vector<Case> all;
  all.push_back({"softmax_f32",
                 "triton_per_fused__softmax_exp_prepare_softmax_online_sub_0",
                 {8192, 1, 1},
                 32,
                 "ionn",
                 {{30, kBig / 2, -9, 9}},
                 {pointwise(kBig / 2, 1024, row_softmax(1024, first), 3e-6, 0)}});
  all.push_back({"attention_naive",
                 "triton_per_fused__softmax_add_exp_mul_prepare_softmax_online_sub_view_0",
                 {24576, 1, 1},
                 32,
                 "binn",
                 {{31, uint64_t{49152} * 512, -9, 9, true}, {32, 512 * 512, -1, 1, true}},
                 {in_bfloat(pointwise(
                     uint64_t{49152} * 512, 1024,
                     row_softmax(512, [](const Ins& in,
                                         uint64_t i) { return in[0][i] * 0.125 + in[1][i % (512 * 512)]; }),
                     0, 0))}});
  all.push_back({"layer_norm_fwd",
                 "triton_per_fused_native_layer_norm_0",
                 {8192, 1, 1},
                 32,
                 "iiionn",
                 {{33, kBig / 2}, {34, 1024}, {35, 1024}},
                 {pointwise(kBig / 2, 1024, normed(1024, first, 1), 1e-6, 3e-6)}});
  const auto statistic = [](size_t which) {
    return [which](const Ins& in, uint64_t r) {
      return moments(1024, [&](uint64_t c) { return in[1][r * 1024 + c]; })[which];
    };
  };
  all.push_back({"layer_norm_stats_bf16",
                 "triton_per_fused_native_layer_norm_0",
                 {8192, 1, 1},
                 32,
                 "biiioonn",
                 {{36, 8192}, {37, kBig / 2, -2, 3, true}, {38, 1024, -2, 2, true}, {39, 1024, -2, 2, true}},
                 {pointwise(8192, 1, statistic(1), 2e-6, 0), pointwise(8192, 1, statistic(0), 1e-6, 1e-6),
                  in_bfloat(pointwise(kBig / 2, 1024,
                                      normed(
                                          1024, [](const Ins& in, uint64_t i) { return in[1][i]; }, 2),
                                      0, 3e-6))}});
  all.push_back(
      {"mlp_block",
       "triton_per_fused_add_native_layer_norm_1",
       {4096, 1, 1},
       32,
       "biiiinn",
       {{40, kBig / 4, -2, 2, true},
        {41, 1024, -2, 2, true},
        {42, kBig / 4, -2, 2, true},
        {43, 1024, -2, 2, true},
        {44, 1024, -2, 2, true}},
       {in_bfloat(pointwise(
           kBig / 4, 1024,
           normed(
               1024, [](const Ins& in, uint64_t i) { return in[0][i] + in[1][i % 1024] + in[2][i]; }, 3),
           0, 4e-6))}});
  OfRow squares([fold](const Ins& in, uint64_t r) {
    const double sum = fold(4096, [&](uint64_t c) { return in[0][r * 4096 + c] * in[0][r * 4096 + c]; });
    return std::array<double, 2>{1 / std::sqrt(sum / 4096 + 1e-6), 0};
  });
  all.push_back({"rms_norm_bf16",
                 "triton_red_fused__to_copy_add_mean_mul_pow_rsqrt_0",
                 {8192, 1, 1},
                 512,
                 "iionn",
                 {{45, 2 * kBig, -2, 2, true}, {46, 4096, -2, 2, true}},
                 {in_bfloat(pointwise(
                     2 * kBig, 4096,
                     [squares](const Ins& in, uint64_t i) mutable {
                       return in[0][i] * squares(in, i / 4096)[0] * in[1][i % 4096];
                     },
                     0, 0))}});
  all.push_back({"diamond_barrier",
                 "triton_red_fused_exp_mul_sum_0",
                 {4096, 1, 1},
                 512,
                 "iooonn",
                 {{47, kBig}},
                 {pointwise(
                      kBig, 4096, [](const Ins& in, uint64_t i) { return std::exp(in[0][i]); }, 3e-7, 0),
                  pointwise(
                      kBig, 4096, [](const Ins& in, uint64_t i) { return 2 * std::exp(in[0][i]); }, 3e-7, 0),
                  pointwise(
                      4096, 1,
                      [fold](const Ins& in, uint64_t r) {
                        return fold(4096, [&](uint64_t c) { return std::exp(in[0][4096 * r + c]); });
                      },
                      2e-6, 0)}});
  all.push_back({"column_reduce_siblings",
                 "triton_red_fused_mul_sum_0",
                 {2048, 1, 1},
                 128,
                 "iionn",
                 {{48, kBig}, {49, kBig}},
                 {pointwise(
                     131072, 64,
                     [fold, slice](const Ins& in, uint64_t x) {
                       return fold(128, [&](uint64_t r) { return in[0][slice(x, r)] * in[1][slice(x, r)]; });
                     },
                     2e-6, 2e-5)}});
  const auto column_sum = [fold](const Ins& in, uint64_t x) {
    return fold(32, [&](uint64_t r) { return in[0][x + 4096 * r]; });
  };
  all.push_back({"column_reduce_siblings",
                 "triton_per_fused_mul_sum_1",
                 {32, 1, 1},
                 256,
                 "ionn",
                 {{50, 131072}},
                 {pointwise(4096, 128, column_sum, 1e-6, 1e-5)}});
  all.push_back({"softmax_dim0",
                 "triton_red_fused_prepare_softmax_online_0",
                 {2048, 1, 1},
                 128,
                 "ionn",
                 {{51, kBig}},
                 {pointwise(
                     131072, 64,
                     [slice](const Ins& in, uint64_t x) {
                       return softmax_of(128, [&](uint64_t r) { return in[0][slice(x, r)]; })[0];
                     },
                     0, 0)}});
  all.push_back({"softmax_dim0",
                 "triton_per_fused_prepare_softmax_online_1",
                 {32, 1, 1},
                 256,
                 "ionn",
                 {{52, 131072}},
                 {pointwise(
                     4096, 128,
                     [](const Ins& in, uint64_t x) {
                       return softmax_of(32, [&](uint64_t r) { return in[0][x + 4096 * r]; })[0];
                     },
                     0, 0)}});
  all.push_back({"softmax_dim0",
                 "triton_red_fused_prepare_softmax_online_2",
                 {2048, 1, 1},
                 128,
                 "iionn",
                 {{53, kBig}, {54, 4096, 2, 3}},
                 {pointwise(
                     131072, 64,
                     [fold, slice](const Ins& in, uint64_t x) {
                       return fold(
                           128, [&](uint64_t r) { return std::exp(in[0][slice(x, r)] - in[1][x % 4096]); });
                     },
                     2e-6, 0)}});
  all.push_back({"softmax_dim0",
                 "triton_per_fused_prepare_softmax_online_3",
                 {32, 1, 1},
                 256,
                 "ionn",
                 {{55, 131072}},
                 {pointwise(4096, 128, column_sum, 1e-6, 1e-5)}});
  const auto channel = [](const Ins& in, uint64_t x, size_t which) {
    const auto at = [&](uint64_t r) {
      return in[0][784 * (x % 128) + 100352 * (r / 784) + 802816 * (x / 128) + r % 784];
    };
    const auto [mean, factor] = moments(6272, at);
    return which == 0 ? mean : (1 / (factor * factor) - 1e-5) * 6272;
  };
  all.push_back({"batch_norm_train",
                 "triton_red_fused__native_batch_norm_legit_0",
                 {512, 1, 1},
                 512,
                 "iooonn",
                 {{56, 3211264}},
                 {}});
  all.back().out = {
      pointwise(
          512, 1, [channel](const Ins& in, uint64_t x) { return channel(in, x, 0); }, 1e-6, 1e-6),
      pointwise(
          512, 1, [channel](const Ins& in, uint64_t x) { return channel(in, x, 1); }, 2e-6, 0),
      pointwise(
          512, 1, [](const Ins&, uint64_t) { return 6272.0; }, 0, 0)};
  const auto joined = [fold](const Ins& in, uint64_t x, size_t which) {
    const double weight = fold(4, [&](uint64_t r) { return in[2][x + 128 * r]; });
    const double mean = fold(4, [&](uint64_t r) { return in[2][x + 128 * r] * in[0][x + 128 * r]; }) / weight;
    const double spread = fold(4, [&](uint64_t r) {
      const double off = in[0][x + 128 * r] - mean;
      return in[1][x + 128 * r] + in[2][x + 128 * r] * off * off;
    });
    return which == 0 ? mean : spread;
  };
  all.push_back({"batch_norm_train",
                 "triton_per_fused__native_batch_norm_legit_1",
                 {128, 1, 1},
                 64,
                 "iiioonn",
                 {{57, 512}, {58, 512, 1000, 2000}, {59, 512, 5000, 7000}},
                 {pointwise(
                      128, 1, [joined](const Ins& in, uint64_t x) { return joined(in, x, 0); }, 1e-6, 1e-6),
                  pointwise(
                      128, 1, [joined](const Ins& in, uint64_t x) { return joined(in, x, 1); }, 2e-6, 0)}});
  return all;
}

}  // namespace

TEST_CASE("Triton: kernels that reduce give their functions' values, and an H200's counters") {
  const std::vector<Case> cases = reduction_cases();
  CHECK(cases.size() == kKernels - kPointwise);
  run_all(cases, 14);
}
