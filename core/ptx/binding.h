// One instruction being made ready: its operands as slots, with micro-ops before and behind it where an
// operand is a special register, negated, or of another width. It must not know what an instruction does.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "ptx/execution.h"
#include "ptx/program.h"

namespace fuseboard::ptx {

/// Bytes of a function's registers. A frame past it grows no further, and is refused before it runs.
constexpr uint32_t kMostFrame = 1U << 26;

/// Bytes of a lane of a value of this type: 4, 8 or 16.
uint32_t lane_bytes(Type type);

/// Gives the registers and constants of one function their places.
class FrameLayout {
 public:
  FrameLayout(const Module& module, const Function& function, Program& program);

  Slot register_slot(uint32_t index);
  Slot temporary(uint32_t bytes);  ///< 32 lanes
  Slot temporary_predicate();
  Slot constant(uint64_t bits, uint32_t bytes);  ///< 32 lanes of it
  Slot all_true() const { return kInConstants; }
  Slot sink() const { return 0; }     ///< 512 bytes that nobody reads
  Slot carry() const { return 512; }  ///< the condition code, a predicate
  void finish();

  const Module& module;
  const Function& function;
  Program& program;

 private:
  Slot grow(uint32_t bytes, uint32_t align);
  uint32_t size_ = 576;
  std::map<std::pair<uint64_t, uint32_t>, Slot> constants_;
};

class Binding {
 public:
  Binding(FrameLayout& frame, const Instruction& the_instruction, MicroOp& the_op)
      : i(the_instruction), op(the_op), frame_(frame) {}

  const Instruction& i;
  MicroOp& op;
  std::vector<MicroOp> before, behind;

  bool has(Modifier modifier) const { return i.modifiers.has(modifier); }
  uint32_t count() const { return i.operand_count; }
  const Operand& operand(uint32_t n) const { return frame_.function.operands[i.first_operand + n]; }
  const Operand& element(const Operand& vector, uint32_t n) const {
    return frame_.function.elements[vector.index + n];
  }
  Type register_type(const Operand& one) const { return frame_.function.registers[one.index].type; }

  /// A value of `type`; its lanes are lane_bytes(type) wide.
  Slot source(const Operand& one, Type type);
  Slot source(uint32_t n, Type type) { return source(operand(n), type); }
  /// A predicate, negated where the operand says so.
  Slot predicate(const Operand& one);
  Slot predicate(uint32_t n) { return predicate(operand(n)); }
  /// Where a value of `type` goes; a wider register gets it extended.
  Slot destination(const Operand& one, Type type);
  Slot destination(uint32_t n, Type type) { return destination(operand(n), type); }
  Slot predicate_destination(const Operand& one);
  Slot predicate_destination(uint32_t n) { return predicate_destination(operand(n)); }
  /// op.s[n], op.immediate and op.address_64 of [register + bits] and its like. `space` may be changed to the
  /// one in which the variable lies.
  void address(const Operand& one, uint32_t source_index, StateSpace& space);
  /// Appends to the function's lists; its index.
  uint32_t list(const std::vector<ListSlot>& slots);

  /// d = a and so on of the same type: op.d of operand 0, op.s of the others.
  void same(Type type);

  /// False where an operand does not fit: the instruction is then unsupported.
  bool fits() const { return fits_; }
  void refuse() { fits_ = false; }
  FrameLayout& frame() { return frame_; }

 private:
  MicroOp helper(Handler run, Slot d, Slot s) const;
  FrameLayout& frame_;
  bool fits_ = true;
};

/// The addresses that generic pointers have in spaces other than global and const.
constexpr uint64_t kSharedWindow = uint64_t{1} << 32;
constexpr uint64_t kLocalWindow = uint64_t{2} << 32;
constexpr uint64_t kParamWindow = uint64_t{3} << 32;
constexpr uint64_t kFunctionWindow = uint64_t{4} << 32;
constexpr uint64_t kWindow = uint64_t{1} << 32;  ///< bytes of each
/// Addresses in param space from here on are .param variables of the frame; below, the entry's parameters.
constexpr uint64_t kFrameParameters = uint64_t{1} << 31;

// Families of instructions; each gives op.run and its slots, or leaves op.run null where it knows no such
// form.
void bind_integer(Binding& b);
void bind_bits(Binding& b);
void bind_carry(Binding& b);
void bind_float32(Binding& b);
void bind_float64(Binding& b);
void bind_half(Binding& b);
void bind_special(Binding& b);
void bind_compare(Binding& b);
void bind_move(Binding& b);
void bind_convert(Binding& b);
void bind_memory(Binding& b);
void bind_atomic(Binding& b);
void bind_async_copy(Binding& b);
void bind_matrix(Binding& b);
void bind_warp(Binding& b);
void bind_control(Binding& b);
void bind_call(Binding& b);
void bind_barrier(Binding& b);

/// Lanes return from the current frame: the values that it returns go to the caller.
void hand_back(Execution& x, uint32_t lanes);

/// The handler that faults: an instruction that is not run here.
Flow run_unsupported(Execution& x, const MicroOp& op);
/// The end of a function's text: a ret.
Flow run_end(Execution& x, const MicroOp& op);
/// Does nothing: hints, policies, prefetches.
Flow run_nothing(Execution& x, const MicroOp& op);
/// Reads the special register op.target into op.d.
Flow run_special_register(Execution& x, const MicroOp& op);
/// op.d = the address of variable op.target in its space, + op.immediate, as op.size bytes.
Flow run_variable_address(Execution& x, const MicroOp& op);

}  // namespace fuseboard::ptx
