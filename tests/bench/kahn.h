// The yardstick of the benches: one bare Kahn pass.
// It must not know what is measured by it.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/dag.h"

namespace fuseboard {

/// Successor lists built, then FIFO. O(n + m).
inline std::vector<uint32_t> kahn_pass(const Rows& inputs) {
  const Rows successors = transposed(inputs);
  std::vector<uint32_t> order;
  std::vector<uint32_t> waiting(inputs.size());
  order.reserve(inputs.size());
  for (uint32_t v = 0; v < inputs.size(); ++v) {
    waiting[v] = static_cast<uint32_t>(inputs[v].size());
    if (waiting[v] == 0) order.push_back(v);
  }
  for (size_t head = 0; head < order.size(); ++head) {
    for (const uint32_t w : successors[order[head]]) {
      if (--waiting[w] == 0) order.push_back(w);
    }
  }
  return order;
}

}  // namespace fuseboard
