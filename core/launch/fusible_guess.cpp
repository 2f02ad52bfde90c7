// The words that kernels of frameworks and libraries have in their names.
// It must not know graphs nor formats.
#include "launch/fusible_guess.h"

#include <algorithm>
#include <array>
#include <string>

namespace fuseboard {
namespace {

constexpr std::array kFusible = std::to_array<std::string_view>(
    {"elementwise", "pointwise", "reduce",  "softmax", "norm",     "vectorized",
     "copy_kernel", "broadcast", "row_max", "row_sum", "row_mean", "relu",
     "gelu",        "silu",      "sigmoid", "tanh",    "dropout",  "scale_kernel",
     "mean_kernel", "cast",      "axpy",    "convert"});
/// These win over all others: Inductor says what it made, then names what went into it.
constexpr std::array kMadeFusible =
    std::to_array<std::string_view>({"triton_poi_", "triton_per_", "triton_red_"});
/// These win over the first: "cutlass::gemm_with_reduce" is a gemm.
constexpr std::array kNot = std::to_array<std::string_view>(
    {"gemm",      "gemv",      "matmul",    "convol",    "conv1",      "conv2",          "conv3",
     "conv_",     "depthwise", "attention", "flash",     "fmha",       "cutlass",        "cublas",
     "cudnn",     "sort",      "scatter",   "gather",    "index",      "scan",           "cumsum",
     "topk",      "transpose", "nccl",      "allreduce", "all_reduce", "reduce_scatter", "embedding",
     "histogram", "unique",    "fft",       "splitk",    "triton_tem"});

bool has_any(std::string_view name, const auto& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

}  // namespace

bool guess_fusible(std::string_view function_name) {
  std::string lower(function_name);
  for (char& byte : lower)
    if (byte >= 'A' && byte <= 'Z') byte = static_cast<char>(byte - 'A' + 'a');
  if (has_any(lower, kMadeFusible)) return true;
  return !has_any(lower, kNot) && has_any(lower, kFusible);
}

}  // namespace fuseboard
