// What a handler sees while it runs: the frame's lanes, who is active, and the world behind them.
// It must not know any instruction.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>

#include "ptx/fault.h"
#include "ptx/program.h"

namespace fuseboard::ptx {

struct Warp;
struct Block;
struct LaunchState;

constexpr uint32_t kLanes = 32;
constexpr uint32_t kAllLanes = 0xffffffff;

struct Execution {
  std::array<uint8_t*, 2> bases{};  ///< the frame, the constants
  uint32_t active = 0;              ///< lanes that run this micro-op
  uint32_t next = 0;                ///< for Flow::jump
  Warp* warp = nullptr;
  Block* block = nullptr;
  LaunchState* launch = nullptr;
  const Program* program = nullptr;
  std::array<uint64_t, kLanes> addresses{};

  uint8_t* at(Slot slot) { return bases[slot >> 31] + (slot & ~kInConstants); }
  uint32_t predicate(Slot slot) {
    uint32_t bits;
    std::memcpy(&bits, at(slot), sizeof bits);
    return bits;
  }
  void set_predicate(Slot slot, uint32_t bits) {
    uint8_t* const to = at(slot);
    uint32_t old;
    std::memcpy(&old, to, sizeof old);
    old = (old & ~active) | (bits & active);
    std::memcpy(to, &old, sizeof old);
  }

  /// Sets the launch's fault: of this lane, at this instruction.
  Flow fault(const MicroOp& op, FaultKind kind, uint32_t lane, std::string message);
  Flow fault(const MicroOp& op, FaultKind kind, uint32_t lane, std::string message, uint64_t address);
};

inline uint32_t first_lane(uint32_t lanes) { return static_cast<uint32_t>(__builtin_ctz(lanes)); }

}  // namespace fuseboard::ptx
