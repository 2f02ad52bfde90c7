// A fused kernel's results against those of its ops run one kernel each, on the same inputs.
// It must not know plans as a whole, nor library calls.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emit/ptx.h"
#include "graph/fusion_graph.h"
#include "graph/storage.h"
#include "launch/kernel.h"
#include "verify/kernel_check.h"
#include "verify/mismatch.h"
#include "verify/tensor_values.h"

namespace fuseboard {

class UnfusedCheck {
 public:
  /// `values` holds the fused kernel's inputs and outputs; whatever is added to it is gone in the end.
  /// `unfused`: the kernel of each op alone. All must outlive the check.
  UnfusedCheck(const FusionGraph& graph, const Storages& storages, const Kernel& fused,
               const std::vector<Kernel>& unfused, const EmitOptions& options, double scalar,
               TensorValues& values);

  bool advance(uint64_t& steps);  ///< as KernelCheck

  const std::optional<Mismatch>& mismatch() const { return mismatch_; }
  const std::string& fault() const { return fault_; }  ///< why an op alone could not be run; "" otherwise
  uint64_t tensors() const { return tensors_; }
  uint64_t left_out() const { return left_out_; }    ///< for f16 or bf16
  uint64_t reordered() const { return reordered_; }  ///< for float sums in another order

 private:
  void find_rounded();
  bool reorders(uint32_t op) const;
  void begin(uint32_t op);
  void end(uint32_t op);
  void compare(uint32_t op, const std::vector<uint8_t>& alone);
  void finish();

  const FusionGraph& graph_;
  const Storages& storages_;
  const Kernel& fused_;
  const std::vector<Kernel>& unfused_;
  EmitOptions options_;
  double scalar_;
  TensorValues& values_;
  std::vector<uint32_t> ops_;  ///< to run, each after those that it reads
  std::vector<bool>
      rounded_;  ///< of each: an f16 or bf16 value of the group is behind it, rounded when unfused
  std::vector<bool> reordered_ops_;  ///< of each: a float fold whose threads add up differently when unfused
  size_t next_ = 0;
  EmittedKernel emitted_;
  std::optional<KernelCheck> check_;
  std::vector<uint32_t> added_;
  std::optional<Mismatch> mismatch_;
  std::string fault_;
  bool has_library_ = false;  ///< an op alone is no kernel of ours: nothing is compared
  uint64_t tensors_ = 0, left_out_ = 0, reordered_ = 0;
};

}  // namespace fuseboard
