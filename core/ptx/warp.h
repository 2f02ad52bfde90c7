// 32 lanes that run together where they can: groups of lanes with a place in the program each, frames of
// calls, registers, local memory. It must not know barriers' completion, nor other warps.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ptx/execution.h"
#include "ptx/program.h"

namespace fuseboard::ptx {

/// One call of a function by some lanes.
struct Frame {
  const Program* program = nullptr;
  const MicroOp* call = nullptr;  ///< null for the entry
  uint32_t parent = 0;
  uint32_t return_pc = 0;
  uint32_t depth = 0;
  uint32_t lanes = 0;  ///< that are still in it
  uint32_t first_line = 0;
  uint32_t local_base = 0;
};

enum class Wait : uint8_t {
  none,
  warp,           ///< for the other lanes of `mask` at this instruction
  warp_anywhere,  ///< for the other lanes of `mask` at any bar.warp.sync
  block,          ///< for the other warps at the barrier `barrier`
};

/// Lanes of one frame at one micro-op.
struct Group {
  uint32_t lanes = 0;
  uint32_t frame = 0;
  uint32_t pc = 0;
  uint32_t mask = 0;
  uint32_t result = 0;  ///< of bar.red: of the whole block; of bar.warp.sync: the step at which all had come
  uint8_t barrier = 0;
  Wait wait = Wait::none;
  bool released = false;  ///< what it waited for has come: the instruction goes through
  bool yielded = false;   ///< it has spun: the others first
};

/// A cp.async that was issued and not yet waited for.
struct PendingCopy {
  uint32_t lane = 0;
  uint32_t group = 0;  ///< commits of its lane before it
  uint32_t address = 0;
  uint32_t bytes = 0;
  std::array<uint8_t, 16> data{};
  const MicroOp* op = nullptr;
};

struct Warp {
  uint32_t index = 0;
  uint32_t live = 0;       ///< lanes that have not ended
  uint32_t stored = 0;     ///< lanes that have written memory since their last barrier
  uint32_t owed = 0;       ///< lanes that ended after they had: a barrier of all still misses them
  uint32_t step = 0;       ///< micro-ops that it ran in this block
  uint32_t turn_used = 0;  ///< micro-ops since another group of it had a turn
  std::vector<Frame> frames;
  std::vector<Group> groups;
  uint32_t current = 0;  ///< the group that runs
  std::vector<Line64> registers;
  std::vector<uint8_t> local, local_written;  ///< lane by lane, `local_bytes` each
  uint32_t local_bytes = 0;
  std::vector<PendingCopy> copies;
  std::array<uint32_t, kLanes> commits{};  ///< cp.async groups that each lane has committed
  std::array<std::array<uint32_t, kLanes>, 3> thread{};

  Group& group() { return groups[current]; }
  const Frame& frame() const { return frames[groups[current].frame]; }
  bool ended() const { return live == 0; }

  /// Ready to run the entry, all registers zero.
  void begin(const Program& entry);
  /// A frame for lanes of the current group; false where calls nest too deep.
  bool call(const Program& callee, const MicroOp& op, uint32_t lanes, uint32_t return_pc);
  /// Lanes leave the current frame; they go on in its parent.
  void leave(uint32_t lanes);
  /// Lanes end.
  void end(uint32_t lanes);
  /// Takes lanes out of the current group into a group of their own, at `pc`.
  void part(uint32_t lanes, uint32_t pc);

  /// Joins groups that stand at the same place, frees frames, lets those go on whose wait is over, and
  /// chooses the group that runs next: the deepest frame first, then the least place. False where none can
  /// run.
  bool choose();
  /// The first place at which the chosen group may meet another of its frame.
  uint32_t meeting_place() const;

 private:
  void grow_local(uint32_t bytes);
};

}  // namespace fuseboard::ptx
