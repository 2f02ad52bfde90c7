// What a planner answers: groups, what each reads and writes, and the price in bytes (spec 1).
// It must not know how it was planned, nor what a kernel is.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plan/decision.h"

namespace fuseboard {

/// Ops that run as one kernel. All lists hold op ids, ascending; they stand in FusionPlan::pool (four small
/// vectors for each of a million groups cost more than the planning).
struct FusionGroup {
  std::span<const uint32_t> members;
  std::span<const uint32_t> external_inputs;   ///< distinct producers outside the group
  std::span<const uint32_t> external_outputs;  ///< members consumed outside, terminal, or listed as outputs
  std::span<const uint32_t> internal_intermediates;  ///< the other members: they live in registers
  uint64_t bytes_read = 0;     ///< distinct bytes of the storages behind what is read from outside
  uint64_t bytes_written = 0;  ///< bytes of the distinct storages behind external_outputs
};

/// A partition of the ops, groups by their smallest member.
struct FusionPlan {
  FusionPlan() = default;
  FusionPlan(FusionPlan&&) = default;
  FusionPlan& operator=(FusionPlan&&) = default;
  FusionPlan(const FusionPlan&) = delete;  // groups point into the pool
  FusionPlan& operator=(const FusionPlan&) = delete;

  std::vector<FusionGroup> groups;
  std::vector<uint32_t> pool;
  std::vector<uint32_t> group_of;  ///< the group of each op
  uint64_t bytes_unfused = 0;
  uint64_t bytes_fused = 0;
  uint64_t bytes_saved = 0;
  double speedup_estimate =
      1.0;  ///< bytes_unfused / bytes_fused, a bandwidth-bound proxy; 1 where nothing moves
  DecisionList decisions;
};

}  // namespace fuseboard
