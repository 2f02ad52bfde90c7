// Operands and slots in the words of a message.
// It must not know what fits where.
#include "base/in_quotes.h"
#include "ptx/operand.h"

namespace fuseboard::ptx {
namespace {

using Kind = WrittenOperand::Kind;

std::string bits_text(uint32_t bits) { return std::to_string(bits) + " bits"; }

}  // namespace

std::string register_text(Type type, uint32_t bits, bool wider) {
  if (type == Type::pred) return "a predicate register";
  const std::string width = bits_text(bits) + (wider ? " (or wider)" : "");
  if (type_class(type) == TypeClass::Bits) return "a register of " + width;
  if (is_float_or_packed(type)) {
    const std::string own = type == Type::f16 || type == Type::f16x2 || type == Type::f32 || type == Type::f64
                                ? "." + std::string(type_text(type)) + " or "
                                : "";
    return "a register of type " + own + ".b" + std::to_string(bits) + (wider ? " (or wider)" : "");
  }
  return "an integer register of " + width;
}

std::string written_text(const WrittenOperand& operand) {
  switch (operand.kind) {
    case Kind::reg:
      return in_quotes(operand.name) + " is a register of type ." + std::string(type_text(operand.type));
    case Kind::special:
      return in_quotes(operand.name) + " is a special register";
    case Kind::constant:
      return operand.constant.kind == Constant::Kind::integer ? "this is an integer" : "this is a fraction";
    case Kind::address:
      return "this is an address";
    case Kind::vector:
      return "this is a vector";
    case Kind::variable:
      return in_quotes(operand.name) + " is a variable";
    case Kind::function:
      return in_quotes(operand.name) + " is a function";
    case Kind::symbol:
      return in_quotes(operand.name) + " is a label";
    case Kind::unknown:
      return "nothing is named " + in_quotes(operand.name) + " here";
    case Kind::sink:
      return "`_` stands where a value is needed";
  }
  return {};
}

std::string slot_text(const OperandSlot& slot, Type type, uint32_t bits, uint8_t vector) {
  switch (slot.kind) {
    case SlotKind::value: {
      std::string reg = register_text(type, bits, false);
      const bool is_half = is_float_or_packed(type) && type != Type::f32 && type != Type::f64;
      if (slot.is_destination || is_half) return reg;
      return reg + (is_float_or_packed(type) ? " or a fraction" : " or an integer");
    }
    case SlotKind::wider:
      return register_text(type, bits, true);
    case SlotKind::vector:
      return vector == 1 ? register_text(type, bits, true) : std::to_string(vector) + " registers in { }";
    case SlotKind::moved:
      return register_text(type, bits, false) +
             (slot.is_destination ? "" : ", a number, or the address of a variable");
    case SlotKind::address_of:
      return register_text(type, bits, false) + " or a variable";
    case SlotKind::immediate:
      return "an integer";
    case SlotKind::registers:
      return "registers in { }";
    case SlotKind::address:
      return "an address in [ ]";
    case SlotKind::label:
      return "a label";
    case SlotKind::targets:
      return "the name of a .branchtargets list";
    case SlotKind::call:
      return "a function";
  }
  return {};
}

}  // namespace fuseboard::ptx
