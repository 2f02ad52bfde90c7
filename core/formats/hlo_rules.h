// What HLO demands of operands and parameters beyond what a graph does, and what kernels assume of layouts.
// It must not know values: operands are ops.
#pragma once

#include <string_view>
#include <vector>

#include "formats/hlo_module.h"
#include "formats/hlo_values.h"

namespace fuseboard {

class HloRules {
 public:
  HloRules(const HloLexer& lexer, const HloModule& module, HloProblems& problems)
      : lexer_(lexer), module_(module), problems_(problems) {}

  /// Complains about parameters of a computation that have one number, and numbers below the highest that no
  /// parameter has. O(instructions) the first time.
  void check_parameters(uint32_t computation);

  /// Complains where a call passes more or fewer operands than `callee` has parameters.
  void check_call(const HloInstruction& caller, uint32_t callee, size_t operands);

  /// Warns about operands of an elementwise op that have another shape than its result: HLO broadcasts none.
  /// Notes operands of different layouts. `spans` are the operands' places.
  void check_operands(const HloInstruction& instruction, const HloGraph& out, const FusionOp& op,
                      const std::vector<HloSpan>& spans);

  /// Notes resident data that is not row-major.
  void check_inputs(const HloGraph& out);

  /// Complains about a call without to_apply.
  void check_target(const HloInstruction& caller);

 private:
  /// Said once a text.
  void note_layout(HloSpan at, std::string_view name, std::string_view what);

  const HloLexer& lexer_;
  const HloModule& module_;
  HloProblems& problems_;
  std::vector<uint32_t> parameters_;  ///< a computation's, kHloNone where not counted yet
  size_t warned_ = 0;
  bool noted_ = false;
};

}  // namespace fuseboard
