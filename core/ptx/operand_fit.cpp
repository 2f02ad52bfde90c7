// Puts written operands into the slots of a form (PTX ISA, Operand Type Checking).
// It must not know opcodes nor how operands were read.
#include <algorithm>
#include <utility>

#include "base/in_quotes.h"
#include "ptx/operand.h"

namespace fuseboard::ptx {
namespace {

using Kind = WrittenOperand::Kind;

/// The slots of one form while operands are put into them.
class Fitting {
 public:
  Fitting(Reading& reading, Function& function, const Form& form, const Instruction& instruction,
          const WrittenOperands& written)
      : reading_(reading), function_(function), form_(form), instruction_(instruction), written_(written) {}

  std::optional<Misfit> run(Span opcode) {
    size_t next = 0;
    for (const OperandSlot& slot : form_.slots) {
      const bool has = next < written_.all.size();
      if (slot.is_second && (slot.is_never_written || !(has && written_.all[next].is_second))) {
        if (slot.must_be_written)
          return misfit(opcode, "a second destination is missing behind a bar: %r1|%p1", next);
        out_.emplace_back();
        continue;
      }
      if (!has) {
        if (slot.is_optional) break;
        return misfit(opcode, "operand " + std::to_string(next + 1) + " is missing: " + slot_wanted(slot),
                      next);
      }
      const WrittenOperand& operand = written_.all[next];
      if (operand.is_second != slot.is_second)
        return misfit(operand.span, "no second destination stands behind a bar here", next);
      if (!fit(operand, slot)) {
        Misfit out = misfit(operand.span, std::move(message_), next);
        out.code = code_;
        out.hint = std::move(hint_);
        return out;
      }
      ++next;
    }
    if (next < written_.all.size()) {
      return misfit(written_.all[next].span,
                    "there are more than the " + std::to_string(next) + " operands that this form takes",
                    next);
    }
    commit();
    return std::nullopt;
  }

 private:
  static Misfit misfit(Span span, std::string message, size_t fitting) {
    return {span, std::move(message), {}, Code::ptx_operand, fitting};
  }

  Type type_of(const OperandSlot& slot) const {
    return slot.fixed != Type::none ? slot.fixed : instruction_.types[slot.index];
  }
  uint32_t bits_of(const OperandSlot& slot) const {
    return type_bits(type_of(slot)) * (slot.is_wide ? 2 : 1);
  }

  std::string slot_wanted(const OperandSlot& slot) const {
    return slot_text(slot, type_of(slot), bits_of(slot), instruction_.vector);
  }

  bool refuse(const WrittenOperand& operand, const OperandSlot& slot) {
    code_ = operand.kind == Kind::unknown ? Code::ptx_unknown_name : Code::ptx_operand;
    message_ = written_text(operand) + ", where the instruction takes " + slot_wanted(slot);
    return false;
  }

  bool fit(const WrittenOperand& operand, const OperandSlot& slot) {
    switch (slot.kind) {
      case SlotKind::value:
      case SlotKind::wider:
      case SlotKind::address_of:
        return fit_value(operand, slot);
      case SlotKind::vector:
        if (instruction_.vector != 1) return fit_vector(operand, slot);
        // { %r1 } is %r1 where one value is moved.
        return fit_value(
            operand.kind == Kind::vector && operand.count == 1 ? written_.elements[operand.index] : operand,
            slot);
      case SlotKind::moved:
        return operand.kind == Kind::vector ? fit_pack(operand, slot) : fit_value(operand, slot);
      case SlotKind::immediate:
        if (operand.kind != Kind::constant) return refuse(operand, slot);
        return fit_value(operand, slot);
      case SlotKind::registers:
        return fit_registers(operand, slot);
      case SlotKind::address:
        return fit_address(operand, slot);
      case SlotKind::label:
        return fit_label(operand, slot);
      case SlotKind::targets:
        return fit_targets(operand, slot);
      case SlotKind::call:
        return false;  // read_call does it
    }
    return false;
  }

  /// One register, number or address as a value; nothing is kept where it does not fit.
  std::optional<Operand> value(const WrittenOperand& operand, const OperandSlot& slot, Type type,
                               uint32_t bits, bool in_vector = false) const {
    const bool wider = slot.kind == SlotKind::wider || slot.kind == SlotKind::vector;
    Operand out;
    out.negated = operand.negated;
    if (operand.negated && (operand.type != Type::pred || slot.is_destination)) return std::nullopt;
    out.index = operand.index;
    switch (operand.kind) {
      case Kind::reg:
        out.kind = OperandKind::reg;
        if (!types_agree(type, operand.type, wider, bits)) return std::nullopt;
        return out;
      case Kind::sink:
        if (!slot.may_be_sink && !(in_vector && slot.is_destination)) return std::nullopt;
        return Operand();
      case Kind::constant: {
        if (slot.is_destination) return std::nullopt;
        const Type wanted = slot.kind == SlotKind::immediate ? Type::s64 : slot.is_wide ? twice(type) : type;
        const std::optional<int64_t> bits_of_constant = constant_as(operand.constant, wanted);
        if (!bits_of_constant) return std::nullopt;
        out.kind = OperandKind::immediate;
        out.index = kNone;
        out.bits = *bits_of_constant;
        return out;
      }
      case Kind::special:
        out.kind = OperandKind::special;
        if (slot.is_destination || (slot.kind != SlotKind::moved && slot.kind != SlotKind::wider))
          return std::nullopt;
        if (is_float_or_packed(type) || is_float_or_packed(instruction_.type()) ||
            (operand.type == Type::pred) != (type == Type::pred))
          return std::nullopt;
        if (bits > type_bits(operand.type)) return std::nullopt;
        if (bits == 32 && type_bits(operand.type) == 64) return std::nullopt;
        return out;
      case Kind::variable:
      case Kind::function:
        if (slot.is_destination || (slot.kind != SlotKind::moved && slot.kind != SlotKind::address_of))
          return std::nullopt;
        if (operand.kind == Kind::function && slot.kind != SlotKind::moved) return std::nullopt;
        if (is_float_or_packed(type) || bits < 32) return std::nullopt;
        out.kind = operand.kind == Kind::variable ? OperandKind::variable : OperandKind::function;
        out.bits = operand.addend;
        return out;
      case Kind::address:
      case Kind::vector:
      case Kind::symbol:
      case Kind::unknown:
        return std::nullopt;
    }
    return std::nullopt;
  }

  static Type twice(Type type) {
    switch (type_bits(type)) {
      case 16:
        return type_class(type) == TypeClass::Signed ? Type::s32 : Type::u32;
      default:
        return type_class(type) == TypeClass::Signed ? Type::s64 : Type::u64;
    }
  }

  bool fit_value(const WrittenOperand& operand, const OperandSlot& slot) {
    const std::optional<Operand> out = value(operand, slot, type_of(slot), bits_of(slot));
    if (!out) return refuse(operand, slot);
    if (slot.kind == SlotKind::address_of && out->kind == OperandKind::variable) {
      const StateSpace space = reading_.module.variables[out->index].space;
      if (instruction_.space != StateSpace::generic && space != instruction_.space) {
        message_ = in_quotes(operand.name) + " is a variable of another state space than the instruction's";
        return false;
      }
    }
    out_.push_back(*out);
    return true;
  }

  bool fit_vector(const WrittenOperand& operand, const OperandSlot& slot) {
    if (operand.kind != Kind::vector || operand.count != instruction_.vector) return refuse(operand, slot);
    uint32_t bits = 0;
    Operand out = begin_vector(operand);
    for (uint32_t i = 0; i < operand.count; ++i) {
      const WrittenOperand& element = written_.elements[operand.index + i];
      const std::optional<Operand> each = value(element, slot, type_of(slot), bits_of(slot), true);
      if (!each || (element.kind == Kind::reg && bits != 0 && bits != type_bits(element.type))) {
        message_ = written_text(element) + ", where the vector takes registers of one width: " +
                   register_text(type_of(slot), bits_of(slot), true);
        return false;
      }
      if (element.kind == Kind::reg) bits = type_bits(element.type);
      elements_.push_back(*each);
    }
    out_.push_back(out);
    return true;
  }

  /// mov between a register and the parts of it.
  bool fit_pack(const WrittenOperand& operand, const OperandSlot& slot) {
    const Type type = type_of(slot);
    const bool is_only_vector = std::none_of(
        out_.begin(), out_.end(), [](const Operand& each) { return each.kind == OperandKind::vector; });
    if (type_class(type) != TypeClass::Bits || !is_only_vector || type_bits(type) % operand.count != 0)
      return refuse(operand, slot);
    const uint32_t bits = type_bits(type) / operand.count;
    const Type part = bits == 8 ? Type::b8 : bits == 16 ? Type::b16 : bits == 32 ? Type::b32 : Type::b64;
    if (bits != type_bits(part)) return refuse(operand, slot);
    Operand out = begin_vector(operand);
    for (uint32_t i = 0; i < operand.count; ++i) {
      const WrittenOperand& element = written_.elements[operand.index + i];
      const std::optional<Operand> each = value(element, slot, part, bits, true);
      if (!each || each->kind == OperandKind::special || each->kind == OperandKind::variable) {
        message_ = written_text(element) + ", where each of " + std::to_string(operand.count) +
                   " parts of ." + std::string(type_text(type)) + " has " + std::to_string(bits) + " bits";
        return false;
      }
      elements_.push_back(*each);
    }
    out_.push_back(out);
    return true;
  }

  bool fit_registers(const WrittenOperand& operand, const OperandSlot& slot) {
    const bool is_vector = operand.kind == Kind::vector;
    if (!is_vector && operand.kind != Kind::reg) return refuse(operand, slot);
    Operand out = begin_vector(operand);
    out.count = is_vector ? operand.count : 1;
    for (uint32_t i = 0; i < out.count; ++i) {
      const WrittenOperand& element = is_vector ? written_.elements[operand.index + i] : operand;
      if (element.kind != Kind::reg || type_bits(element.type) < 32) {
        message_ = written_text(element) + ", where the instruction takes registers of 32 or 64 bits";
        return false;
      }
      Operand each;
      each.kind = OperandKind::reg;
      each.index = element.index;
      elements_.push_back(each);
    }
    out_.push_back(out);
    return true;
  }

  bool fit_address(const WrittenOperand& operand, const OperandSlot& slot) {
    if (operand.kind != Kind::address) return refuse(operand, slot);
    const StateSpace space = slot.index == 0 ? instruction_.space : instruction_.second_space;
    if (operand.is_variable) {
      const Variable& variable = reading_.module.variables[operand.index];
      if (space != StateSpace::generic && variable.space != space) {
        message_ = in_quotes(operand.name) + " is a variable of another state space than the instruction's";
        return false;
      }
    } else if (operand.index != kNone) {
      const TypeClass of = type_class(operand.type);
      const bool is_integer = of == TypeClass::Bits || of == TypeClass::Unsigned || of == TypeClass::Signed;
      const uint32_t bits = type_bits(operand.type);
      const bool is_narrow = space == StateSpace::shared || space == StateSpace::local ||
                             space == StateSpace::param || space == StateSpace::constant ||
                             reading_.module.address_bits == 32;
      if (!is_integer || !(bits == 64 || (bits == 32 && is_narrow))) {
        message_ = in_quotes(operand.name) + " is a register of type ." +
                   std::string(type_text(operand.type)) + ", where an address takes an integer register of " +
                   (is_narrow ? "32 or 64 bits" : "64 bits");
        return false;
      }
    } else if (space != StateSpace::local) {
      message_ = "a number alone is an address of local memory only";
      return false;
    }
    Operand out;
    out.kind = OperandKind::address;
    out.is_variable = operand.is_variable;
    out.index = operand.index;
    out.bits = operand.addend;
    out_.push_back(out);
    return true;
  }

  bool fit_label(const WrittenOperand& operand, const OperandSlot& slot) {
    const bool is_label = operand.kind == Kind::symbol && operand.symbol.kind == Symbol::Kind::label;
    if (!is_label && operand.kind != Kind::unknown) return refuse(operand, slot);
    Operand out;
    out.kind = OperandKind::label;
    label_ = &operand;
    label_slot_ = out_.size();
    out_.push_back(out);
    return true;
  }

  bool fit_targets(const WrittenOperand& operand, const OperandSlot& slot) {
    if (operand.kind != Kind::symbol || operand.symbol.kind != Symbol::Kind::targets)
      return refuse(operand, slot);
    Operand out;
    out.kind = OperandKind::vector;
    out.index = operand.symbol.index;
    out.count = operand.symbol.count;
    out_.push_back(out);
    return true;
  }

  Operand begin_vector(const WrittenOperand& operand) {
    Operand out;
    out.kind = OperandKind::vector;
    out.index = static_cast<uint32_t>(function_.elements.size() + elements_.size());
    out.count = operand.count;
    return out;
  }

  void commit() {
    if (label_ != nullptr) {
      const auto index = static_cast<uint32_t>(function_.operands.size() + label_slot_);
      reading_.label_uses.push_back({label_->name, label_->span.offset, false, index});
    }
    function_.operands.insert(function_.operands.end(), out_.begin(), out_.end());
    function_.elements.insert(function_.elements.end(), elements_.begin(), elements_.end());
  }

  Reading& reading_;
  Function& function_;
  const Form& form_;
  const Instruction& instruction_;
  const WrittenOperands& written_;
  std::vector<Operand> out_;
  std::vector<Operand> elements_;
  const WrittenOperand* label_ = nullptr;
  size_t label_slot_ = 0;
  std::string message_;
  std::string hint_;
  Code code_ = Code::ptx_operand;
};

}  // namespace

bool types_agree(Type type, Type reg, bool wider, uint32_t bits) {
  if (type == Type::pred || reg == Type::pred) return type == reg;
  if (wider ? type_bits(reg) < bits : type_bits(reg) != bits) return false;
  const TypeClass of = type_class(type), held = type_class(reg);
  switch (of) {
    case TypeClass::Bits:
      return true;
    case TypeClass::Unsigned:
    case TypeClass::Signed:
      return held == TypeClass::Bits || held == TypeClass::Unsigned || held == TypeClass::Signed;
    case TypeClass::Float:
    case TypeClass::Packed:
      return held == TypeClass::Bits || reg == type;
    case TypeClass::Predicate:
    case TypeClass::None:
      return false;
  }
  return false;
}

std::optional<Misfit> fit_operands(Reading& reading, Function& function, const Form& form,
                                   const Instruction& instruction, const WrittenOperands& written,
                                   Span opcode) {
  return Fitting(reading, function, form, instruction, written).run(opcode);
}

}  // namespace fuseboard::ptx
