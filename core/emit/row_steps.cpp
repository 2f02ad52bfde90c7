// Writing one step of a kernel that reduces: loads, computations, stores, and where each can be seen.
// It must not know in which order steps are written.
#include <string>
#include <vector>

#include "emit/row_code.h"
#include "launch/lowering.h"
#include "launch/names.h"

namespace fuseboard {

uint32_t RowCode::passes_of(uint32_t number) const {
  const bool stays = is_looped() || is_by_row(number) || step(number).kind == StepKind::fold;
  if (stays || index_.walk(step(number).map).pass == PassWalk::fixed) return 1;
  return static_cast<uint32_t>(shape_.passes);
}

uint32_t RowCode::slots_of(uint32_t number) const {
  if (step(number).kind == StepKind::immediate) return 1;
  if (is_by_row(number) && !shape_.along_rows) return 1;
  if (step(number).kind == StepKind::fold) return shape_.slots;
  const MapWalk& walk = index_.walk(step(number).map);
  return walk.is_affine && walk.slot_stride == 0 ? 1 : shape_.slots;
}

/// A loop may not be entered: what is made within of a by-row value, such as its other arithmetics, is
/// forgotten behind.
PtxValue& RowCode::value(uint32_t number, uint32_t pass, uint32_t slot) {
  std::vector<PtxValue>& all = values_[number];
  if (in_loop_ && is_by_row(number)) before_loop_.try_emplace(number, all);
  const uint32_t slots = slots_of(number);
  const size_t first = passes_of(number) == 1 ? 0 : size_t{pass} * slots;
  return all[first + (slots == 1 ? 0 : slot)];
}

/// All slots of a pass; what is the same in every pass is made with the first.
void RowCode::write_step(uint32_t number, uint32_t pass) {
  const Step& own = step(number);
  index_.stand_at_row(is_by_row(number));
  switch (own.kind) {
    case StepKind::immediate:
      value(number, 0, 0) =
          PtxValue{arithmetic_of(parts_.graph.op(own.op).dtype), known_value(parts_.graph.op(own.op)), {}};
      return;
    case StepKind::load:
      write_load(number, pass);
      write_unpacking(number, pass);
      return;
    case StepKind::compute:
      if (!contractions_.is_contracted[number]) {
        write_compute(number, pass);
      } else if (pass == 0) {
        parts_.begin_op(own.op, parts_.formula(own.op) + ", rounded once with what reads it");
      }
      return;
    case StepKind::fold:
      return;  // end_folds
  }
}

void RowCode::add_trace(Trace trace, uint32_t number, uint32_t pass) {
  trace.step = number;
  trace.walk = walk_;
  const bool is_one = is_by_row(number) || in_loop_ || passes_of(number) > 1;
  const uint32_t end = is_one ? pass + 1 : static_cast<uint32_t>(shape_.passes);
  for (uint32_t each = pass; each < end; ++each) {
    trace.pass = in_loop_ ? kEveryPass : each;
    traces_.push_back(trace);
  }
}

/// For every slot that the value stands for.
void RowCode::add_value_traces(uint32_t number, uint32_t pass, uint32_t slot, uint32_t at_line) {
  const PtxValue& made = value(number, pass, slot);
  registers_.emplace_back(step(number).op, made.own());
  const uint32_t slots = is_by_row(number) && !shape_.along_rows ? 1 : shape_.slots;
  const bool for_all = slots_of(number) == 1;
  for (uint32_t i = for_all ? 0 : slot; i < (for_all ? slots : slot + 1); ++i) {
    add_trace({TraceKind::value, at_line, 0, i, number, made.own(), made.arithmetic}, number, pass);
  }
}

/// The element of each slot, where its row and column are there; once, however often it is asked for.
void RowCode::write_load(uint32_t number, uint32_t pass) {
  if (passes_of(number) == 1 && !in_loop_) pass = 0;
  if (loaded_.contains({number, pass})) return;
  const Step& own = step(number);
  const FusionOp& op = parts_.graph.op(own.op);
  const std::string& pointer = parts_.inputs.at(own.op);
  const MapWalk& walk = index_.walk(own.map);
  parts_.begin_op(own.op, parts_.reading(own.op));
  LoadedElements& loaded = loaded_[{number, pass}];
  loaded.dtype = op.dtype;
  const uint32_t slots = slots_of(number);
  const uint32_t at_once = walk.is_affine ? slots : 1;
  for (uint32_t slot = 0; slot < slots; slot += at_once) {
    const bool by_row = is_by_row(number);
    const std::string is_there = by_row ? index_.has_row(slot) : index_.has_element(pass, slot);
    const RowAddress at = index_.address(own.map, pointer, op.dtype_bytes, pass, slot);
    parts_.writer.guard(is_there);
    const LoadedElements some = memory_.load(op.dtype, at.reg, walk.slot_stride, at_once, at.offset);
    parts_.writer.guard("");
    loaded.per_register = some.per_register;
    loaded.registers.insert(loaded.registers.end(), some.registers.begin(), some.registers.end());
    loaded.accesses.insert(loaded.accesses.end(), some.accesses.begin(), some.accesses.end());
  }
  const uint32_t traced = is_by_row(number) && !shape_.along_rows ? 1 : shape_.slots;
  for (uint32_t slot = 0; slot < traced; ++slot) {
    const ElementAccess& access = loaded.accesses[loaded.accesses.size() == 1 ? 0 : slot];
    add_trace({TraceKind::load, access.line, 0, slot, number, "", arithmetic_of(op.dtype), access.offset},
              number, pass);
  }
}

void RowCode::write_unpacking(uint32_t number, uint32_t pass) {
  if (passes_of(number) == 1 && !in_loop_ && pass > 0) return;
  const LoadedElements& loaded = loaded_.at({number, pass});
  const uint32_t op = step(number).op;
  const uint32_t slots = slots_of(number);
  if (MemoryCode::unpacks(loaded.dtype, slots)) {
    parts_.begin_op(op, parts_.title(op) + " from " + std::string(dtype_text(loaded.dtype)));
  }
  const std::vector<UnpackedElement> elements = memory_.unpack(loaded, 0, slots);
  for (uint32_t slot = 0; slot < slots; ++slot) {
    PtxValue& unpacked = value(number, pass, slot);
    unpacked = PtxValue{arithmetic_of(loaded.dtype), {}, {}};
    unpacked.in(unpacked.arithmetic) = elements[slot].reg;
    add_value_traces(number, pass, slot, elements[slot].ready_line);
  }
}

void RowCode::write_compute(uint32_t number, uint32_t pass) {
  if (passes_of(number) == 1 && !in_loop_ && pass > 0) return;
  const Step& own = step(number);
  parts_.begin_op(own.op, parts_.formula(own.op));
  for (uint32_t slot = 0; slot < slots_of(number); ++slot) {
    std::vector<PtxValue*> operands;
    for (uint32_t k = 0; k < own.operand_count; ++k) operands.push_back(&value(operand(own, k), pass, slot));
    if (contractions_.product_of[number] != kNoStep) {
      value(number, pass, slot) = contracted(number, pass, slot);
    } else if (is_by_reciprocal_[number]) {
      value(number, pass, slot) = quotient(number, pass, slot);
    } else {
      const std::string offset = own.operand_count == 0 ? index_.offset(own.map, pass, slot) : std::string();
      value(number, pass, slot) = parts_.ops.apply(own.op, operands, offset, index_.is_wide());
    }
    add_value_traces(number, pass, slot, line());
  }
}

/// a * b + c, a * b - c or c - a * b in one fma.
PtxValue RowCode::contracted(uint32_t number, uint32_t pass, uint32_t slot) {
  const Step& sum = step(number);
  const uint32_t product = contractions_.product_of[number];
  const bool product_first = operand(sum, 0) == product;
  const bool is_difference = contractions_.is_difference[number];
  const Step& factors = step(product);
  return parts_.fused(&value(operand(factors, 0), pass, slot), &value(operand(factors, 1), pass, slot),
                      &value(operand(sum, product_first ? 1 : 0), pass, slot),
                      is_difference && !product_first, is_difference && product_first);
}

/// Of a divisor of the whole row, made once.
const std::string& RowCode::reciprocal(uint32_t divisor, uint32_t slot) {
  std::string& made = reciprocals_[{divisor, slots_of(divisor) == 1 ? 0 : slot}];
  if (!made.empty()) return made;
  made = parts_.writer.fresh(RegisterClass::f32);
  const std::string by = parts_.ops.as(value(divisor, 0, slot), Arithmetic::f32);
  parts_.writer.instruction("rcp.approx.ftz.f32", {made, by});
  return made;
}

PtxValue RowCode::quotient(uint32_t number, uint32_t pass, uint32_t slot) {
  const Step& own = step(number);
  PtxValue out{Arithmetic::f32, {}, {}};
  out.in(Arithmetic::f32) = parts_.writer.fresh(RegisterClass::f32);
  const std::string dividend = parts_.ops.as(value(operand(own, 0), pass, slot), Arithmetic::f32);
  const std::string& share = reciprocal(operand(own, 1), slot);
  parts_.writer.instruction("mul.f32", {out.own(), dividend, share});
  return out;
}

void RowCode::write_store(size_t store, uint32_t pass) {
  const uint32_t id = shape_.stores[store];
  const uint32_t number = schedule_.loop.stored[store];
  const FusionOp& op = parts_.graph.op(id);
  const bool by_row = is_by_row(number);
  parts_.begin_op(id, parts_.title(id) + " is stored");
  const uint32_t slots = by_row && !shape_.along_rows ? 1 : shape_.slots;
  std::vector<std::string> elements;
  for (uint32_t slot = 0; slot < slots; ++slot) {
    elements.push_back(parts_.ops.as(value(number, pass, slot), arithmetic_of(op.dtype)));
  }
  std::vector<std::string> packed;
  memory_.pack(op.dtype, slots, elements, packed);
  std::string is_there = by_row ? index_.has_row(0) : index_.has_element(pass, 0);
  if (by_row) is_there = index_.both(is_there, index_.is_first_lane());
  const uint32_t map = by_row ? schedule_.row_map : 0;
  const RowAddress at = index_.address(map, parts_.outputs.at(id), op.dtype_bytes, pass, 0);
  parts_.writer.guard(is_there);
  const std::vector<ElementAccess> accesses = memory_.store(op.dtype, at.reg, slots, packed, at.offset);
  parts_.writer.guard("");
  for (uint32_t slot = 0; slot < slots; ++slot) {
    Trace trace{TraceKind::store,        accesses[slot].line,  0, slot, number, "",
                arithmetic_of(op.dtype), accesses[slot].offset};
    trace.walk = walk_;
    trace.pass = by_row ? 0 : in_loop_ ? kEveryPass : pass;
    traces_.push_back(trace);
  }
}

}  // namespace fuseboard
