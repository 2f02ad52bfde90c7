// A function made ready to run: one micro-op an instruction, its operands as places in a frame.
// It must not know warps' scheduling, nor what a handler does.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ptx/module.h"

namespace fuseboard::ptx {

struct Execution;
struct MicroOp;

/// What the warp does after a handler: goes on behind it; goes on at Execution::next; looks again at its
/// groups, which the handler changed; stops, because of a fault.
enum class Flow : uint8_t { next, jump, regroup, fault };
using Handler = Flow (*)(Execution&, const MicroOp&);
/// What atom writes, of what it found, its operand, and cas' second one.
using AtomicOperation = uint64_t (*)(uint64_t old, uint64_t value, uint64_t other);

/// Where 32 lanes of a value lie, in bytes: of 4 for up to 32 bits (zero-extended), of 8, or of 16; a
/// predicate is one word with a bit a lane. With kInConstants in the function's constants, else in the frame.
using Slot = uint32_t;
constexpr Slot kInConstants = 0x80000000;

struct MicroOp {
  Handler run = nullptr;
  Handler watched = nullptr;  ///< what `run` was before an observer came between
  Slot guard = 0;
  uint32_t guard_flip = 0;
  Slot d = 0, d2 = 0;
  std::array<Slot, 4> s{};
  uint32_t list = 0;         ///< first of Program::lists: the slots of a vector
  uint32_t target = 0;       ///< a micro-op, a function, a barrier's form
  uint32_t instruction = 0;  ///< of the function
  uint8_t list_count = 0;
  uint8_t size = 0;     ///< bytes of one element in memory
  uint8_t mode = 0;     ///< what the family of the handler wants
  bool counted = true;  ///< false: one that only prepares or finishes an instruction
  bool volatile_ = false;
  bool address_64 = false;  ///< the lanes of the address are 8 bytes
  InstructionClass counted_as{};
  int64_t immediate = 0;
  AtomicOperation operation = nullptr;
  const Instruction* source = nullptr;
  // Counted as it runs; Counters are summed from it.
  mutable uint64_t issued = 0;    ///< by warps
  mutable uint64_t executed = 0;  ///< by lanes
};

struct alignas(64) Line64 {
  std::array<uint8_t, 64> bytes{};
};

struct ListSlot {
  Slot slot = 0;
  uint8_t bytes = 4;  ///< of a lane: 4, 8 or 16
};

struct Program {
  const Function* function = nullptr;
  uint32_t index = 0;  ///< of the function in its module
  std::vector<MicroOp> ops;
  std::vector<ListSlot> lists;
  std::vector<Line64> constants;
  std::vector<Slot> registers;  ///< of each register; kNone where no instruction names it
  uint32_t frame_lines = 0;     ///< of 64 bytes
  uint32_t local_bytes = 0;     ///< of a lane: parameters, returns, then the function's own
  uint32_t parameter_base = 0;  ///< where formals lie in it
  uint32_t frame_base = 0;      ///< where the function's own lie in it
  std::vector<uint32_t> brx_targets;
  std::vector<uint32_t> offsets;  ///< of second addresses, low and high word
};

}  // namespace fuseboard::ptx
