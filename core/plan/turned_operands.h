// Which transposes a matmul does for nothing: its library reads an operand as it lies, or turned.
// It must not know groups or prices.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/dag.h"
#include "graph/fusion_graph.h"

namespace fuseboard {

/// Swaps the last two dimensions and nothing else (cuBLAS transa and transb, of each matrix of a batch).
bool swaps_last_two(const FusionGraph& graph, uint32_t transpose);

class TurnedOperands {
 public:
  /// Both must outlive it. O(n).
  TurnedOperands(const FusionGraph& graph, const Dag& dag);

  /// Whether `matmul` is one, and alone reads `transpose`, which swaps the last two dimensions. O(rank).
  bool is_turned(uint32_t transpose, uint32_t matmul) const;

 private:
  const FusionGraph& graph_;
  const Dag& dag_;
  std::vector<uint8_t> listed_;  ///< as an output
};

}  // namespace fuseboard
