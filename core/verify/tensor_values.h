// The value of every storage while a plan runs: what a kernel or a reference computed, otherwise seeded.
// It must not know kernels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/evaluate.h"
#include "graph/fusion_graph.h"
#include "verify/seeded_values.h"

namespace fuseboard {

class TensorValues {
 public:
  /// O(n + m).
  TensorValues(const FusionGraph& graph, uint64_t seed);

  bool is_held(uint32_t op) const { return held_[op].known; }
  /// The bytes of op's tensor, row-major, instead of what was there.
  void hold(uint32_t op, std::vector<uint8_t> bytes) { held_[op] = {true, std::move(bytes)}; }
  /// Its values are seeded again.
  void release(uint32_t op) { held_[op] = {}; }

  /// The bytes from `offset` on of the op's storage. O(bytes).
  void read(uint32_t op, uint64_t offset, std::span<uint8_t> out) const;
  /// One element of `bytes` bytes, as its bits, little endian. O(1).
  uint64_t bits(uint32_t op, uint64_t index, uint32_t bytes) const;
  /// All of a storage's bytes.
  std::vector<uint8_t> dense(uint32_t op) const;
  /// All of the tensor of an op that may be a view of a storage; only of dtypes that are not foreign.
  Tensor tensor(uint32_t op) const;

 private:
  const FusionGraph& graph_;
  uint64_t seed_;
  std::vector<Tensor> held_;
  std::vector<Calm> calm_;  ///< by op
};

}  // namespace fuseboard
