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
  immediate,  ///< `bits`, ready for its slot: sign-extended integers; f32 and f64 bits where the slot's type
              ///< says so
  address,    ///< [register + bits], [variable + bits], [bits]: `index` and `is_variable`
  vector,     ///< {a, b, ...}, a call list, branch targets: Function::elements[index .. index + count)
  label,      ///< `index` into the function's instructions; their number stands for the end, as a ret
  variable,   ///< the address of a variable plus `bits`: `index` into Module::variables
  function,   ///< the address of a function, or a call's target: `index` into Module::functions
  sink,       ///< _, or a second destination that is not written
};

struct Operand {
  OperandKind kind = OperandKind::sink;
  bool negated = false;  ///< !p
  bool is_variable =
      false;           ///< of an address: `index` is a variable; otherwise a register, or kNone for neither
  uint32_t count = 0;  ///< of a vector
  uint32_t index = kNone;
  int64_t bits = 0;
};

/// One instruction of the text. `types`, in the order written: cvt.rn.f16.f32 has {f16, f32}. Its operands
/// lie in the slots that its row of instructions.def shows.
struct Instruction {
  Opcode opcode{};
  uint8_t form = 0;  ///< of its row, from 0
  uint8_t type_count = 0;
  Modifiers modifiers;
  std::array<Type, 4> types{};
  StateSpace space = StateSpace::generic;
  StateSpace second_space = StateSpace::generic;  ///< the source's of cp.async
  uint8_t vector = 1;                             ///< 2 for .v2, 4 for .v4, 8 for .v8
  bool guard_negated = false;
  uint32_t guard = kNone;  ///< a predicate register
  uint32_t line = 0;       ///< from 1
  uint32_t column = 0;     ///< from 1, in bytes
  uint32_t first_operand =
      0;  ///< Function::operands[first_operand .. + operand_count): d, a, b, c as written
  uint8_t operand_count = 0;

  Type type() const { return types[0]; }
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
  /// Of shared and local variables and parameters: from the beginning of their space. Shared variables of the
  /// module and of device functions come first, then the entry's own. Extern shared memory begins at
  /// Function::dynamic_shared_offset of the entry that was launched.
  uint64_t offset = 0;
  bool is_extern = false;
  /// A .param variable declared in a body, for calls: it lies in its function's local bytes, at `offset`.
  bool in_frame = false;
  /// The first bytes; what follows is zero for global and const, never written for shared and local.
  std::vector<uint8_t> initial;
  uint32_t function = kNone;  ///< whose body or header it stands in; kNone: the module's
  /// `bytes` bytes from `offset` on are the address of variable (or function) + addend, shifted right by
  /// `shift`.
  struct Pointer {
    uint64_t offset = 0;
    uint32_t variable = kNone;
    int64_t addend = 0;
    bool is_function = false;
    uint8_t shift = 0;
    uint8_t bytes = 8;
  };
  std::vector<Pointer> pointers;  ///< initialisers that are addresses
  uint32_t line = 0;
};

struct Function {
  std::string name;
  bool is_entry = false;
  bool is_declaration = false;       ///< no body: vprintf, __assertfail, ...
  std::vector<uint32_t> returns;     ///< Module::variables (param space), behind the parameters
  std::vector<uint32_t> parameters;  ///< Module::variables (param space), offsets as a launch lays them out
  uint64_t parameter_bytes = 0;      ///< with the returns
  std::vector<Register> registers;
  std::vector<Instruction> instructions;
  std::vector<Operand> operands;             ///< of all instructions
  std::vector<Operand> elements;             ///< of vectors, call lists and branch targets
  uint64_t shared_bytes = 0;                 ///< static, with what it needs of the module's
  uint64_t dynamic_shared_offset = 0;        ///< of an entry: shared_bytes, aligned for the extern variables
  uint64_t local_bytes = 0;                  ///< with the .param variables declared inside call blocks
  std::array<uint32_t, 3> required_block{};  ///< .reqntid; zero where absent
  std::array<uint32_t, 3> most_block{};      ///< .maxntid
  std::array<uint32_t, 3> cluster{};         ///< .reqnctapercluster; zero where absent
  uint32_t line = 0;

  /// "%r1": the first of that name (scopes may hide one another), or kNone. O(registers).
  uint32_t register_named(std::string_view name) const;
};

struct Module {
  uint32_t version = 0;  ///< 81 for .version 8.1
  std::string target;
  uint32_t address_bits = 64;
  std::vector<Variable> variables;  ///< of the module and of all its functions
  std::vector<Function> functions;

  const Function* entry(std::string_view name) const;
};

/// The line of `text` with this number, without blanks at either end: how messages show an instruction.
std::string_view instruction_text(std::string_view text, uint32_t line);

}  // namespace fuseboard::ptx
