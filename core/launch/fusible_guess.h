// Whether a kernel can likely join others, told by what its function is called.
// It must not know graphs nor formats: a guess is only as good as the name.
#pragma once

#include <string_view>

namespace fuseboard {

/// True where the readable name has a word of row-wise or elementwise work ("softmax", "elementwise") and
/// none of work that is tiled or moves data across rows ("gemm", "sort"); or where Inductor called it a
/// pointwise or reduction kernel ("triton_red_"), whatever it fused. Case is ignored. O(bytes).
bool guess_fusible(std::string_view function_name);

}  // namespace fuseboard
