// Gives a module's shared variables their offsets, and entries their sizes.
// It must not know how the module was read.
#include <algorithm>

#include "base/in_quotes.h"
#include "ptx/reading.h"

namespace fuseboard::ptx {
namespace {

/// Shared variables that stand outside entries: of the module, and of device functions.
uint64_t place_common(Module& module) {
  uint64_t end = 0;
  for (Variable& each : module.variables) {
    if (each.space != StateSpace::shared || each.bytes == 0) continue;
    if (each.function != kNone && module.functions[each.function].is_entry) continue;
    each.offset = aligned(end, each.align);
    end = each.offset + each.bytes;
  }
  return end;
}

/// How much of the common part a function needs: up to the last variable that it names, or all where it names
/// functions, which may name any.
uint64_t common_needed(const Module& module, const Function& function, uint64_t common) {
  uint64_t end = 0;
  for (const std::vector<Operand>* list : {&function.operands, &function.elements}) {
    for (const Operand& each : *list) {
      if (each.kind == OperandKind::function) return common;
      const bool is_variable =
          each.kind == OperandKind::variable || (each.kind == OperandKind::address && each.is_variable);
      if (!is_variable) continue;
      const Variable& variable = module.variables[each.index];
      if (variable.space == StateSpace::shared && variable.function == kNone)
        end = std::max(end, variable.offset + variable.bytes);
      const bool names_functions =
          std::any_of(variable.pointers.begin(), variable.pointers.end(),
                      [](const Variable::Pointer& pointer) { return pointer.is_function; });
      if (names_functions) return common;
    }
  }
  return end;
}

}  // namespace

void lay_out(Reading& reading) {
  Module& module = reading.module;
  const uint64_t common = place_common(module);
  for (Function& function : module.functions)
    if (function.is_entry) function.shared_bytes = common_needed(module, function, common);
  uint64_t extern_align = 16;
  for (Variable& each : module.variables) {
    if (each.space != StateSpace::shared) continue;
    if (each.bytes == 0) {
      extern_align = std::max<uint64_t>(extern_align, each.align);
      continue;
    }
    if (each.function == kNone || !module.functions[each.function].is_entry) continue;
    uint64_t& end = module.functions[each.function].shared_bytes;
    each.offset = aligned(end, each.align);
    end = each.offset + each.bytes;
  }
  for (Function& function : module.functions) {
    if (function.shared_bytes > kMostSharedBytes) {
      reading.problems.add(Code::ptx_limit, {0, 0},
                           in_quotes(function.name) + " has " + std::to_string(function.shared_bytes) +
                               " bytes of shared memory, and a block has at most " +
                               std::to_string(kMostSharedBytes));
    }
    function.dynamic_shared_offset = aligned(function.shared_bytes, extern_align);
  }
}

}  // namespace fuseboard::ptx
