// What a launch did, counted: instructions by class, global memory traffic, conflicts, divergence, barriers.
// It must not know how a kernel runs.
#pragma once

#include <array>
#include <cstdint>

#include "ptx/instruction.h"

namespace fuseboard::ptx {

struct Counters {
  uint64_t threads = 0;                                  ///< that ran
  uint64_t warp_instructions = 0;                        ///< one for each instruction that a warp issued
  uint64_t thread_instructions = 0;                      ///< one for each lane whose guard held
  std::array<uint64_t, kInstructionClasses> by_class{};  ///< of thread_instructions

  uint64_t global_load_requests = 0;  ///< warp instructions
  uint64_t global_load_sectors = 0;   ///< distinct 32-byte sectors of each request, summed
  uint64_t global_load_bytes = 0;     ///< requested by the lanes: with repeats
  uint64_t global_store_requests = 0;
  uint64_t global_store_sectors = 0;
  uint64_t global_store_bytes = 0;
  uint64_t vector_accesses = 0;  ///< thread instructions on global memory of 16 bytes

  uint64_t shared_requests = 0;
  uint64_t shared_bank_conflicts = 0;  ///< passes beyond the first that 32 banks of 4 bytes need
  uint64_t branches = 0;               ///< conditional ones that a warp executed
  uint64_t divergent_branches = 0;     ///< of which lanes went both ways
  uint64_t barriers = 0;               ///< completed, over all blocks
};

}  // namespace fuseboard::ptx
