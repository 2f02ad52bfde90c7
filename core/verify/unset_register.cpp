// Destinations first, by the slots of each instruction's form; then whatever else names a register.
// It must not know who wrote the text.
#include "verify/unset_register.h"

#include <vector>

#include "ptx/forms.h"

namespace fuseboard {
namespace {

/// Calls `see` with each register of an operand.
template <class See>
void for_registers(const ptx::Function& function, const ptx::Operand& operand, See see) {
  switch (operand.kind) {
    case ptx::OperandKind::reg:
      see(operand.index);
      return;
    case ptx::OperandKind::address:
      if (!operand.is_variable && operand.index != ptx::kNone) see(operand.index);
      return;
    case ptx::OperandKind::vector:
      for (uint32_t i = 0; i < operand.count; ++i) {
        const ptx::Operand& element = function.elements[operand.index + i];
        if (element.kind == ptx::OperandKind::reg) see(element.index);
      }
      return;
    case ptx::OperandKind::special:
    case ptx::OperandKind::immediate:
    case ptx::OperandKind::label:
    case ptx::OperandKind::variable:
    case ptx::OperandKind::function:
    case ptx::OperandKind::sink:
      return;
  }
}

/// A call's first operand lists its returns.
bool is_destination(const ptx::Instruction& instruction, size_t operand) {
  const std::vector<ptx::OperandSlot>& slots = ptx::forms(instruction.opcode)[instruction.form].slots;
  const bool is_call = !slots.empty() && slots[0].kind == ptx::SlotKind::call;
  return is_call ? operand == 0 : operand < slots.size() && slots[operand].is_destination;
}

}  // namespace

std::optional<UnsetRegister> unset_register(const ptx::Function& function) {
  std::vector<bool> is_set(function.registers.size(), false);
  for (const ptx::Instruction& each : function.instructions) {
    for (size_t i = 0; i < each.operand_count; ++i) {
      if (!is_destination(each, i)) continue;
      for_registers(function, function.operands[each.first_operand + i],
                    [&](uint32_t reg) { is_set[reg] = true; });
    }
  }
  for (const ptx::Instruction& each : function.instructions) {
    uint32_t unset = each.guard != ptx::kNone && !is_set[each.guard] ? each.guard : ptx::kNone;
    for (size_t i = 0; i < each.operand_count; ++i) {
      if (is_destination(each, i)) continue;
      for_registers(function, function.operands[each.first_operand + i], [&](uint32_t reg) {
        if (!is_set[reg] && unset == ptx::kNone) unset = reg;
      });
    }
    if (unset != ptx::kNone) return UnsetRegister{function.registers[unset].name, each.line};
  }
  return std::nullopt;
}

}  // namespace fuseboard
