// The order in which a computation's instructions are visited: the text's, but operands first.
// It must not know opcodes.
#pragma once

#include <unordered_map>
#include <vector>

#include "formats/hlo_module.h"

namespace fuseboard {

class HloOrder {
 public:
  HloOrder(const HloLexer& lexer, const HloModule& module, HloProblems& problems)
      : lexer_(lexer), module_(module), problems_(problems) {}

  /// The instruction to visit as number `position`. Complains about instructions that read each other.
  uint32_t at(uint32_t computation, uint32_t position);

 private:
  struct Visit {
    uint32_t instruction, operand;
  };
  std::vector<uint32_t> sort(const HloComputation& computation);
  void complain(const HloComputation& computation, const std::vector<Visit>& open, uint32_t closing,
                const HloOperand& operand);

  const HloLexer& lexer_;
  const HloModule& module_;
  HloProblems& problems_;
  std::unordered_map<uint32_t, std::vector<uint32_t>> sorted_;  ///< of computations with forward references
};

}  // namespace fuseboard
