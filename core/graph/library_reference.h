// What library calls compute, in plain loops: matmul, reduce, gather.
// It must not know plans or kernels.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "graph/evaluate.h"

namespace fuseboard {

/// NumPy's matmul: sums of f32 and narrower in double, of f64 in long double, integers wrapping. Nothing
/// where the shapes do not fit or the products pass `most_elements` * 64. O(result * depth).
std::optional<Tensor> multiplied(const FusionGraph& graph, uint32_t op,
                                 std::span<const Tensor* const> operands, const EvaluateOptions& options);

/// The fold of the first operand over `axes` by `reducer` (sum prod max min mean any all argmax argmin),
/// begun with the second operand where there is one; of equal elements argmax and argmin take the first, NaN
/// wins. Nothing for other reducers and for several operands. O(operand).
std::optional<Tensor> reduced(const FusionGraph& graph, uint32_t op, std::span<const Tensor* const> operands,
                              const EvaluateOptions& options);

/// NumPy's take along `axis`, negative indices counted from the end. Nothing without the attribute, or where
/// an index is outside.
std::optional<Tensor> gathered(const FusionGraph& graph, uint32_t op,
                               std::span<const Tensor* const> operands);

}  // namespace fuseboard
