// Which lane accesses which address, at which line, in which order: as one number.
// It must not know kernels.
#pragma once

#include <vector>

#include "ptx/machine.h"

namespace fuseboard_test {

/// Two launches with the same number access the same places by the same lanes at the same lines (but with a
/// chance of 2^-64 for each pair).
class AccessTrace : public fuseboard::ptx::Observer {
 public:
  explicit AccessTrace(const fuseboard::ptx::Function& entry) : entry_(entry) {
    for (const fuseboard::ptx::Instruction& each : entry.instructions) {
      const bool is_access =
          each.opcode == fuseboard::ptx::Opcode::ld || each.opcode == fuseboard::ptx::Opcode::st;
      if (is_access && each.space != fuseboard::ptx::StateSpace::param) lines_.push_back(each.line);
    }
  }

  const std::vector<uint32_t>& lines() const { return lines_; }

  void executed(const fuseboard::ptx::WarpView& warp, uint32_t index) override {
    take(warp.block() << 32 | warp.warp());
    take(uint64_t{entry_.instructions[index].line} << 32 | warp.active());
    for (uint32_t lane = 0; lane < fuseboard::ptx::kWarp; ++lane) {
      if ((warp.active() >> lane & 1) != 0) take(warp.addresses()[lane]);
    }
  }

  uint64_t number() const { return number_; }

 private:
  void take(uint64_t value) {
    number_ = (number_ ^ value) * 0xff51afd7ed558ccdU;
    number_ ^= number_ >> 32;
  }

  const fuseboard::ptx::Function& entry_;
  std::vector<uint32_t> lines_;
  uint64_t number_ = 1;
};

}  // namespace fuseboard_test
