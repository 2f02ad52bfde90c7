// Holding the rows of a block at its end: what its passes claimed, what each lane has of a row, every fold.
// It must not know launches, nor how PTX is run.
#include <algorithm>

#include "verify/lane_set.h"
#include "verify/register_value.h"
#include "verify/row_check.h"

namespace fuseboard {

void RowCheck::block_ended(uint64_t block) {
  if (mismatch_) return;
  if (block_ != block) begin_block(block);
  block_ = ~uint64_t{0};
  if (!hold_claims(block) || !hold_lanes(block)) return;
  const uint32_t rows = rows_there(block);
  for (uint32_t first = 0; first < rows; first += ptx::kWarp) {
    if (!hold_rows(block, first, std::min(rows - first, ptx::kWarp))) return;
  }
  for (uint32_t store = 0; store < body_.stores.size(); ++store) {
    if (rows_.steps[body_.stores[store].step].by_row && !hold_row_store(block, store)) return;
  }
}

/// Every column of every row was walked in every walk.
bool RowCheck::hold_claims(uint64_t block) {
  const uint64_t stride = uint64_t{shape_.threads} * (shape_.along_rows ? 1 : shape_.slots);
  for (uint32_t w = 0; w < walks_.size(); ++w) {
    if (walks_[w].steps.empty() && walks_[w].stores.empty()) continue;
    for (uint32_t thread = 0; thread < threads(); ++thread) {
      for (uint32_t slot = 0; slot < shape_.slots; ++slot) {
        const uint64_t column = shape_.column(thread, 0, slot);
        if (!is_there(block, thread, slot) || column >= columns_) continue;
        const uint64_t wanted = (columns_ - 1 - column) / stride + 1;
        const uint64_t ended = table_->passes_ended(thread / ptx::kWarp, w, slot, thread % ptx::kWarp);
        if (ended >= wanted) continue;
        const uint32_t step =
            walks_[w].steps.empty() ? body_.stores[walks_[w].stores[0]].step : walks_[w].steps[0];
        return fail_at(Mismatch::What::value, step, 0, body_.steps[step].line,
                       "row " + std::to_string(shape_.row(block, thread, slot)) + ", column " +
                           std::to_string(column + ended * stride) + " is not walked");
      }
    }
  }
  return true;
}

/// Every lane of a row has what its first lane has.
bool RowCheck::hold_lanes(uint64_t block) {
  const uint32_t slots = shape_.along_rows ? shape_.slots : 1;
  for (uint32_t warp = 0; warp < table_->warps(); ++warp) {
    for (uint32_t slot = 0; slot < slots; ++slot) {
      for (const uint32_t step : by_row_) {
        if (!hold_lanes_of(block, warp, slot, step) || !hold_load_lanes(block, warp, slot, step))
          return false;
      }
    }
  }
  return true;
}

bool RowCheck::hold_lanes_of(uint64_t block, uint32_t warp, uint32_t slot, uint32_t step) {
  const uint32_t seen = table_->value_lanes(warp, step, slot);
  const StepFacts& facts = body_.steps[step];
  for (uint32_t lane = 0; lane < ptx::kWarp; ++lane) {
    const uint32_t thread = warp * ptx::kWarp + lane;
    if (!is_there(block, thread, slot)) continue;
    const uint64_t row = shape_.row(block, thread, slot);
    if ((seen >> lane & 1) == 0) {
      return fail_at(Mismatch::What::value, step, row, facts.line,
                     "a lane of row " + std::to_string(row) + " never has " + setup_.graph.name_of(facts.op));
    }
    const auto [first, its_slot] = first_lane(local_row(thread, slot));
    if (first == thread) continue;
    if ((table_->value_lanes(first / ptx::kWarp, step, its_slot) >> first % ptx::kWarp & 1) == 0) continue;
    const uint64_t bits = table_->value(warp, 0, step, 0, slot)[lane];
    const uint64_t wanted = table_->value(first / ptx::kWarp, 0, step, 0, its_slot)[first % ptx::kWarp];
    const Element got = register_value(facts.arithmetic, bits);
    const Element expected = register_value(facts.arithmetic, wanted);
    if (is_same_element(dtype_of(facts.arithmetic), expected, got)) continue;
    Mismatch found{Mismatch::What::value, facts.op,         row, facts.line, {},
                   text(facts, expected), text(facts, got), 0,   0,          ""};
    found.message = "the lanes of row " + std::to_string(row) + " have different values of " +
                    setup_.graph.name_of(facts.op) + ": " + found.expected + " and " + found.got;
    return fail(std::move(found));
  }
  return true;
}

bool RowCheck::hold_load_lanes(uint64_t block, uint32_t warp, uint32_t slot, uint32_t step) {
  const StepFacts& facts = body_.steps[step];
  if (facts.kind != StepKind::load) return true;
  const uint32_t value = body_.walk.value_of_step[step];
  const auto known = std::find_if(row_steps_.begin(), row_steps_.end(),
                                  [&](uint32_t other) { return body_.walk.value_of_step[other] == value; });
  const TensorAt& tensor = tensors_[facts.parameter];
  bool holds = true;
  for_lanes(table_->load_lanes(warp, step, slot), [&](uint32_t lane) {
    const uint32_t thread = warp * ptx::kWarp + lane;
    if (!holds || !is_there(block, thread, slot)) return;
    const uint64_t element =
        value == row_
            ? shape_.row(block, thread, slot)
            : row_elements_[static_cast<size_t>(known - row_steps_.begin())][local_row(thread, slot)];
    const uint64_t address = tensor.address + element * tensor.bytes;
    const uint64_t got = table_->load(warp, 0, step, 0, slot)[lane];
    if (got == address) return;
    holds = fail_at(Mismatch::What::load, step, element, facts.access_line,
                    "a load of " + place(facts.op, element) + " reads " + setup_.memory.describe(got) +
                        ", not " + setup_.memory.describe(address));
  });
  return holds;
}

void RowCheck::gather_rows(uint64_t block, uint32_t first, uint32_t count) {
  for (uint32_t k = 0; k < count; ++k) {
    const uint64_t row = block * shape_.rows_in_block + first + k;
    elements_[row_][k] = row;
    elements_[full_][k] = shape_.domain.element(row, 0);
  }
  const BodyWalk& walk = body_.walk;
  for (size_t value = walk.stores; value < walk.values.size(); ++value) {
    const ElementMap& map = walk.maps[walk.values[value].map];
    for (uint32_t k = 0; k < count; ++k) elements_[value][k] = map.at(elements_[walk.values[value].from][k]);
  }
}

bool RowCheck::hold_rows(uint64_t block, uint32_t first, uint32_t count) {
  gather_rows(block, first, count);
  const size_t steps = body_.steps.size();
  for (const uint32_t step : by_row_) {
    const StepFacts& facts = body_.steps[step];
    for (uint32_t k = 0; k < count; ++k) {
      const auto [thread, slot] = first_lane(first + k);
      rows_at_hand_[step][k] = table_->value(thread / ptx::kWarp, 0, step, 0, slot)[thread % ptx::kWarp];
      if (facts.kind != StepKind::load) continue;
      const TensorAt& tensor = tensors_[facts.parameter];
      rows_at_hand_[steps + step][k] =
          tensor.address + elements_[body_.walk.value_of_step[step]][k] * tensor.bytes;
    }
  }
  const TracedPass pass{0, 0, first_lanes(count), 0, rows_at_hand_};
  for (const uint32_t step : by_row_) {
    bool holds = true;
    switch (body_.steps[step].kind) {
      case StepKind::load:
        holds = check_load(body_, pass, step);
        break;
      case StepKind::immediate:
      case StepKind::compute:
        holds = check_value(body_, pass, step);
        break;
      case StepKind::fold:
        for (const Fold& fold : folds_) {
          if (fold.step == step) holds = hold_fold(fold, first, pass);
        }
        break;
    }
    if (!holds) return false;
  }
  return true;
}

bool RowCheck::hold_fold(const Fold& fold, uint32_t first, const TracedPass& pass) {
  const StepFacts& facts = body_.steps[fold.step];
  bool holds = true;
  for_lanes(pass.lanes, [&](uint32_t k) {
    if (!holds) return;
    FoldReference reference = fold.rows[first + k];
    for (uint64_t c = 0; c < columns_ && !is_fed(fold.operand); ++c)
      reference.take(value_of(body_, pass, fold.operand, k), c);
    if (facts.operands.size() > 1) {
      const StepFacts& initial = body_.steps[facts.operands[1]];
      const DType from = standing_of(setup_.graph.op(initial.op).dtype);
      const DType to = standing_of(setup_.graph.op(body_.steps[fold.operand].op).dtype);
      reference.start_from(converted(from, to, value_of(body_, pass, facts.operands[1], k)));
    }
    const uint64_t element = elements_[body_.walk.value_of_step[fold.step]][k];
    const Element got = register_value(facts.arithmetic, pass.rows[fold.step][k]);
    const Held verdict = reference.hold(got);
    if (verdict.holds) {
      if (verdict.ulps > 0) note_worst(facts, element, verdict);
      return;
    }
    Mismatch found{Mismatch::What::value,         facts.op,         element,      facts.line,    {},
                   text(facts, verdict.expected), text(facts, got), verdict.ulps, verdict.bound, ""};
    found.message = place(facts.op, element) + " is " + found.got + ", not " + found.expected;
    holds = fail(std::move(found));
  });
  values_held_ += static_cast<uint64_t>(__builtin_popcount(pass.lanes));
  return holds;
}

/// Each row is stored by one lane, at its element.
bool RowCheck::hold_row_store(uint64_t block, uint32_t store) {
  const StoreFacts& facts = body_.stores[store];
  const TensorAt& tensor = tensors_[facts.parameter];
  const uint32_t rows = rows_there(block);
  std::vector<uint32_t> stored(rows, 0);
  bool holds = true;
  for (uint32_t warp = 0; warp < table_->warps(); ++warp) {
    for (uint32_t slot = 0; slot < (shape_.along_rows ? shape_.slots : 1); ++slot) {
      for_lanes(table_->store_lanes(warp, store, slot), [&](uint32_t lane) {
        const uint32_t thread = warp * ptx::kWarp + lane;
        const uint64_t row = shape_.row(block, thread, slot);
        const uint64_t got = table_->store(warp, 0, store, 0, slot)[lane];
        const uint64_t address = tensor.address + row * tensor.bytes;
        if (!holds) return;
        if (!is_there(block, thread, slot) || got != address) {
          holds = fail_at(Mismatch::What::store, facts.step, row, facts.line,
                          "row " + std::to_string(row) + " of " + setup_.graph.name_of(tensor.op) +
                              " is stored at " + setup_.memory.describe(got));
        } else {
          ++stored[local_row(thread, slot)];
        }
      });
    }
  }
  for (uint32_t r = 0; r < rows && holds; ++r) {
    if (stored[r] == 1) continue;
    const uint64_t row = block * shape_.rows_in_block + r;
    holds = fail_at(Mismatch::What::store, facts.step, row, facts.line,
                    place(tensor.op, row) + " is stored " + std::to_string(stored[r]) + " times");
  }
  for (uint32_t first = 0; first < rows && holds; first += ptx::kWarp) {
    const uint32_t count = std::min(rows - first, ptx::kWarp);
    gather_rows(block, first, count);
    elements_[store] = elements_[row_];
    for (uint32_t k = 0; k < count && body_.steps[facts.step].is_traced; ++k) {
      const auto [thread, slot] = first_lane(first + k);
      rows_at_hand_[facts.step][k] =
          table_->value(thread / ptx::kWarp, 0, facts.step, 0, slot)[thread % ptx::kWarp];
    }
    holds = check_store(body_, {0, 0, first_lanes(count), 0, rows_at_hand_}, store);
  }
  return holds;
}

}  // namespace fuseboard
