// Runs one kernel over buffers of its own, whole or some of its blocks, and holds what it does.
// It must not know plans, nor which kernels run before or after.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "emit/ptx.h"
#include "graph/fusion_graph.h"
#include "launch/kernel.h"
#include "ptx/counters.h"
#include "ptx/fault.h"
#include "verify/mismatch.h"
#include "verify/tensor_values.h"

namespace fuseboard {

/// Graph, kernel and values must outlive the check.
struct KernelCheckSetup {
  const FusionGraph& graph;
  const Kernel& kernel;          ///< one with PTX
  const EmittedKernel& emitted;  ///< of that kernel; must outlive the check
  const TensorValues& values;
  bool fast = false;
  bool holds = true;  ///< false: it only runs
  double scalar = 1;
  /// Linear numbers of the blocks to run, each from its start for at most most_steps_per_block; empty: all of
  /// them to their ends, where a block that takes longer is at fault.
  std::vector<uint64_t> blocks = {};
  uint64_t most_steps_per_block = uint64_t{1} << 26;  ///< warp instructions
};

class KernelCheck {
 public:
  explicit KernelCheck(const KernelCheckSetup& setup);
  KernelCheck(KernelCheck&&) noexcept;
  KernelCheck& operator=(KernelCheck&&) noexcept;
  ~KernelCheck();

  /// Goes on for about `steps` warp instructions, which it counts down; true when finished.
  bool advance(uint64_t& steps);

  /// The first of them ends the run.
  const std::optional<Mismatch>& mismatch() const;
  const std::optional<ptx::Fault>& fault() const;
  std::optional<WorstError> worst() const;
  uint64_t values_held() const;
  uint64_t elements_held() const;
  uint64_t elements_stored() const;
  uint64_t blocks_run() const;
  uint64_t blocks_cut() const;  ///< that were left before their ends
  const ptx::Counters& counters() const;
  uint64_t bytes_read() const;  ///< distinct, over all buffers
  uint64_t bytes_written() const;
  /// What the buffer of a parameter holds.
  std::vector<uint8_t> bytes_of(size_t parameter) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fuseboard
