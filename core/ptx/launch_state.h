// One launch while it runs: what handlers need of it beyond their block.
// It must not know how instructions work.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ptx/block.h"
#include "ptx/machine.h"

namespace fuseboard::ptx {

struct LaunchState {
  const Module* module = nullptr;
  Memory* memory = nullptr;
  Launch launch;
  const Function* entry = nullptr;
  std::vector<std::unique_ptr<Program>> programs;  ///< one a function; null for declarations
  std::vector<uint64_t> variable_address;          ///< of global and constant variables
  Block block;
  uint64_t steps = 0;
  uint64_t blocks_finished = 0;
  Counters counters;  ///< what is not summed from micro-ops
  std::optional<Fault> fault;
  Observer* observer = nullptr;
  Execution execution;
  // Where the launch stands.
  std::array<uint64_t, 3> grid{};
  uint64_t next_block = 0;  ///< in launch.blocks, or linear
  bool in_block = false;
  uint32_t next_warp = 0;
  uint64_t turn_used = 0;  ///< micro-ops of that warp in its turn
  bool pass_ran = false;   ///< a warp ran in this pass over the block's warps

  /// "thread (1, 0, 0)".
  std::string thread_text(uint32_t warp, uint32_t lane) const;
};

/// How a slice of a warp's run ended.
enum class WarpStop : uint8_t { waits, ended, spent, fault };

/// Runs a warp for at most `most_steps` micro-ops.
WarpStop run_warp(LaunchState& state, Warp& warp, uint64_t most_steps);

/// The fault of a block of which no warp can go on.
Fault deadlock(const LaunchState& state);

/// Gives the functions of a module their programs; those that run only. Adds nothing to the memory.
void decode_all(LaunchState& state);

}  // namespace fuseboard::ptx
