// What a group that reduces is known as: softmax, layer norm and their kin, by structure.
// It must not know names of ops, nor kernels.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "analysis/dag.h"
#include "graph/fusion_graph.h"

namespace fuseboard {

enum class GroupPattern : uint8_t {
  none,           ///< it does not reduce
  generic,        ///< it reduces, and is none of those below
  softmax,        ///< exp(x [- max]) over its own sum
  log_softmax,    ///< x - max - log(sum(exp(x - max)))
  log_sum_exp,    ///< the logarithm of that sum by row
  cross_entropy,  ///< a fold of what a log-softmax made
  layer_norm,     ///< centred by a mean, over the root of the mean square; or both from sums of x and x * x
  rms_norm,       ///< over the root of the mean square, not centred
  group_norm,     ///< a layer norm in a shape that the values are only seen in
  batch_norm_statistics,  ///< mean and mean square over all but channels
  l2_norm,                ///< over the root of the sum of squares
};

/// "LayerNorm", "Softmax", "Generic"; "" for none.
std::string_view group_pattern_text(GroupPattern pattern);

/// Of the members (ascending) of one group. Looks at most some 64 ops around each reduction. O(members).
GroupPattern group_pattern(const FusionGraph& graph, const Dag& dag, std::span<const uint32_t> members);

}  // namespace fuseboard
