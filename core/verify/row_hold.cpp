// Holding a pass of a walk, as it ends.
// It must not know launches, nor how PTX is run.
#include <algorithm>

#include "verify/lane_set.h"
#include "verify/row_check.h"

namespace fuseboard {

bool RowCheck::fail_at(Mismatch::What what, uint32_t step, uint64_t element, uint32_t line,
                       std::string message) {
  return fail({what, body_.steps[step].op, element, line, {}, "", "", 0, 0, std::move(message)});
}

uint32_t RowCheck::local_row(uint32_t thread, uint32_t slot) const {
  return static_cast<uint32_t>(shape_.row(0, thread, slot));
}

std::pair<uint32_t, uint32_t> RowCheck::first_lane(uint32_t local_row) const {
  if (shape_.along_rows) return {local_row / shape_.slots, local_row % shape_.slots};
  return {local_row * shape_.threads, 0};
}

bool RowCheck::is_there(uint64_t block, uint32_t thread, uint32_t slot) const {
  return thread < threads() && shape_.row(block, thread, slot) < row_count_;
}

uint32_t RowCheck::rows_there(uint64_t block) const {
  const uint64_t first = block * shape_.rows_in_block;
  return first >= row_count_
             ? 0
             : static_cast<uint32_t>(std::min<uint64_t>(row_count_ - first, shape_.rows_in_block));
}

void RowCheck::begin_block(uint64_t block) {
  block_ = block;
  for (Fold& fold : folds_) {
    for (FoldReference& each : fold.rows) each.begin();
  }
  const uint32_t rows = rows_there(block);
  for (uint32_t first = 0; first < rows && !row_steps_.empty(); first += ptx::kWarp) {
    const uint32_t count = std::min(rows - first, ptx::kWarp);
    gather_rows(block, first, count);
    for (size_t i = 0; i < row_steps_.size(); ++i) {
      const LaneRow& elements = elements_[body_.walk.value_of_step[row_steps_[i]]];
      for (uint32_t k = 0; k < count; ++k) row_elements_[i][first + k] = elements[k];
    }
  }
}

uint32_t RowCheck::lanes_there(const TracedUnit& unit) const {
  uint32_t there = 0;
  for_lanes(unit.lanes, [&](uint32_t lane) {
    const uint32_t thread = unit.warp * ptx::kWarp + lane;
    const bool has_column = shape_.column(thread, unit.passes[lane], unit.slot) < columns_;
    if (has_column && is_there(unit.block, thread, unit.slot)) there |= 1U << lane;
  });
  return there;
}

void RowCheck::accessed_beyond(const TracedUnit& unit, uint32_t line) {
  if (mismatch_) return;
  const auto lane = static_cast<uint32_t>(__builtin_ctz(unit.lanes));
  const uint32_t thread = unit.warp * ptx::kWarp + lane;
  fail_at(Mismatch::What::load, 0, 0, line,
          "thread " + std::to_string(thread) + " of block " + std::to_string(unit.block) +
              " loads or stores at row " + std::to_string(shape_.row(unit.block, thread, unit.slot)) +
              ", column " + std::to_string(shape_.column(thread, unit.passes[lane], unit.slot)) +
              ", which is not there");
}

uint32_t RowCheck::claim(const TracedUnit& unit) {
  const uint32_t there = lanes_there(unit);
  for_lanes(there, [&](uint32_t lane) {
    const uint32_t thread = unit.warp * ptx::kWarp + lane;
    const uint64_t row = shape_.row(unit.block, thread, unit.slot);
    local_rows_[lane] = local_row(thread, unit.slot);
    columns_at_hand_[lane] = shape_.column(thread, unit.passes[lane], unit.slot);
    elements_[row_][lane] = row;
    elements_[full_][lane] = shape_.domain.element(row, columns_at_hand_[lane]);
  });
  return there;
}

void RowCheck::unit_ended(const TracedUnit& unit) {
  if (mismatch_) return;
  if (block_ != unit.block) begin_block(unit.block);
  const uint32_t lanes = claim(unit);
  const uint32_t wrong = lanes & (unit.partial | unit.repeated);
  const Walk& walk = walks_[unit.walk];
  if (wrong != 0) {
    const uint32_t lane = static_cast<uint32_t>(__builtin_ctz(wrong));
    const uint32_t step = walk.steps.empty() ? body_.stores[walk.stores[0]].step : walk.steps[0];
    const bool is_repeated = (unit.repeated >> lane & 1) != 0;
    fail_at(Mismatch::What::value, step, 0, unit.first_line,
            "row " + std::to_string(elements_[row_][lane]) + ", column " +
                std::to_string(columns_at_hand_[lane]) +
                (is_repeated ? " is walked twice in one walk" : " is walked, but not all of it is computed"));
    return;
  }
  if (lanes != 0 && hold_unit(unit, walk, lanes)) feed(walk, lanes);
}

bool RowCheck::hold_unit(const TracedUnit& unit, const Walk& walk, uint32_t lanes) {
  const size_t steps = body_.steps.size();
  const uint64_t pass_number = unit.passes[static_cast<uint32_t>(__builtin_ctz(lanes))];
  for (const Source& each : walk.seen) {
    const bool by_row = rows_.steps[each.step].by_row;
    const uint32_t slot = by_row && !shape_.along_rows ? 0 : unit.slot;
    rows_at_hand_[each.step] =
        table_->value(unit.warp, by_row ? 0 : each.walk, each.step, by_row ? 0 : pass_number, slot);
  }
  for (const uint32_t step : walk.steps) {
    if (body_.steps[step].kind == StepKind::load)
      rows_at_hand_[steps + step] = table_->load(unit.warp, unit.walk, step, pass_number, unit.slot);
  }
  for (const uint32_t store : walk.stores) {
    rows_at_hand_[2 * steps + store] = table_->store(unit.warp, unit.walk, store, pass_number, unit.slot);
    elements_[store] = elements_[full_];
  }
  const TracedPass pass{0, unit.slot, lanes, 0, rows_at_hand_};
  if (!map_elements(body_, pass) || !hold_same_rows(lanes)) return false;
  for (const uint32_t step : walk.steps) {
    const bool is_load = body_.steps[step].kind == StepKind::load;
    if (!(is_load ? check_load(body_, pass, step) : check_value(body_, pass, step))) return false;
  }
  return std::all_of(walk.stores.begin(), walk.stores.end(),
                     [&](uint32_t store) { return hold_full_store(pass, store); });
}

/// What is by row is one element for the whole row.
bool RowCheck::hold_same_rows(uint32_t lanes) {
  for (size_t i = 0; i < row_steps_.size(); ++i) {
    const LaneRow& elements = elements_[body_.walk.value_of_step[row_steps_[i]]];
    bool holds = true;
    for_lanes(lanes, [&](uint32_t lane) {
      const uint64_t wanted = row_elements_[i][local_rows_[lane]];
      if (!holds || elements[lane] == wanted) return;
      const uint32_t op = body_.steps[row_steps_[i]].op;
      holds = fail_at(
          Mismatch::What::value, row_steps_[i], elements[lane], body_.steps[row_steps_[i]].line,
          "one value of a row stands for " + place(op, wanted) + " and for " + place(op, elements[lane]));
    });
    if (!holds) return false;
  }
  return true;
}

bool RowCheck::hold_full_store(const TracedPass& pass, uint32_t store) {
  const StoreFacts& facts = body_.stores[store];
  const TensorAt& tensor = tensors_[facts.parameter];
  const LaneRow& addresses = pass.rows[2 * body_.steps.size() + store];
  bool holds = true;
  for_lanes(pass.lanes, [&](uint32_t lane) {
    const uint64_t element = elements_[store][lane];
    const uint64_t address = tensor.address + element * tensor.bytes;
    if (!holds || addresses[lane] == address) return;
    holds = fail_at(Mismatch::What::store, facts.step, element, facts.line,
                    place(tensor.op, element) + " is stored at " + setup_.memory.describe(addresses[lane]) +
                        ", not at " + setup_.memory.describe(address));
  });
  return holds && check_store(body_, pass, store);
}

void RowCheck::feed(const Walk& walk, uint32_t lanes) {
  for (const uint32_t number : walk.folds) {
    Fold& fold = folds_[number];
    const TracedPass pass{0, 0, lanes, 0, rows_at_hand_};
    for_lanes(lanes, [&](uint32_t lane) {
      fold.rows[local_rows_[lane]].take(value_of(body_, pass, fold.operand, lane), columns_at_hand_[lane]);
    });
  }
}

}  // namespace fuseboard
