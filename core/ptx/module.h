// A PTX module as it was read: functions, their registers, variables and instructions, every name resolved.
// It must not know who wrote the text, nor how it runs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/instruction.h"

namespace fuseboard::ptx {

constexpr uint32_t kNone = 0xffffffff;

enum class StateSpace : uint8_t { generic, global, shared, local, param, constant };

enum class OperandKind : uint8_t {
  reg,        ///< `index` into Function::registers
  special,    ///< a special register: `index` is a SpecialRegister
  immediate,  ///< `bits`: an integer in two's complement, or the bits of a float as wide as the text gave it
  address,    ///< [register + bits], [variable + bits], [bits]: `index` and `is_variable`
  vector,     ///< {a, b, ...}: Function::elements[index .. index + count)
  label,      ///< `index` into the function's instructions
  variable,   ///< the address of a variable, or of a function for call: `index` into Module::variables /
              ///< functions
  function,
  sink,  ///< _
};

struct Operand {
  OperandKind kind = OperandKind::sink;
  bool negated = false;  ///< !p, or a minus before a register where the form allows it
  bool is_variable =
      false;  ///< of an address: `index` is a variable; otherwise a register, or kNone for an absolute one
  bool is_double =
      false;          ///< of an immediate: written 0d... or as a decimal fraction (64 bits); 0f... is 32 bits
  uint8_t count = 0;  ///< of a vector
  uint32_t index = kNone;
  int64_t bits = 0;
};

/// One instruction of the text. `types`, in the order written: cvt.rn.f16.f32 has {f16, f32}.
struct Instruction {
  Opcode opcode{};
  Modifiers modifiers = 0;  ///< of instruction.h: .ftz .rn .lt .v4 .wide ...
  std::array<Type, 4> types{};
  uint8_t type_count = 0;
  StateSpace space = StateSpace::generic;
  uint8_t vector = 1;  ///< .v2, .v4
  bool guard_negated = false;
  uint32_t guard = kNone;  ///< a predicate register
  uint32_t line = 0;       ///< from 1
  uint32_t column = 0;
  uint32_t first_operand =
      0;  ///< Function::operands[first_operand .. + operand_count): d, a, b, c as written
  uint8_t operand_count = 0;
};

struct Register {
  std::string name;
  Type type{};
};

/// A variable of any space but reg: global, shared, local, const, or a parameter.
struct Variable {
  std::string name;
  StateSpace space = StateSpace::global;
  Type type{};
  uint32_t align = 1;
  uint64_t bytes = 0;  ///< 0: extern shared memory, sized at launch
  uint64_t offset =
      0;  ///< of parameters, shared and local variables: from the beginning of their space in their function
  bool is_extern = false;
  std::vector<uint8_t> initial;  ///< empty: zero for global and const, never written for shared and local
  struct Pointer {
    uint64_t offset = 0;
    uint32_t variable = kNone;
    int64_t addend = 0;
  };
  std::vector<Pointer> pointers;  ///< initialisers that are addresses
  uint32_t line = 0;
};

struct Function {
  std::string name;
  bool is_entry = false;
  std::vector<uint32_t> returns;     ///< Module::variables (param space)
  std::vector<uint32_t> parameters;  ///< Module::variables (param space), offsets as a launch lays them out
  uint64_t parameter_bytes = 0;
  std::vector<Register> registers;
  std::vector<Instruction> instructions;
  std::vector<Operand> operands;             ///< of all instructions
  std::vector<Operand> elements;             ///< of vectors, call lists and branch targets
  uint64_t shared_bytes = 0;                 ///< static
  uint64_t local_bytes = 0;                  ///< with the .param variables declared inside call blocks
  std::array<uint32_t, 3> required_block{};  ///< .reqntid; zero where absent
  std::array<uint32_t, 3> most_block{};      ///< .maxntid
  uint32_t line = 0;

  uint32_t register_named(std::string_view name) const;  ///< kNone where there is none
};

struct Module {
  uint32_t version = 0;  ///< 81 for .version 8.1
  std::string target;
  uint32_t address_bits = 64;
  std::vector<Variable> variables;  ///< of the module and of all its functions
  std::vector<Function> functions;

  const Function* entry(std::string_view name) const;
};

}  // namespace fuseboard::ptx
