// A block while it runs: its warps, shared memory and barriers.
// It must not know the launch, nor what instructions do.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ptx/shared_memory.h"
#include "ptx/warp.h"

namespace fuseboard::ptx {

/// One of the sixteen barriers of a block (PTX ISA, bar and barrier). Warps arrive: a warp has when all of
/// its lanes that have not ended wait there. Without a count all warps are expected whose lanes have not all
/// ended; a lane that ended after it had written memory since its last barrier is missed all the same: it
/// went past the barrier, where one that wrote nothing left early, which hardware allows.
struct BlockBarrier {
  bool open = false;              ///< somebody has come
  uint32_t expected = 0;          ///< threads; 0: all
  uint32_t passed = 0;            ///< threads of warps that only arrived (bar.arrive)
  std::vector<uint32_t> waiting;  ///< lanes of each warp
  std::vector<uint32_t> arrived;  ///< lanes of each warp that only arrived, for the order of accesses
  uint32_t count = 0;             ///< of bar.red: predicates that hold
  uint32_t votes = 0;             ///< and all of them
};

struct Block {
  uint64_t linear = 0;
  std::array<uint32_t, 3> index{};
  uint32_t threads = 0;
  std::vector<Warp> warps;
  SharedMemory shared;
  std::array<BlockBarrier, 16> barriers;
  uint64_t barriers_completed = 0;

  void begin(uint64_t linear_index, std::array<uint32_t, 3> at, std::array<uint32_t, 3> size,
             const Program& entry);
  bool ended() const;
  /// Completes every barrier to which all have come; whether there was one.
  bool complete_barriers();
};

}  // namespace fuseboard::ptx
