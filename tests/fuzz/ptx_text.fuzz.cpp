// Feeds any bytes to the PTX reader: a module exactly when there is no error, every place inside the text,
// and every index of the module to something that is there. It must not know what a right answer is.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "ptx/forms.h"
#include "ptx/read.h"

namespace {

using namespace fuseboard;
using namespace fuseboard::ptx;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

void check_operand(const Module& module, const Function& function, const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::reg:
      require(operand.index < function.registers.size(), "a register is there");
      break;
    case OperandKind::special:
      require(operand.index < 256, "a special register is there");
      break;
    case OperandKind::address:
      if (operand.is_variable)
        require(operand.index < module.variables.size(), "an address's variable is there");
      else
        require(operand.index == kNone || operand.index < function.registers.size(),
                "an address's register is there");
      break;
    case OperandKind::vector:
      require(size_t{operand.index} + operand.count <= function.elements.size(),
              "a vector's elements are there");
      break;
    case OperandKind::label:
      require(operand.index <= function.instructions.size(), "a label's place is there");
      break;
    case OperandKind::variable:
      require(operand.index < module.variables.size(), "a variable is there");
      break;
    case OperandKind::function:
      require(operand.index < module.functions.size(), "a function is there");
      break;
    case OperandKind::immediate:
    case OperandKind::sink:
      break;
  }
}

void check_function(const Module& module, const Function& function) {
  for (const Operand& each : function.operands) check_operand(module, function, each);
  for (const Operand& each : function.elements) check_operand(module, function, each);
  for (const Instruction& each : function.instructions) {
    require(size_t{each.first_operand} + each.operand_count <= function.operands.size(),
            "operands are there");
    const auto all = forms(each.opcode);
    require(each.form < all.size(), "the form is one of its row");
    require(each.opcode == Opcode::call || each.operand_count <= all[each.form].slots.size(),
            "operands have slots");
    require(each.guard == kNone || function.registers.at(each.guard).type == Type::pred,
            "a guard is a predicate");
  }
  for (const std::vector<uint32_t>& list : {function.parameters, function.returns})
    for (const uint32_t each : list) {
      const Variable& variable = module.variables.at(each);
      require(variable.offset + variable.bytes <= function.parameter_bytes, "parameters lie in their bytes");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<Module> read = read_module(text);
  require(read.value.has_value() != has_errors(read.diagnostics), "a module exactly when there is no error");
  for (const Diagnostic& each : read.diagnostics) {
    require(size_t{each.place.offset} + each.place.length <= size,
            "a diagnostic's place lies inside the text");
    require(!each.message.empty(), "a diagnostic says something");
  }
  if (!read) return 0;
  for (const Function& each : read.value->functions) check_function(*read.value, each);
  for (const Variable& each : read.value->variables) {
    require(each.initial.size() <= each.bytes, "initial bytes lie inside their variable");
    require(each.align != 0 && each.offset % each.align == 0, "a variable is aligned");
    for (const Variable::Pointer& pointer : each.pointers) {
      require(pointer.offset + pointer.bytes <= each.initial.size(), "an address lies inside its variable");
      require(pointer.variable <
                  (pointer.is_function ? read.value->functions.size() : read.value->variables.size()),
              "an address is of something that is there");
    }
  }
  return 0;
}
