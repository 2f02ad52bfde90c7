// Placing the traces of each walk, pass and slot, and following them as the kernel runs.
// It must not know graphs, nor what the values should be.
#include "verify/row_table.h"

#include <algorithm>

#include "verify/trace_lines.h"

namespace fuseboard {

RowTable::RowTable(const EmittedKernel& emitted, const RowShape& shape, RowSink& sink)
    : emitted_(emitted),
      shape_(shape),
      sink_(sink),
      steps_(static_cast<uint32_t>(emitted.rows->steps.size())),
      stored_(static_cast<uint32_t>(emitted.rows->stored.size())) {
  const uint32_t threads = shape.threads * shape.rows_in_block / (shape.along_rows ? shape.slots : 1);
  warp_count_ = (threads + ptx::kWarp - 1) / ptx::kWarp;
  const size_t walks = emitted.rows->walks;
  places_.resize(walks * steps_);
  loads_.resize(walks * steps_);
  stores_.resize(walks * stored_);
  is_repeated_.assign(walks, 0);
}

std::unique_ptr<RowTable> RowTable::make(const EmittedKernel& emitted, const RowShape& shape,
                                         const ptx::Function& entry, RowSink& sink, std::string& fault) {
  std::unique_ptr<RowTable> table(new RowTable(emitted, shape, sink));
  if (!table->prepare(entry, fault)) return nullptr;
  return table;
}

bool RowTable::prepare(const ptx::Function& entry, std::string& fault) {
  for (const Trace& trace : emitted_.traces) {
    if (!add(trace, entry, fault)) return false;
  }
  for (const std::vector<Place>* places : {&places_, &stores_}) {
    for (const Place& place : *places) {
      if (place.rows == kNone || place.traced == place.count) continue;
      fault = "some slots of a step are traced, others are not";
      return false;
    }
  }
  const TraceLines lines(emitted_.text, entry);
  for (Action& each : actions_) {
    const std::optional<uint32_t> instruction = lines.instruction_of(each.line, each.kind, fault);
    if (!instruction) return false;
    each.instruction = *instruction;
  }
  std::stable_sort(actions_.begin(), actions_.end(),
                   [](const Action& a, const Action& b) { return a.instruction < b.instruction; });
  for (uint32_t i = 0; i < actions_.size(); ++i) {
    if (actions_[i].unit == kNone) continue;
    Unit& unit = units_[actions_[i].unit];
    if (unit.actions.empty()) unit.first_line = actions_[i].line;
    unit.actions.push_back(i);
  }
  for (const Unit& unit : units_) actions_[unit.actions.back()].is_last = true;
  size_t next = 0;
  for (uint32_t i = 0; i < entry.instructions.size(); ++i) {
    first_action_.push_back(static_cast<uint32_t>(next));
    if (next < actions_.size() && actions_[next].instruction == i)
      lines_.push_back(entry.instructions[i].line);
    while (next < actions_.size() && actions_[next].instruction == i) ++next;
  }
  first_action_.push_back(static_cast<uint32_t>(next));
  return true;
}

RowTable::Place* RowTable::place_of(const Trace& trace, std::string& fault) {
  const TracedRows& rows = *emitted_.rows;
  const std::string where = "the trace of line " + std::to_string(trace.line);
  const bool is_known = trace.step < steps_ && trace.walk < rows.walks + 1;
  const bool by_row = is_known && is_by_row(trace.step);
  const uint64_t slots = by_row && !shape_.along_rows ? 1 : shape_.slots;
  const bool is_placed =
      by_row || (trace.walk < rows.walks && (trace.pass == kEveryPass || trace.pass < shape_.passes));
  if (!is_known || trace.slot >= slots || !is_placed) {
    fault = where + " is of no step";
    return nullptr;
  }
  const uint32_t walk = by_row ? 0 : trace.walk;
  switch (trace.kind) {
    case TraceKind::value:
      return &places_[walk * steps_ + trace.step];
    case TraceKind::load:
      return &loads_[walk * steps_ + trace.step];
    case TraceKind::store:
      break;
  }
  const auto store = std::find(rows.stored.begin(), rows.stored.end(), trace.step);
  if (store == rows.stored.end()) {
    fault = where + " stores a step that is not stored";
    return nullptr;
  }
  return &stores_[walk * stored_ + static_cast<uint32_t>(store - rows.stored.begin())];
}

bool RowTable::add(const Trace& trace, const ptx::Function& entry, std::string& fault) {
  Place* place = place_of(trace, fault);
  if (place == nullptr) return false;
  Action action;
  action.kind = trace.kind;
  action.line = trace.line;
  action.step = trace.step;
  action.slot_offset = trace.slot_offset;
  const bool by_row = is_by_row(trace.step);
  const bool is_repeated = !by_row && trace.pass == kEveryPass;
  if (place->rows == kNone) {
    place->rows = row_count_;
    place->is_repeated = is_repeated;
    const uint64_t passes = by_row || is_repeated ? 1 : shape_.passes;
    const uint64_t rows = passes * (by_row && !shape_.along_rows ? 1 : shape_.slots);
    if (rows > 65536 || row_count_ > (uint32_t{1} << 22)) {
      fault = "it has more traced passes than are kept";
      return false;
    }
    place->count = static_cast<uint32_t>(rows);
    row_count_ += place->count;
    is_traced_.resize(row_count_);
  }
  if (!by_row && is_repeated) is_repeated_[trace.walk] = 1;
  if (place->is_repeated != is_repeated) {
    fault = "line " + std::to_string(trace.line) + " is traced for every pass, others for one";
    return false;
  }
  action.row = row_in(*place, by_row ? 0 : trace.pass, trace.slot);
  if (!is_traced_[action.row]) ++place->traced;
  is_traced_[action.row] = true;
  if (trace.kind == TraceKind::value) {
    action.reg = entry.register_named(trace.reg);
    if (action.reg == ptx::kNone) {
      fault = "the trace of line " + std::to_string(trace.line) + " names " + trace.reg +
              ", which is no register";
      return false;
    }
  }
  if (!by_row) {
    const auto [unit, is_new] =
        unit_of_.try_emplace({trace.walk, trace.pass, trace.slot}, static_cast<uint32_t>(units_.size()));
    if (is_new) units_.push_back({trace.walk, trace.pass, trace.slot, 0, {}});
    action.unit = unit->second;
  }
  actions_.push_back(action);
  return true;
}

uint32_t RowTable::row_in(const Place& place, uint64_t pass, uint32_t slot) const {
  return place.rows + slot + (place.is_repeated ? 0 : static_cast<uint32_t>(pass) * shape_.slots);
}

RowTable::WarpRows& RowTable::rows_of(uint32_t warp) {
  if (warp >= warps_.size()) warps_.resize(warp + 1);
  WarpRows& rows = warps_[warp];
  if (rows.rows.empty()) {
    rows.rows.assign(row_count_, LaneRow{});
    rows.masks.assign(row_count_, 0);
    rows.ended.assign(units_.size(), 0);
    rows.counts.resize(units_.size());
    for (size_t i = 0; i < units_.size(); ++i) {
      if (units_[i].pass == kEveryPass) rows.counts[i].assign(ptx::kWarp, 0);
    }
  }
  return rows;
}

void RowTable::begin_block() {
  for (WarpRows& each : warps_) {
    std::fill(each.masks.begin(), each.masks.end(), 0);
    std::fill(each.ended.begin(), each.ended.end(), 0);
    for (std::vector<uint64_t>& counts : each.counts) std::fill(counts.begin(), counts.end(), 0);
  }
}

void RowTable::drop_block() {
  block_ = ~uint64_t{0};
  begin_block();
}

void RowTable::end_block(uint64_t block) {
  if (block_ != block && block_ != ~uint64_t{0}) sink_.block_ended(block_);
  if (block_ != block) begin_block();
  sink_.block_ended(block);
  drop_block();
}

void RowTable::executed(const ptx::WarpView& warp, uint32_t index) {
  if (index + 1 >= first_action_.size()) return;
  if (warp.block() != block_) {
    if (block_ != ~uint64_t{0}) sink_.block_ended(block_);
    begin_block();
    block_ = warp.block();
  }
  WarpRows& rows = rows_of(warp.warp());
  const uint32_t active = warp.active();
  tell_beyond(index, warp, rows);
  LaneRow seen;
  for (uint32_t i = first_action_[index]; i < first_action_[index + 1]; ++i) {
    const Action& action = actions_[i];
    LaneRow& row = rows.rows[action.row];
    if (action.kind == TraceKind::value) {
      warp.lanes(action.reg, seen);
    } else {
      for (uint32_t lane = 0; lane < ptx::kWarp; ++lane)
        seen[lane] = warp.addresses()[lane] + action.slot_offset;
    }
    for (uint32_t lane = 0; lane < ptx::kWarp; ++lane) {
      if ((active >> lane & 1) != 0) row[lane] = seen[lane];
    }
    rows.masks[action.row] |= active;
    if (action.is_last) end_unit(action, warp, rows);
  }
}

/// Lanes that load or store though they have no element.
void RowTable::tell_beyond(uint32_t index, const ptx::WarpView& warp, const WarpRows& rows) {
  TracedUnit told;
  told.block = warp.block();
  told.warp = warp.warp();
  told.lanes = warp.active();
  bool is_access = false;
  for (uint32_t i = first_action_[index]; told.lanes != 0 && i < first_action_[index + 1]; ++i) {
    const Action& action = actions_[i];
    if (action.kind == TraceKind::value || action.unit == kNone) continue;
    const Unit& unit = units_[action.unit];
    is_access = true;
    told.walk = unit.walk;
    told.slot = unit.slot;
    if (unit.pass == kEveryPass) {
      std::copy_n(rows.counts[action.unit].begin(), ptx::kWarp, told.passes.begin());
    } else {
      told.passes.fill(unit.pass);
    }
    told.lanes &= ~sink_.lanes_there(told);
  }
  if (is_access && told.lanes != 0) sink_.accessed_beyond(told, actions_[first_action_[index]].line);
}

void RowTable::end_unit(const Action& action, const ptx::WarpView& warp, WarpRows& rows) {
  const Unit& unit = units_[action.unit];
  TracedUnit told;
  told.block = warp.block();
  told.warp = warp.warp();
  told.walk = unit.walk;
  told.slot = unit.slot;
  told.first_line = unit.first_line;
  told.lanes = warp.active();
  uint32_t whole = told.lanes;
  for (const uint32_t i : unit.actions) whole &= rows.masks[actions_[i].row];
  told.partial = told.lanes & ~whole;
  if (unit.pass == kEveryPass) {
    for (const uint32_t i : unit.actions) rows.masks[actions_[i].row] &= ~told.lanes;
    std::copy_n(rows.counts[action.unit].begin(), ptx::kWarp, told.passes.begin());
    for (uint32_t lane = 0; lane < ptx::kWarp; ++lane)
      rows.counts[action.unit][lane] += told.lanes >> lane & 1;
  } else {
    told.repeated = rows.ended[action.unit] & told.lanes;
    rows.ended[action.unit] |= told.lanes;
    told.passes.fill(unit.pass);
  }
  sink_.unit_ended(told);
}

const LaneRow& RowTable::value(uint32_t warp, uint32_t walk, uint32_t step, uint64_t pass,
                               uint32_t slot) const {
  return warps_[warp].rows[row_in(places_[walk * steps_ + step], pass, slot)];
}

const LaneRow& RowTable::load(uint32_t warp, uint32_t walk, uint32_t step, uint64_t pass,
                              uint32_t slot) const {
  return warps_[warp].rows[row_in(loads_[walk * steps_ + step], pass, slot)];
}

const LaneRow& RowTable::store(uint32_t warp, uint32_t walk, uint32_t store, uint64_t pass,
                               uint32_t slot) const {
  return warps_[warp].rows[row_in(stores_[walk * stored_ + store], pass, slot)];
}

uint32_t RowTable::mask_of(uint32_t warp, const Place& place, uint32_t slot) const {
  const bool is_seen = place.rows != kNone && warp < warps_.size() && !warps_[warp].masks.empty();
  return is_seen ? warps_[warp].masks[place.rows + slot] : 0;
}

uint32_t RowTable::value_lanes(uint32_t warp, uint32_t step, uint32_t slot) const {
  return mask_of(warp, places_[step], slot);
}

uint32_t RowTable::load_lanes(uint32_t warp, uint32_t step, uint32_t slot) const {
  return mask_of(warp, loads_[step], slot);
}

uint32_t RowTable::store_lanes(uint32_t warp, uint32_t store, uint32_t slot) const {
  return mask_of(warp, stores_[store], slot);
}

uint64_t RowTable::passes_ended(uint32_t warp, uint32_t walk, uint32_t slot, uint32_t lane) const {
  if (warp >= warps_.size() || warps_[warp].ended.empty()) return 0;
  const auto every = unit_of_.find({walk, kEveryPass, slot});
  if (every != unit_of_.end()) return warps_[warp].counts[every->second][lane];
  uint64_t sum = 0;
  for (uint32_t pass = 0; pass < shape_.passes; ++pass) {
    const auto unit = unit_of_.find({walk, pass, slot});
    if (unit == unit_of_.end()) continue;
    sum += warps_[warp].ended[unit->second] >> lane & 1;
  }
  return sum;
}

}  // namespace fuseboard
