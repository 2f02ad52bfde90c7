// Holds a Move's kernel: every element that it stores is, bit for bit, the one that the graph's rule names.
// It must not know how the kernel walks, nor how PTX is run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/fusion_graph.h"
#include "ptx/machine.h"
#include "ptx/memory.h"
#include "ptx/module.h"
#include "verify/mismatch.h"
#include "verify/tensor_values.h"

namespace fuseboard {

/// All of it must outlive the check.
struct MoveCheckSetup {
  const FusionGraph& graph;
  uint32_t op = 0;
  const ptx::Function& entry;
  const ptx::Memory& memory;
  uint32_t buffer = 0;  ///< of the result
  const TensorValues& values;
};

/// The element of a Move at `offset`, little endian: from the rule of its row (graph/evaluate.h) and the
/// values of the storages behind its operands; a gather's index as launch/move_shape.h says. O(operands *
/// rank).
uint64_t moved_bits(const FusionGraph& graph, const TensorValues& values, uint32_t op, uint64_t offset);

/// Sees every store to global memory, whatever line it stands on, right after it was made.
class MoveCheck : public ptx::Observer {
 public:
  explicit MoveCheck(const MoveCheckSetup& setup);

  std::span<const uint32_t> lines() const { return lines_; }  ///< to be watched
  void executed(const ptx::WarpView& warp, uint32_t index) override;

  const std::optional<Mismatch>& mismatch() const { return mismatch_; }  ///< the first; then nothing is held
  uint64_t elements_stored() const { return stored_; }                   ///< repeats counted
  uint64_t elements_held() const { return held_; }

 private:
  void hold(uint64_t address, uint32_t bytes, uint32_t line);
  void fail(Mismatch::What what, uint64_t element, uint32_t line, std::string message);

  MoveCheckSetup setup_;
  uint32_t element_bytes_ = 4;
  uint64_t address_ = 0;
  std::vector<uint32_t> lines_;  ///< of the stores
  std::optional<Mismatch> mismatch_;
  uint64_t stored_ = 0, held_ = 0;
};

}  // namespace fuseboard
