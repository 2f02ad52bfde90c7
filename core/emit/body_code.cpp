// Writing steps: loads first, then computations, each for all slots before the next; then stores.
// It must not know the loop around it, nor the module.
#include "emit/body_code.h"

#include <algorithm>

#include "launch/live_words.h"
#include "launch/lowering.h"
#include "launch/names.h"

namespace fuseboard {
namespace {

constexpr size_t kLoadsAhead = 64;    ///< up to so many loaded elements stand before the first computation
constexpr uint64_t kGroupWords = 20;  ///< registers for the values of a group of slots
constexpr uint64_t kFewValues = 3;    ///< of an element: so few gain nothing from groups

}  // namespace

BodyCode::BodyCode(const KernelParts& parts, const BodyFrame& frame)
    : parts_(parts),
      frame_(frame),
      walks_(walks_of(frame.schedule.maps, frame.slots, frame.stride)),
      memory_(parts.writer, parts.options.target),
      group_(fitting_group()),
      values_(frame.schedule.steps.size()),
      to_store_(frame.loop.stores.size()),
      group_slots_(frame.slots) {
  for (uint32_t i = 0; i < values_.size(); ++i) values_[i].resize(slots_of(i));
}

/// All slots at a time where their values fit; otherwise fewer, so that what waits stays packed as memory has
/// it and what is done is done for good. Whole words of every dtype that is moved.
uint32_t BodyCode::fitting_group() const {
  uint32_t least = 1;
  const auto see = [&](uint32_t op) {
    const uint32_t per_register =
        static_cast<uint32_t>(MemoryCode::elements_per_register(parts_.graph.op(op).dtype, frame_.slots));
    least = std::max(least, per_register);
  };
  for (uint32_t i = 0; i < frame_.schedule.steps.size(); ++i) {
    if (is_load(i)) see(frame_.schedule.steps[i].op);
  }
  for (const uint32_t store : frame_.loop.stores) see(store);
  const LiveWords live = live_words(parts_.graph, frame_.schedule, walks_);
  uint32_t group = frame_.slots;
  if (live.varying <= kFewValues) return group;
  while (group > least && live.varying * group > kGroupWords) group /= 2;
  return group;
}

void BodyCode::begin_op(uint32_t op, const std::string& comment) const {
  std::string slots;
  if (group_slots_ < frame_.slots) {
    slots = group_slots_ == 1 ? ", slot " : ", slots ";
    slots += std::to_string(first_slot_);
    if (group_slots_ > 1) slots += " to " + std::to_string(first_slot_ + group_slots_ - 1);
  }
  parts_.begin_op(op, comment + slots);
}

BodyCode::Phase BodyCode::phase_of(uint32_t step) const {
  const uint32_t map = frame_.schedule.steps[step].map;
  if (frame_.schedule.maps[map].digits.empty()) return Phase::scalar;
  return frame_.stride != 0 && walks_[map].pass == PassWalk::fixed ? Phase::fixed : Phase::pass;
}

uint32_t BodyCode::slots_of(uint32_t step) const {
  return walks_[frame_.schedule.steps[step].map].slot_stride == 0 ? 1 : frame_.slots;
}

PtxValue& BodyCode::value(uint32_t step, uint32_t slot) {
  std::vector<PtxValue>& slots = values_[step];
  return slots[slots.size() == 1 ? 0 : slot];
}

/// Loads, and ops without operands: their value comes from the offset.
bool BodyCode::needs_offset(const Step& step) const {
  return step.kind == StepKind::load || (step.kind == StepKind::compute && step.operand_count == 0);
}

void BodyCode::write_scalars() {
  IndexCode none(parts_.writer, frame_.schedule.maps, "0", frame_.wide);
  write_phase(Phase::scalar, frame_.slots, none);
}

void BodyCode::adopt_scalars(const BodyCode& other) {
  for (uint32_t i = 0; i < values_.size(); ++i) {
    if (phase_of(i) == Phase::scalar) values_[i] = other.values_[i];
  }
  for (Trace trace : other.traces_) {
    if (phase_of(trace.step) != Phase::scalar || trace.slot >= frame_.slots) continue;
    trace.body = frame_.number;
    traces_.push_back(trace);
  }
}

void BodyCode::begin(const std::string& index) {
  index_ = index;
  IndexCode code(parts_.writer, frame_.schedule.maps, index, frame_.wide);
  parts_.writer.belong_to(-1);
  for (uint32_t i = 0; i < values_.size(); ++i) {
    const Step& step = frame_.schedule.steps[i];
    if (needs_offset(step) && phase_of(i) == Phase::pass && walks_[step.map].pass == PassWalk::walks) {
      offsets_[step.map] = code.offset(step.map);
    }
  }
  write_phase(Phase::fixed, frame_.slots, code);
}

void BodyCode::write_pass() {
  IndexCode code(parts_.writer, frame_.schedule.maps, index_, frame_.wide);
  for (const auto& [map, offset] : offsets_) code.know(map, offset);
  write_phase(Phase::pass, group_, code);
  for (size_t i = 0; i < frame_.loop.stores.size(); ++i) write_store(i, code);
}

void BodyCode::advance() {
  parts_.writer.belong_to(-1);
  for (const auto& [map, offset] : offsets_) {
    if (map == 0 || walks_[map].pass != PassWalk::walks) continue;
    parts_.writer.instruction(frame_.wide ? "add.s64" : "add.s32",
                              {offset, offset, std::to_string(walks_[map].pass_stride)});
  }
}

void BodyCode::write_phase(Phase phase, uint32_t group, IndexCode& index) {
  std::vector<uint32_t> steps;
  size_t ahead = 0;
  for (uint32_t i = 0; i < values_.size(); ++i) {
    if (phase_of(i) != phase) continue;
    steps.push_back(i);
    ahead += is_load(i) ? slots_of(i) : 0;
  }
  group_slots_ = frame_.slots;
  for (const uint32_t step : steps) {
    if (ahead <= kLoadsAhead && is_load(step)) write_load(step, index);
  }
  for (first_slot_ = 0; first_slot_ < frame_.slots; first_slot_ += group) {
    group_slots_ = group;
    for (const uint32_t step : steps) write_step(step, index);
    for (size_t i = 0; phase == Phase::pass && i < frame_.loop.stores.size(); ++i) write_packing(i);
  }
  first_slot_ = 0;
  group_slots_ = frame_.slots;
}

/// The step's slots of the group at hand; one that all slots share is made with the first group.
void BodyCode::write_step(uint32_t number, IndexCode& index) {
  if (slots_of(number) == 1 && first_slot_ > 0) return;
  const Step& step = frame_.schedule.steps[number];
  switch (step.kind) {
    case StepKind::immediate:
      value(number, 0) =
          PtxValue{arithmetic_of(parts_.graph.op(step.op).dtype), known_value(parts_.graph.op(step.op)), {}};
      return;
    case StepKind::load:
      if (!loaded_.contains(number)) write_load(number, index);
      write_unpacking(number);
      return;
    case StepKind::compute:
      if (frame_.contractions.is_contracted[number]) {
        begin_op(step.op, parts_.formula(step.op) + ", rounded once with what reads it");
      } else {
        write_compute(number, index);
      }
      return;
    case StepKind::fold:
      return;  // not in a loop's schedule
  }
}

/// For every slot that the value in `slot` stands for.
void BodyCode::add_value_traces(uint32_t step, uint32_t slot, uint32_t line) {
  const PtxValue& made = value(step, slot);
  registers_.emplace_back(frame_.schedule.steps[step].op, made.own());
  const bool for_all = values_[step].size() == 1;
  for (uint32_t i = for_all ? 0 : slot; i < (for_all ? frame_.slots : slot + 1); ++i) {
    traces_.push_back({TraceKind::value, line, frame_.number, i, step, made.own(), made.arithmetic, 0});
  }
}

void BodyCode::write_load(uint32_t number, IndexCode& index) {
  const Step& step = frame_.schedule.steps[number];
  const FusionOp& op = parts_.graph.op(step.op);
  begin_op(step.op, parts_.reading(step.op));
  const std::string address = index.address(step.map, parts_.inputs.at(step.op), op.dtype_bytes);
  LoadedElements& loaded = loaded_[number];
  loaded = memory_.load(op.dtype, address, walks_[step.map].slot_stride, slots_of(number));
  for (uint32_t slot = 0; slot < frame_.slots; ++slot) {
    const ElementAccess& access = loaded.accesses[loaded.accesses.size() == 1 ? 0 : slot];
    traces_.push_back({TraceKind::load, access.line, frame_.number, slot, number, "", arithmetic_of(op.dtype),
                       access.offset});
  }
}

void BodyCode::write_unpacking(uint32_t number) {
  const LoadedElements& loaded = loaded_.at(number);
  const uint32_t op = frame_.schedule.steps[number].op;
  const bool shared = slots_of(number) == 1;
  if (MemoryCode::unpacks(loaded.dtype, slots_of(number))) {
    begin_op(op, parts_.title(op) + " from " + std::string(dtype_text(loaded.dtype)));
  }
  const std::vector<UnpackedElement> elements =
      memory_.unpack(loaded, shared ? 0 : first_slot_, shared ? 1 : group_slots_);
  for (uint32_t i = 0; i < elements.size(); ++i) {
    PtxValue& unpacked = value(number, first_slot_ + i);
    unpacked.arithmetic = arithmetic_of(loaded.dtype);
    unpacked.in(unpacked.arithmetic) = elements[i].reg;
    add_value_traces(number, first_slot_ + i, elements[i].ready_line);
  }
}

void BodyCode::write_compute(uint32_t number, IndexCode& index) {
  const Step& step = frame_.schedule.steps[number];
  const bool counts = step.operand_count == 0;
  const std::string offset = counts ? index.offset(step.map) : std::string();
  begin_op(step.op, parts_.formula(step.op));
  const uint32_t end = slots_of(number) == 1 ? 1 : first_slot_ + group_slots_;
  for (uint32_t slot = first_slot_; slot < end; ++slot) {
    std::vector<PtxValue*> operands;
    for (uint32_t i = 0; i < step.operand_count; ++i) {
      operands.push_back(&value(frame_.schedule.operands[step.operands + i], slot));
    }
    if (frame_.contractions.product_of[number] != kNoStep) {
      value(number, slot) = contracted(number, slot);
    } else {
      const uint64_t ahead = slot * walks_[step.map].slot_stride;
      value(number, slot) =
          parts_.ops.apply(step.op, operands, counts ? index.ahead(offset, ahead) : offset, frame_.wide);
    }
    add_value_traces(number, slot, line());
  }
}

/// a * b + c, a * b - c or c - a * b in one fma.
PtxValue BodyCode::contracted(uint32_t number, uint32_t slot) {
  const LoopSchedule& schedule = frame_.schedule;
  const Step& sum = schedule.steps[number];
  const uint32_t product = frame_.contractions.product_of[number];
  const bool product_first = schedule.operands[sum.operands] == product;
  const uint32_t factors = schedule.steps[product].operands;
  const bool is_difference = frame_.contractions.is_difference[number];
  return parts_.fused(&value(schedule.operands[factors], slot), &value(schedule.operands[factors + 1], slot),
                      &value(schedule.operands[sum.operands + (product_first ? 1 : 0)], slot),
                      is_difference && !product_first, is_difference && product_first);
}

/// What the group at hand gives to a store.
void BodyCode::write_packing(size_t store) {
  const uint32_t id = frame_.loop.stores[store];
  const DType dtype = parts_.graph.op(id).dtype;
  parts_.writer.belong_to(id);
  std::vector<std::string> elements;
  for (uint32_t slot = first_slot_; slot < first_slot_ + group_slots_; ++slot) {
    elements.push_back(parts_.ops.as(value(frame_.schedule.stored[store], slot), arithmetic_of(dtype)));
  }
  memory_.pack(dtype, frame_.slots, elements, to_store_[store]);
}

void BodyCode::write_store(size_t store, IndexCode& index) {
  const uint32_t id = frame_.loop.stores[store];
  const FusionOp& op = parts_.graph.op(id);
  begin_op(id, parts_.title(id) + " is stored");
  const std::string address = index.address(0, parts_.outputs.at(id), op.dtype_bytes);
  const std::vector<ElementAccess> accesses =
      memory_.store(op.dtype, address, frame_.slots, to_store_[store]);
  for (uint32_t slot = 0; slot < frame_.slots; ++slot) {
    traces_.push_back({TraceKind::store, accesses[slot].line, frame_.number, slot,
                       frame_.schedule.stored[store], "", arithmetic_of(op.dtype), accesses[slot].offset});
  }
}

TracedBody BodyCode::traced(uint32_t loop_number) const {
  TracedBody body;
  body.loop = loop_number;
  body.slots = frame_.slots;
  const LoopSchedule& schedule = frame_.schedule;
  for (uint32_t i = 0; i < schedule.steps.size(); ++i) {
    const Step& step = schedule.steps[i];
    const auto first = schedule.operands.begin() + step.operands;
    body.steps.push_back({step.kind, step.op, std::vector<uint32_t>(first, first + step.operand_count),
                          frame_.contractions.is_contracted[i]});
  }
  body.stored = schedule.stored;
  return body;
}

}  // namespace fuseboard
