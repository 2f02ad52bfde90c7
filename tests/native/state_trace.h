// All that a launch does, as one number: which lanes execute which line, what each instruction leaves in its
// registers, which addresses are accessed. It must not know kernels.
#pragma once

#include <array>
#include <vector>

#include "ptx/forms.h"
#include "ptx/machine.h"

namespace fuseboard_test {

/// Launches with the same number do the same (but with a chance of 2^-64 for each pair), but for what stands
/// at the line that is left out.
class StateTrace : public fuseboard::ptx::Observer {
 public:
  StateTrace(const fuseboard::ptx::Function& entry, uint32_t left_out) : entry_(entry), left_out_(left_out) {
    for (const fuseboard::ptx::Instruction& each : entry.instructions) lines_.push_back(each.line);
  }

  const std::vector<uint32_t>& lines() const { return lines_; }

  void executed(const fuseboard::ptx::WarpView& warp, uint32_t index) override {
    const fuseboard::ptx::Instruction& own = entry_.instructions[index];
    uint64_t& number = own.line == left_out_ ? left_out_number_ : number_;
    take(number, warp.block() << 32 | warp.warp());
    take(number, uint64_t{own.line} << 32 | warp.active());
    const bool is_access =
        own.opcode == fuseboard::ptx::Opcode::ld || own.opcode == fuseboard::ptx::Opcode::st;
    if (is_access && own.space != fuseboard::ptx::StateSpace::param)
      take_lanes(number, warp, warp.addresses());
    const auto& slots = fuseboard::ptx::forms(own.opcode)[own.form].slots;
    for (size_t i = 0; i < own.operand_count && i < slots.size(); ++i) {
      if (!slots[i].is_destination) continue;
      take_registers(number, warp, entry_.operands[own.first_operand + i]);
    }
  }

  uint64_t number() const { return number_; }
  uint64_t left_out_number() const { return left_out_number_; }  ///< of that line alone

 private:
  static void take(uint64_t& number, uint64_t value) {
    number = (number ^ value) * 0xff51afd7ed558ccdU;
    number ^= number >> 32;
  }

  static void take_lanes(uint64_t& number, const fuseboard::ptx::WarpView& warp,
                         const std::array<uint64_t, fuseboard::ptx::kWarp>& lanes) {
    for (uint32_t lane = 0; lane < fuseboard::ptx::kWarp; ++lane) {
      if ((warp.active() >> lane & 1) != 0) take(number, lanes[lane]);
    }
  }

  void take_registers(uint64_t& number, const fuseboard::ptx::WarpView& warp,
                      const fuseboard::ptx::Operand& operand) const {
    std::array<uint64_t, fuseboard::ptx::kWarp> lanes{};
    if (operand.kind == fuseboard::ptx::OperandKind::reg) {
      warp.lanes(operand.index, lanes);
      take_lanes(number, warp, lanes);
    }
    for (uint32_t i = 0; operand.kind == fuseboard::ptx::OperandKind::vector && i < operand.count; ++i) {
      const fuseboard::ptx::Operand& element = entry_.elements[operand.index + i];
      if (element.kind != fuseboard::ptx::OperandKind::reg) continue;
      warp.lanes(element.index, lanes);
      take_lanes(number, warp, lanes);
    }
  }

  const fuseboard::ptx::Function& entry_;
  uint32_t left_out_;
  std::vector<uint32_t> lines_;
  uint64_t number_ = 1, left_out_number_ = 1;
};

}  // namespace fuseboard_test
