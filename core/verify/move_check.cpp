// Asking where each element that was stored comes from, and whether just that was loaded.
// It must not know how the kernel walks, nor how PTX is run.
#include "verify/move_check.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "graph/storage.h"
#include "verify/register_value.h"

namespace fuseboard {
namespace {

/// The finaliser of splitmix64 (Steele, Lea, Flood 2014): sums of it tell multisets apart.
uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
  x = (x ^ x >> 27) * 0x94d049bb133111ebU;
  return x ^ x >> 31;
}

}  // namespace

MoveCheck::MoveCheck(const MoveCheckSetup& setup)
    : setup_(setup),
      op_(setup.kernel.parameters.back().op),
      result_(setup.buffers.back()),
      element_bytes_(dtype_bytes(setup.graph.op(op_).dtype)),
      unit_bytes_(element_bytes_),
      address_(setup.memory.address(result_)) {
  const FusionOp& op = setup.graph.op(op_);
  if (op.kind == OpKind::gather) {
    unit_bytes_ = std::min(unit_bytes_, dtype_bytes(setup.graph.op(op.inputs[1]).dtype));
  }
  addresses_.assign(setup.graph.size(), 0);
  for (size_t i = 0; i + 1 < setup.buffers.size(); ++i) {
    addresses_[setup.kernel.parameters[i].op] = setup.memory.address(setup.buffers[i]);
  }
  const std::optional<StoredElement> filler = filler_of(setup.graph, op_);
  if (filler) filler_ = address_of(*filler);
  for (const ptx::Instruction& each : setup.entry.instructions) {
    const bool is_memory = each.space == ptx::StateSpace::global || each.space == ptx::StateSpace::shared ||
                           each.space == ptx::StateSpace::generic;
    const bool is_load = each.opcode == ptx::Opcode::ld;
    if (!is_memory || (!is_load && each.opcode != ptx::Opcode::st)) continue;
    lines_.push_back(each.line);
    if (is_load && first_load_ == 0 && each.space != ptx::StateSpace::shared) first_load_ = each.line;
  }
}

void MoveCheck::fail(Mismatch::What what, uint64_t element, uint32_t line, std::string message) {
  Mismatch found;
  found.what = what;
  found.op = op_;
  found.element = element;
  found.line = line;
  found.message = std::move(message);
  mismatch_ = std::move(found);
}

/// Nothing of what lies in no memory.
std::optional<uint64_t> MoveCheck::address_of(const StoredElement& element) const {
  const FusionOp& storage = setup_.graph.op(element.storage);
  if (is_immediate(storage)) return std::nullopt;
  return addresses_[element.storage] + element.offset * dtype_bytes(storage.dtype);
}

void MoveCheck::need(const StoredElement& element) {
  const std::optional<uint64_t> address = address_of(element);
  if (!address || address == filler_) return;
  const uint32_t bytes = dtype_bytes(setup_.graph.op(element.storage).dtype);
  block_.needed_bytes += bytes;
  for (uint32_t at = 0; at < bytes; at += unit_bytes_) block_.needed += mix(*address + at);
}

void MoveCheck::take_load(uint64_t address, uint32_t bytes, uint32_t line) {
  if (address == filler_) {
    ++block_.fillers_loaded;
    return;
  }
  if (bytes % unit_bytes_ != 0 || address % unit_bytes_ != 0) {
    return fail(Mismatch::What::load, 0, line, "a load begins or ends within an element");
  }
  block_.loaded_bytes += bytes;
  for (uint32_t at = 0; at < bytes; at += unit_bytes_) block_.loaded += mix(address + at);
}

bool MoveCheck::hold_element(uint64_t element, uint64_t offset, const MovedFrom& from, uint32_t line) {
  std::array<uint8_t, 8> stored{};
  std::array<uint8_t, 8> wanted{};
  setup_.memory.read(result_, offset, std::span(stored).first(element_bytes_));
  const uint64_t expected = bits_of(setup_.graph, setup_.values, from.source);
  std::memcpy(wanted.data(), &expected, sizeof expected);
  ++stored_;
  if (stored == wanted) {
    ++held_;
    return true;
  }
  const FusionOp& op = setup_.graph.op(op_);
  fail(Mismatch::What::value, element, line, "");
  mismatch_->expected = element_text(op.dtype, element_from_bytes(op.dtype, wanted.data()));
  mismatch_->got = element_text(op.dtype, element_from_bytes(op.dtype, stored.data()));
  mismatch_->message = setup_.graph.name_of(op_) + coordinates_text(op.output_shape, element) + " is " +
                       mismatch_->got + ", but the element that it moves is " + mismatch_->expected;
  return false;
}

void MoveCheck::hold_store(uint64_t address, uint32_t bytes, uint32_t line) {
  const uint64_t first = address - address_;
  if (address < address_ || first % element_bytes_ != 0 || bytes % element_bytes_ != 0) {
    return fail(Mismatch::What::store, 0, line, "a store begins or ends within an element");
  }
  ++block_.stores;
  std::optional<StoredElement> index;  // one for all the elements that it names, as long as they follow
  for (uint64_t at = first; at < first + bytes; at += element_bytes_) {
    const uint64_t element = at / element_bytes_;
    const MovedFrom from = moved_from(setup_.graph, setup_.values, op_, element);
    if (!hold_element(element, at, from, line)) return;
    if (!from.is_filler) need(from.source);
    if (from.index && from.index != index) need(*from.index);
    index = from.index;
    if (at == first && block_.stores == 1) block_.element = element;
  }
}

void MoveCheck::executed(const ptx::WarpView& warp, uint32_t index) {
  if (mismatch_) return;
  if (block_.is_begun && block_.number != warp.block()) end_block();
  block_.is_begun = true;
  block_.number = warp.block();
  const ptx::Instruction& access = setup_.entry.instructions[index];
  const bool is_load = access.opcode == ptx::Opcode::ld;
  const uint32_t bytes = ptx::type_bits(access.type()) / 8 * access.vector;
  for (uint32_t lane = 0; lane < ptx::kWarp && !mismatch_; ++lane) {
    if ((warp.active() >> lane & 1) == 0) continue;
    const uint64_t address = warp.addresses()[lane];
    if (access.space == ptx::StateSpace::shared) {
      (is_load ? block_.shared_loaded : block_.shared_stored) += mix(address * 64 + bytes);
    } else if (is_load) {
      take_load(address, bytes, access.line);
    } else {
      hold_store(address, bytes, access.line);
    }
  }
}

void MoveCheck::end_block() {
  const Sums sums = std::exchange(block_, {});
  if (mismatch_) return;
  const std::string block = "block " + std::to_string(sums.number);
  if (sums.loaded != sums.needed || sums.loaded_bytes != sums.needed_bytes) {
    fail(Mismatch::What::load, sums.element, first_load_,
         block + " loads " + std::to_string(sums.loaded_bytes) + " bytes that are not just the " +
             std::to_string(sums.needed_bytes) + " that it moves, each once");
  } else if (sums.fillers_loaded > sums.stores) {
    fail(Mismatch::What::load, sums.element, first_load_,
         block + " loads what it fills with " + std::to_string(sums.fillers_loaded) + " times for " +
             std::to_string(sums.stores) + " stores");
  } else if (sums.shared_loaded != sums.shared_stored) {
    fail(Mismatch::What::load, sums.element, 0,
         block + " does not load from shared memory just what it stored there, each place once");
  }
}

}  // namespace fuseboard
