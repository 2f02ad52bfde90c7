// Instructions of one op: its template bound to registers, operands converted to the arithmetic that the
// template wants. It must not know loops or parameters.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "emit/conversion_code.h"
#include "emit/ptx_writer.h"
#include "emit/target.h"
#include "emit/template_code.h"
#include "graph/evaluate.h"
#include "graph/fusion_graph.h"
#include "launch/kernel.h"
#include "launch/lowering.h"

namespace fuseboard {

/// A value in the making: how it stands by its dtype, what it is where that is known, and a register for each
/// arithmetic in which it was asked for so far.
struct PtxValue {
  Arithmetic arithmetic = Arithmetic::f32;          ///< of its op's dtype
  std::optional<Element> immediate;                 ///< a known value, as that dtype has it
  std::array<std::string, kArithmetics> registers;  ///< by Arithmetic; empty where not made

  std::string& in(Arithmetic wanted) { return registers[static_cast<size_t>(wanted)]; }
  const std::string& in(Arithmetic wanted) const { return registers[static_cast<size_t>(wanted)]; }
  /// The register of its own arithmetic.
  const std::string& own() const { return in(arithmetic); }
};

class OpCode {
 public:
  /// `scalars` holds the registers of the parameters passed by value, by op: of
  /// arithmetic_of(scalar_dtype()).
  OpCode(const FusionGraph& graph, PtxWriter& writer, const Target& target, Math math,
         const std::map<uint32_t, std::string>& scalars)
      : graph_(graph), writer_(writer), target_(target), math_(math), scalars_(scalars) {}

  /// Writes the op's instructions. `index` is iota's index, of 64 bits where wide. The result is a register
  /// of the arithmetic of the op's dtype.
  PtxValue apply(uint32_t op, std::span<PtxValue* const> operands, const std::string& index, bool wide);

  /// A row of the table on two operands of a dtype, outside any op of the graph: a register of its
  /// arithmetic. `known_b`: the second operand's value, where it is known.
  std::string pair(OpKind kind, DType dtype, const std::string& a, const std::string& b,
                   std::optional<double> known_b = {});

  /// The same on one.
  std::string single(OpKind kind, DType dtype, const std::string& a) { return pair(kind, dtype, a, {}); }

  /// The value in an arithmetic: a register, made where it is not there yet, or a literal (never for pred).
  std::string as(PtxValue& value, Arithmetic wanted);

  /// The same, always in a register of its own arithmetic.
  std::string in_register(PtxValue& value) { return register_of(value, value.arithmetic); }

  /// Device functions and tables used so far, in the order in which they must stand before the entry: see
  /// math_function_text().
  const FunctionList& functions() const { return functions_; }

 private:
  TemplateOperand operand_of(PtxValue& value, DType from, const Lowering& lowering);
  std::string register_of(PtxValue& value, Arithmetic wanted);
  TemplateOperand attribute(uint32_t op, Arithmetic arithmetic, std::string_view name) const;
  std::optional<double> known_divisor(const FusionOp& op, std::span<PtxValue* const> operands) const;
  PtxValue cast(const FusionOp& op, PtxValue& operand, DType from, bool keeps_bits);

  const FusionGraph& graph_;
  PtxWriter& writer_;
  const Target& target_;
  Math math_;
  const std::map<uint32_t, std::string>& scalars_;
  FunctionList functions_;
};

}  // namespace fuseboard
