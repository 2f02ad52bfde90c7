// Places in a frame: registers get theirs when an instruction names them, constants are made once.
// It must not know what an instruction does.
#include "ptx/binding.h"

#include <algorithm>

#include "ptx/lanes.h"

namespace fuseboard::ptx {
namespace {

template <class T>
Handler copying() {
  return lanes([](T x) { return x; });
}

Handler narrowing() {
  return lanes([](uint64_t x) { return static_cast<uint32_t>(x); });
}

/// From `bits` bits that are zero-extended in 4 bytes.
Handler sign_extending(uint32_t bits, bool to_64, bool keep_16) {
  if (to_64) {
    if (bits == 8)
      return lanes(
          [](uint32_t x) { return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int8_t>(x))); });
    if (bits == 16)
      return lanes(
          [](uint32_t x) { return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int16_t>(x))); });
    return lanes(
        [](uint32_t x) { return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(x))); });
  }
  if (bits == 8 && keep_16)
    return lanes([](uint32_t x) {
      return static_cast<uint32_t>(static_cast<int32_t>(static_cast<int8_t>(x))) & 0xffff;
    });
  if (bits == 8)
    return lanes(
        [](uint32_t x) { return static_cast<uint32_t>(static_cast<int32_t>(static_cast<int8_t>(x))); });
  return lanes(
      [](uint32_t x) { return static_cast<uint32_t>(static_cast<int32_t>(static_cast<int16_t>(x))); });
}

}  // namespace

uint32_t lane_bytes(Type type) {
  const uint32_t bits = type_bits(type);
  return bits <= 32 ? 4 : bits <= 64 ? 8 : 16;
}

FrameLayout::FrameLayout(const Module& the_module, const Function& the_function, Program& the_program)
    : module(the_module), function(the_function), program(the_program) {
  program.registers.assign(function.registers.size(), kNone);
  program.constants.resize(1);
  program.constants[0].bytes.fill(0xff);  // all true
}

Slot FrameLayout::grow(uint32_t bytes, uint32_t align) {
  size_ = (size_ + align - 1) / align * align;
  const Slot slot = size_;
  // Too large a frame is refused when it is made; until then places may repeat.
  if (size_ < kMostFrame) size_ += bytes;
  return slot;
}

Slot FrameLayout::register_slot(uint32_t index) {
  Slot& slot = program.registers[index];
  if (slot != kNone) return slot;
  const Type type = function.registers[index].type;
  slot = type == Type::pred ? temporary_predicate() : temporary(lane_bytes(type));
  return slot;
}

Slot FrameLayout::temporary(uint32_t bytes) { return grow(bytes * kLanes, 64); }
Slot FrameLayout::temporary_predicate() { return grow(4, 4); }

Slot FrameLayout::constant(uint64_t bits, uint32_t bytes) {
  const auto [found, is_new] = constants_.try_emplace({bits, bytes}, 0);
  if (!is_new) return found->second;
  const size_t first = program.constants.size();
  program.constants.resize(first + bytes * kLanes / 64);
  uint8_t* const to = program.constants[first].bytes.data();
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const std::array<uint64_t, 2> value = {bits, static_cast<int64_t>(bits) < 0 ? ~uint64_t{0} : 0};
    std::memcpy(to + lane * bytes, value.data(), bytes);
  }
  found->second = kInConstants | static_cast<Slot>(first * 64);
  return found->second;
}

void FrameLayout::finish() { program.frame_lines = (size_ + 63) / 64; }

MicroOp Binding::helper(Handler run, Slot d, Slot s) const {
  MicroOp made = op;
  made.run = run;
  made.counted = false;
  made.d = d;
  made.s = {s, 0, 0, 0};
  return made;
}

Slot Binding::source(const Operand& one, Type type) {
  const uint32_t bytes = lane_bytes(type);
  switch (one.kind) {
    case OperandKind::reg: {
      const Type own = register_type(one);
      const Slot slot = frame_.register_slot(one.index);
      if (own == Type::pred || type == Type::pred) break;
      if (lane_bytes(own) == bytes) return slot;
      if (lane_bytes(own) == 8 && bytes == 4) {
        before.push_back(helper(narrowing(), frame_.temporary(4), slot));
        return before.back().d;
      }
      break;
    }
    case OperandKind::immediate: {
      const uint32_t bits = type_bits(type);
      const auto value = static_cast<uint64_t>(one.bits);
      return frame_.constant(bits >= 64 ? value : value & ((uint64_t{1} << bits) - 1), bytes);
    }
    case OperandKind::special: {
      MicroOp read = helper(run_special_register, frame_.temporary(bytes), 0);
      read.target = one.index;
      read.size = static_cast<uint8_t>(bytes);
      before.push_back(read);
      return read.d;
    }
    case OperandKind::variable: {
      MicroOp read = helper(run_variable_address, frame_.temporary(bytes), 0);
      read.target = one.index;
      read.size = static_cast<uint8_t>(bytes);
      read.immediate = one.bits;
      before.push_back(read);
      return read.d;
    }
    case OperandKind::function:
      return frame_.constant(kFunctionWindow + uint64_t{16} * one.index, bytes);
    case OperandKind::address:
    case OperandKind::vector:
    case OperandKind::label:
    case OperandKind::sink:
      break;
  }
  refuse();
  return frame_.sink();
}

Slot Binding::predicate(const Operand& one) {
  if (one.kind == OperandKind::immediate) {
    const Slot slot = frame_.temporary_predicate();  // zero: false
    return one.bits != 0 ? frame_.all_true() : slot;
  }
  if (one.kind != OperandKind::reg || register_type(one) != Type::pred) {
    refuse();
    return frame_.all_true();
  }
  const Slot slot = frame_.register_slot(one.index);
  if (!one.negated) return slot;
  before.push_back(helper(lanes([](bool x) { return !x; }), frame_.temporary_predicate(), slot));
  return before.back().d;
}

Slot Binding::destination(const Operand& one, Type type) {
  if (one.kind == OperandKind::sink) return frame_.sink();
  if (one.kind != OperandKind::reg || register_type(one) == Type::pred || type == Type::pred) {
    refuse();
    return frame_.sink();
  }
  const Slot slot = frame_.register_slot(one.index);
  const uint32_t bits = type_bits(type), own_bits = type_bits(register_type(one));
  const uint32_t own = lane_bytes(register_type(one)), bytes = lane_bytes(type);
  const bool fills = type_class(type) == TypeClass::Signed && own_bits > bits;
  if (own < bytes || own == 16) {
    if (own != bytes) refuse();
    return slot;
  }
  if (own == bytes && !fills) return slot;
  const Slot narrow = frame_.temporary(bytes);
  const Handler widen = fills ? sign_extending(bits, own == 8, own_bits == 16)
                              : lanes([](uint32_t x) { return static_cast<uint64_t>(x); });
  behind.push_back(helper(widen, slot, narrow));
  return narrow;
}

Slot Binding::predicate_destination(const Operand& one) {
  if (one.kind == OperandKind::sink) return frame_.sink();
  if (one.kind != OperandKind::reg || register_type(one) != Type::pred) {
    refuse();
    return frame_.sink();
  }
  return frame_.register_slot(one.index);
}

void Binding::address(const Operand& one, uint32_t source_index, StateSpace& space) {
  op.immediate = one.bits;
  op.address_64 = true;
  if (one.kind != OperandKind::address) return refuse();
  if (one.index == kNone) {
    op.s[source_index] = frame_.constant(0, 8);
    return;
  }
  if (!one.is_variable) {
    op.address_64 = type_bits(register_type(one)) == 64;
    op.s[source_index] = frame_.register_slot(one.index);
    return;
  }
  // The variable's address in its own space; a generic access to it means that space.
  const Variable& variable = frame_.module.variables[one.index];
  if (space == StateSpace::generic) space = variable.space;
  MicroOp read = helper(run_variable_address, frame_.temporary(8), 0);
  read.target = one.index;
  read.size = 8;
  read.immediate = 0;
  before.push_back(read);
  op.s[source_index] = read.d;
}

uint32_t Binding::list(const std::vector<ListSlot>& slots) {
  const auto first = static_cast<uint32_t>(frame_.program.lists.size());
  frame_.program.lists.insert(frame_.program.lists.end(), slots.begin(), slots.end());
  return first;
}

void Binding::same(Type type) {
  op.d = destination(0, type);
  for (uint32_t n = 1; n < count() && n <= op.s.size(); ++n) op.s[n - 1] = source(n, type);
}

}  // namespace fuseboard::ptx
