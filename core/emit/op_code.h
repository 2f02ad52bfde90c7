// Instructions of one op: its template bound to registers, operands converted to the class the template
// wants. It must not know loops or parameters.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emit/ptx_template.h"
#include "emit/ptx_writer.h"
#include "emit/target.h"
#include "graph/fusion_graph.h"
#include "launch/kernel.h"

namespace fuseboard {

/// A value in the making: a register of its dtype's class, the same converted to the other class once asked
/// for, or an immediate.
struct PtxValue {
  bool is_immediate = false;
  double number = 0;
  std::string f32;   ///< register; empty where not made
  std::string pred;  ///< register; empty where not made
};

/// "0f3F800000".
std::string f32_literal(double value);

class OpCode {
 public:
  /// `scalars` holds the registers of the parameters passed by value, by op.
  OpCode(const FusionGraph& graph, PtxWriter& writer, const Target& target, Math math,
         const std::map<uint32_t, std::string>& scalars)
      : graph_(graph), writer_(writer), target_(target), math_(math), scalars_(scalars) {}

  /// Writes the op's instructions. `index` is iota's index, of 64 bits where wide.
  PtxValue apply(uint32_t op, std::span<PtxValue* const> operands, const std::string& index, bool wide);

  std::string as_f32(PtxValue& value);   ///< a register, or a literal of an immediate
  std::string as_pred(PtxValue& value);  ///< a register

 private:
  struct Binding;
  std::string bound(Binding& binding, const Token& token, std::string_view type);
  std::string temporary(Binding& binding, RegisterClass register_class, uint32_t index);
  void write(Binding& binding, const Statement& statement);
  void write_nan_propagating(std::string_view opcode, const std::vector<std::string>& operands);

  const FusionGraph& graph_;
  PtxWriter& writer_;
  const Target& target_;
  Math math_;
  const std::map<uint32_t, std::string>& scalars_;
};

}  // namespace fuseboard
