// The instruction table as C++: opcodes, types, modifiers, and what a row says.
// It must not know modules, nor how an instruction runs.
#pragma once

#include <cstdint>
#include <string_view>

namespace fuseboard::ptx {

enum class Type : uint8_t {
#define TYPE(identifier, text, bits, type_class) identifier,
#include "ptx/types.def"
};

enum class TypeClass : uint8_t { None, Bits, Unsigned, Signed, Float, PackedFloat, Predicate };

std::string_view type_text(Type type);
uint32_t type_bits(Type type);  ///< 1 for pred, 0 for none
TypeClass type_class(Type type);

/// What counters tell apart.
enum class InstructionClass : uint8_t {
  integer,
  floating,
  conversion,
  compare,  ///< setp, set, selp, slct, testp
  move,     ///< mov, prmt, cvta, shfl, ...
  logic,
  load,
  store,
  atomic,
  branch,  ///< bra, brx, call, ret, exit
  barrier,
  special,  ///< ex2, lg2, sin, cos, rcp, sqrt, rsqrt, tanh, div
  other,    ///< fences, hints, policies
};
constexpr uint32_t kInstructionClasses = 13;

std::string_view instruction_class_text(InstructionClass instruction_class);

enum class Opcode : uint16_t {
#define INSTRUCTION(identifier, ...) identifier,
#include "ptx/instructions.def"
};

/// Bits of the MODIFIER rows in ptx/modifiers.def; two that exclude each other still have a bit each.
using Modifiers = uint64_t;  // becomes wider if the rows need it

}  // namespace fuseboard::ptx
