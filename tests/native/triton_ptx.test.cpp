// Pointwise kernels that Triton compiled run on their functions' inputs, at their own sizes, some blocks of
// each. It must not know our emitter: nothing here was written by it.
#include "triton_kernels.h"

using namespace triton;

namespace {

double relu(double v) { return v > 0 ? v : 0; }
double sigmoid(double v) { return 1 / (1 + std::exp(-v)); }
double gelu(double v) { return 0.5 * v * (1 + std::tanh(0.7978845608028654 * (v + 0.044715 * v * v * v))); }

std::vector<Case> pointwise_cases() {
  const auto m2 = [](const Ins& in, uint64_t i) { return in[0][i] * 0.9 + in[1][i] * 0.1; };
  const auto v2 = [](const Ins& in, uint64_t i) { return in[2][i] * 0.999 + 0.001 * in[1][i] * in[1][i]; };
  const auto p2 = [m2, v2](const Ins& in, uint64_t i) {
    const double step =
        m2(in, i) * 10.000000000000002 * 0.001 / (std::sqrt(v2(in, i) * 999.9999999999991) + 1e-8);
    return in[3][i] - step - in[3][i] * 0.0001;
  };
  const auto chain = [](const Ins& in, uint64_t i) {
    const double a = in[0][i], b = in[1][i], c = in[2][i];
    const double x = -std::exp(sigmoid(std::tanh(relu((a + b) * c - a))));
    const double y = (std::max(x, b) + c) * a;
    return std::sqrt(y * y + 1);
  };
  const auto transposed = [](uint64_t block, uint64_t k) {
    return block % 4096 + 4096 * (block / 4096 * 1024 + k);
  };
  std::vector<Case> all;
  all.push_back({"adam",
                 "triton_poi_fused_add_div_mul_sqrt_sub_0",
                 {32768, 1, 1},
                 256,
                 "iiiiooon",
                 {{1, kBig}, {2, kBig}, {3, kBig, 0.01, 2}, {4, kBig}},
                 {pointwise(kBig, 512, m2, 1e-6, 4e-7), pointwise(kBig, 512, v2, 1e-6, 0),
                  pointwise(kBig, 512, p2, 1e-6, 4e-7)}});
  all.push_back({"residual_relu_scale",
                 "triton_poi_fused_add_mul_relu_0",
                 {32768, 1, 1},
                 256,
                 "iion",
                 {{5, kBig}, {6, kBig}},
                 {pointwise(
                     kBig, 512, [](const Ins& in, uint64_t i) { return 0.5 * relu(in[0][i] + in[1][i]); },
                     0x1p-24, 0)}});
  all.push_back({"chain12",
                 "triton_poi_fused_add_exp_maximum_mul_neg_relu_sigmoid_sqrt_sub_tanh_0",
                 {16384, 1, 1},
                 128,
                 "iiion",
                 {{7, kBig}, {8, kBig}, {9, kBig}},
                 {pointwise(kBig, 1024, chain, 2e-6, 0)}});
  all.push_back({"bias_gelu",
                 "triton_poi_fused_add_gelu_0",
                 {32768, 1, 1},
                 128,
                 "iion",
                 {{10, 2 * kBig, -3, 3, true}, {11, 4096, -1, 1, true}},
                 {in_bfloat(pointwise(
                     2 * kBig, 1024,
                     [](const Ins& in, uint64_t i) { return gelu(in[0][i] + in[1][i % 4096]); }, 0, 1e-6))}});
  all.push_back({"broadcast_mix",
                 "triton_poi_fused_add_mul_sigmoid_0",
                 {4096, 1, 1},
                 128,
                 "iiion",
                 {{12, kBig / 4}, {13, 8192}, {14, 512}},
                 {pointwise(
                     kBig / 4, 1024,
                     [](const Ins& in, uint64_t i) {
                       return sigmoid(in[0][i] * in[1][i / 512] + in[2][i % 512]) + in[1][i / 512];
                     },
                     1e-6, 1e-6)}});
  all.push_back(
      {"column_reduce_siblings",
       "triton_poi_fused_mul_relu_2",
       {16384, 1, 1},
       128,
       "iion",
       {{15, kBig}, {16, kBig}},
       {pointwise(
           kBig, 1024, [](const Ins& in, uint64_t i) { return relu(in[0][i] * in[1][i]); }, 0x1p-24, 0)}});
  all.push_back({"mlp_block",
                 "triton_poi_fused_add_gelu_0",
                 {16384, 1, 1},
                 128,
                 "bin",
                 {{17, kBig, -3, 3, true}, {18, 4096, -1, 1, true}},
                 {in_bfloat(pointwise(
                     kBig, 1024, [](const Ins& in, uint64_t i) { return gelu(in[0][i] + in[1][i % 4096]); },
                     0, 1e-6))}});
  all.push_back(
      {"softmax_dim0",
       "triton_poi_fused__softmax_exp_sub_4",
       {32768, 1, 1},
       256,
       "iiion",
       {{19, kBig}, {20, 4096, 2, 3}, {21, 4096, 500, 2000}},
       {pointwise(
           kBig, 512,
           [](const Ins& in, uint64_t i) { return std::exp(in[0][i] - in[1][i % 4096]) / in[2][i % 4096]; },
           2e-6, 0)}});
  all.push_back({"batch_norm_train",
                 "triton_poi_fused__native_batch_norm_legit_2",
                 {6272, 1, 1},
                 256,
                 "iiiiion",
                 {{22, 3211264}, {23, 128}, {24, 128, 20000, 40000}, {25, 128}, {26, 128}},
                 {pointwise(
                     3211264, 512,
                     [](const Ins& in, uint64_t i) {
                       const uint64_t c = i / 784 % 128;
                       return (in[0][i] - in[1][c]) / std::sqrt(in[2][c] / 25088 + 1e-5) * in[3][c] +
                              in[4][c];
                     },
                     1e-6, 3e-6)}});
  all.push_back(
      {"transpose_add",
       "triton_poi_fused_add_relu_t_0",
       {4096, 4, 1},
       128,
       "iionn",
       {{27, kBig}, {28, kBig}},
       {{kBig, 1024,
         [](const Ins& in, uint64_t i) { return relu(in[0][i] + in[1][i / 4096 + i % 4096 * 4096]); },
         0x1p-24, 0, false, transposed}}});
  return all;
}

}  // namespace

TEST_CASE("Triton: pointwise kernels give their functions' values, and an H200's counters") {
  const std::vector<Case> cases = pointwise_cases();
  CHECK(cases.size() == kPointwise);
  run_all(cases, 5);
}

TEST_CASE("Triton: every kernel of the functions has a case") {
  const fs::path folder = fs::path(FUSEBOARD_SHARED_DIR) / "truth/functions";
  if (!fs::exists(folder)) return;  // told above
  size_t files = 0;
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder))
    files += file.path().extension() == ".ptx";
  CHECK(files == kKernels);
}
