// A long kernel's group at small sizes, planned as one group, lowered, emitted and verified in full: once
// with sizes as even as they were, once ragged. It must not know the plan that the group is of.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "verify/group_shrinker.h"
#include "verify/verification.h"

namespace fuseboard {

class ShrunkCheck {
 public:
  ShrunkCheck(const FusionGraph& graph, const FusionGroup& group, const EmitOptions& emit_options,
              const VerifyOptions& options);
  ~ShrunkCheck();

  bool advance(uint64_t& steps);  ///< as KernelCheck

  const ShrunkRun& run() const { return run_; }
  /// With the ops' numbers of the whole graph.
  const std::optional<Mismatch>& mismatch() const { return mismatch_; }

 private:
  struct Variant;
  void begin(bool ragged);
  void end();

  const FusionGraph& graph_;
  const FusionGroup& group_;
  EmitOptions emit_options_;
  VerifyOptions options_;
  std::unique_ptr<Variant> variant_;
  uint32_t next_ = 0;
  ShrunkRun run_;
  std::optional<Mismatch> mismatch_;
};

}  // namespace fuseboard
