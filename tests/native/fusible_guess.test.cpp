// Which kernels' names promise row-wise or elementwise work.
// It must not know graphs.
#include "launch/fusible_guess.h"

#include "catch.h"

using fuseboard::guess_fusible;

TEST_CASE("guess_fusible takes elementwise, reduction and normalisation names, whatever their case",
          "[fusible_guess]") {
  for (const char* name :
       {"at::native::vectorized_elementwise_kernel<...>", "reduce_kernel<...>", "SoftMaxForward",
        "layer_norm", "triton_poi_fused_add_0", "triton_red_fused_1", "row_sum_kernel", "convert_dtype",
        "triton_poi_fused_convolution_relu_3", "triton_per_fused_native_layer_norm_embedding_0"}) {
    INFO(name);
    CHECK(guess_fusible(name));
  }
}

TEST_CASE("guess_fusible refuses tiled and data-moving names, and names that say nothing",
          "[fusible_guess]") {
  for (const char* name : {"ampere_sgemm_128x64_nn", "cutlass::Kernel_with_reduce", "conv2d_relu",
                           "implicit_convolve_relu", "conv_depthwise2d_forward", "triton_tem_fused_mm_relu_0",
                           "flash_attention_softmax", "radixSort", "ncclAllReduce", "kernel_17", ""}) {
    INFO(name);
    CHECK_FALSE(guess_fusible(name));
  }
}
