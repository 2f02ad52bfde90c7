// The type of an instruction: what its shape says, or where it is left out what its operands and computations
// say. It must not know inlining.
#pragma once

#include <optional>
#include <unordered_map>

#include "formats/hlo_module.h"
#include "formats/hlo_shape.h"

namespace fuseboard {

class HloTypeOf {
 public:
  HloTypeOf(const HloLexer& lexer, const HloModule& module, HloProblems& problems, HloTypes& types)
      : lexer_(lexer), module_(module), problems_(problems), types_(types) {}

  /// The computation that attribute `key` names; kHloNone where it is absent or, after a complaint, unknown.
  uint32_t computation(const HloInstruction& instruction, std::string_view key);

  /// The text that says the instruction's shape: its own, or that of its computation's root. May be empty.
  HloSpan shape(const HloInstruction& instruction);

  /// Whether the opcode yields the type of its first operand.
  static bool yields_operand(std::string_view opcode);

  bool is_tuple(HloSpan shape) const;

  /// The type of an instruction that yields an array; `op` holds its kind, inputs and attributes. Nothing
  /// after a complaint.
  std::optional<HloArray> array(const HloInstruction& instruction, const FusionGraph& graph,
                                const FusionOp& op);

  /// The tree of a tuple type, read once an instruction. Nothing after a complaint.
  std::optional<uint32_t> tree(const HloInstruction& instruction, HloSpan shape);
  uint32_t first_node(uint32_t root) const { return first_node_.at(root); }
  /// Bytes of the arrays from type node `first` to `root`; UINT64_MAX after a complaint.
  uint64_t bytes(uint32_t first, uint32_t root, const HloInstruction& instruction);

  static HloArray array_of(const FusionOp& op);
  static void give(const HloArray& array, FusionOp& op);

 private:
  std::optional<HloArray> dot(const HloInstruction& instruction, const FusionGraph& graph,
                              const FusionOp& op);

  const HloLexer& lexer_;
  const HloModule& module_;
  HloProblems& problems_;
  HloTypes& types_;
  std::unordered_map<const HloInstruction*, std::optional<uint32_t>> trees_;
  std::unordered_map<uint32_t, uint32_t> first_node_;
};

}  // namespace fuseboard
