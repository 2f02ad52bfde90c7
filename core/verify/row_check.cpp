// Preparing to hold rows: the walk of the graph, what each walk along a row shows, what each fold is fed.
// It must not know launches, nor how PTX is run.
#include "verify/row_check.h"

#include <algorithm>

#include "graph/reducer_of.h"

namespace fuseboard {
namespace {

/// The most additions that one operand of a fold goes through: those of its thread, those of the tree over
/// the threads of its row, and that of the initial value.
uint64_t depth_of(const RowShape& shape) {
  uint64_t depth = shape.passes * (shape.along_rows ? 1 : shape.slots) + 1;
  for (uint32_t left = shape.threads; left > 1; left /= 2) ++depth;
  return depth;
}

TracedBody body_of(const TracedRows& rows) {
  TracedBody body;
  for (const TracedRows::Step& each : rows.steps)
    body.steps.push_back({each.kind, each.op, each.operands, each.is_contracted});
  body.stored = rows.stored;
  return body;
}

}  // namespace

RowCheck::RowCheck(const PassCheckSetup& setup)
    : PassCheck(setup),
      shape_(*setup.kernel.rows),
      rows_(*setup.emitted.rows),
      row_count_(shape_.domain.rows()),
      columns_(shape_.domain.columns()),
      full_(BodyWalk::full_of(rows_)),
      row_(BodyWalk::row_of(rows_)) {}

std::unique_ptr<RowCheck> RowCheck::make(const PassCheckSetup& setup, std::string& fault) {
  if (!setup.kernel.rows || !setup.emitted.rows) {
    fault = "it reduces, but its rows are not traced";
    return nullptr;
  }
  std::unique_ptr<RowCheck> check(new RowCheck(setup));
  if (!check->prepare(fault)) return nullptr;
  return check;
}

uint32_t RowCheck::threads() const {
  return shape_.threads * shape_.rows_in_block / (shape_.along_rows ? shape_.slots : 1);
}

bool RowCheck::prepare_shape(std::string& fault) const {
  const KernelConfig& config = setup_.kernel.config;
  const bool has_sizes = shape_.slots > 0 && shape_.threads > 0 && shape_.threads <= 1024 &&
                         shape_.rows_in_block > 0 && shape_.rows_in_block <= 65536 && shape_.passes > 0;
  const bool has_groups = !has_sizes || !shape_.along_rows || shape_.rows_in_block % shape_.slots == 0;
  const uint64_t at_once = uint64_t{shape_.threads} * (shape_.along_rows ? 1 : shape_.slots);
  if (!has_sizes || !has_groups || (columns_ - 1) / at_once >= shape_.passes) {
    fault = "its threads do not reach every column of a row";
  } else if ((row_count_ - 1) / shape_.rows_in_block + 1 != config.grid[0] || config.grid[1] != 1 ||
             config.grid[2] != 1 || config.block[0] != threads() || config.block[1] != 1 ||
             config.block[2] != 1) {
    fault = "its grid and block are not those of its rows";
  }
  return fault.empty();
}

bool RowCheck::prepare(std::string& fault) {
  if (!prepare_shape(fault)) return false;
  prepare_tensors();
  std::optional<BodyWalk> walk = BodyWalk::make_of_rows(setup_.graph, rows_, fault);
  if (!walk) return false;
  body_.walk = std::move(*walk);
  if (!prepare_steps(body_of(rows_), body_, fault)) return false;
  elements_.resize(body_.walk.values.size());
  rows_at_hand_.assign(2 * body_.steps.size() + body_.stores.size(), LaneRow{});
  read_traces();
  return prepare_folds(fault);
}

void RowCheck::read_traces() {
  for (const Trace& trace : setup_.emitted.traces) {
    if (trace.slot != 0 || trace.step >= body_.steps.size()) continue;
    StepFacts& step = body_.steps[trace.step];
    switch (trace.kind) {
      case TraceKind::value:
        if (!step.is_traced) step.line = trace.line;
        step.arithmetic = trace.arithmetic;
        step.is_traced = true;
        break;
      case TraceKind::load:
        if (step.access_line == 0) step.access_line = trace.line;
        break;
      case TraceKind::store:
        for (StoreFacts& store : body_.stores) {
          if (store.step == trace.step && store.line == 0) store.line = trace.line;
        }
        break;
    }
  }
}

bool RowCheck::prepare_folds(std::string& fault) {
  for (uint32_t s = 0; s < body_.steps.size(); ++s) {
    const StepFacts& step = body_.steps[s];
    if (rows_.steps[s].by_row && body_.walk.value_of_step[s] != BodyWalk::kNoValue &&
        (step.is_traced || step.kind == StepKind::fold)) {
      by_row_.push_back(s);
    }
    if (step.kind != StepKind::fold || body_.walk.value_of_step[s] == BodyWalk::kNoValue) continue;
    std::optional<FoldReference> reference =
        FoldReference::make(setup_.graph, step.op, depth_of(shape_), fault);
    if (!reference) return false;
    uint32_t fed = step.operands[0];
    const uint32_t max = rows_.steps[s].online_max;
    if (max != RowStep::kNone) {
      if (!is_online_sum(s, fault)) return false;
      fed = body_.steps[max].operands[0];
      const DType standing = standing_of(setup_.graph.op(step.op).dtype);
      reference = FoldReference::make_online(standing, depth_of(shape_), shape_.passes);
    }
    folds_.push_back({s, fed, *reference, {}});
    folds_.back().rows.assign(shape_.rows_in_block, *reference);
  }
  for (const uint32_t step : by_row_) {
    const uint32_t value = body_.walk.value_of_step[step];
    const bool is_known =
        value == row_ || std::any_of(row_steps_.begin(), row_steps_.end(), [&](uint32_t other) {
          return body_.walk.value_of_step[other] == value;
        });
    if (!is_known) row_steps_.push_back(step);
  }
  row_elements_.assign(row_steps_.size(), std::vector<uint64_t>(shape_.rows_in_block));
  return true;
}

/// Whether a sum that says so is one of exp(x - max x).
bool RowCheck::is_online_sum(uint32_t sum, std::string& fault) const {
  const auto is = [&](uint32_t step, OpKind kind, size_t operands) {
    return setup_.graph.op(body_.steps[step].op).kind == kind &&
           body_.steps[step].operands.size() >= operands;
  };
  const auto folds = [&](uint32_t step, std::string_view reducer) {
    return body_.steps[step].kind == StepKind::fold && !body_.steps[step].operands.empty() &&
           reducer_of(setup_.graph.op(body_.steps[step].op)) == reducer;
  };
  const uint32_t max = rows_.steps[sum].online_max;
  const uint32_t power = body_.steps[sum].operands[0];
  bool is_one = max < sum && folds(sum, "sum") && folds(max, "max") && is(power, OpKind::exp, 1);
  const uint32_t difference = is_one ? body_.steps[power].operands[0] : 0;
  is_one = is_one && is(difference, OpKind::sub, 2) && body_.steps[difference].operands[1] == max &&
           body_.steps[difference].operands[0] == body_.steps[max].operands[0];
  if (!is_one) fault = setup_.graph.name_of(body_.steps[sum].op) + " is no sum of exp(x - max x)";
  return is_one;
}

bool RowCheck::is_fed(uint32_t step) const {
  return !rows_.steps[step].by_row && body_.steps[step].kind != StepKind::immediate;
}

/// Of every step whether a store needs it: what a sum folded online reads in the graph, it does not.
std::vector<bool> RowCheck::needed_steps() const {
  std::vector<bool> needed(body_.steps.size(), false);
  for (const StoreFacts& store : body_.stores) needed[store.step] = true;
  for (size_t s = needed.size(); s-- > 0;) {
    const bool is_online = rows_.steps[s].online_max != RowStep::kNone;
    if (needed[s] && is_online) needed[rows_.steps[s].online_max] = true;
    for (size_t k = is_online ? 1 : 0; needed[s] && k < body_.steps[s].operands.size(); ++k) {
      needed[body_.steps[s].operands[k]] = true;
    }
  }
  return needed;
}

bool RowCheck::use(const RowTable& table, std::string& fault) {
  table_ = &table;
  walks_.resize(rows_.walks);
  for (uint32_t w = 0; w < rows_.walks; ++w) {
    if (!prepare_walk(w, fault)) return false;
  }
  const std::vector<bool> needed = needed_steps();
  for (uint32_t s = 0; s < body_.steps.size(); ++s) {
    const StepFacts& step = body_.steps[s];
    const bool is_needed = needed[s] && !step.is_contracted && step.kind != StepKind::immediate;
    const bool is_unloaded = rows_.steps[s].by_row && step.kind == StepKind::load && !table.has_load(0, s);
    if (!is_needed || (step.is_traced && !is_unloaded)) continue;
    fault = "no line shows the value of " + setup_.graph.name_of(step.op);
    return false;
  }
  for (uint32_t i = 0; i < body_.stores.size(); ++i) {
    uint32_t walks = 0;
    for (uint32_t w = 0; w < rows_.walks; ++w) walks += table.has_store(i, w) ? 1 : 0;
    if (walks == 1) continue;
    fault = setup_.graph.name_of(body_.steps[body_.stores[i].step].op) + " is stored in " +
            std::to_string(walks) + " walks";
    return false;
  }
  return true;
}

bool RowCheck::prepare_walk(uint32_t number, std::string& fault) {
  Walk& walk = walks_[number];
  for (uint32_t s = 0; s < body_.steps.size(); ++s) {
    if (rows_.steps[s].by_row || body_.walk.value_of_step[s] == BodyWalk::kNoValue) continue;
    if (!table_->has_value(number, s)) continue;
    if (body_.steps[s].kind == StepKind::load && !table_->has_load(number, s)) {
      fault =
          "no line loads " + setup_.graph.name_of(body_.steps[s].op) + " in walk " + std::to_string(number);
      return false;
    }
    walk.steps.push_back(s);
    if (!add_operand(walk, number, s, fault)) return false;
    for (const uint32_t operand : body_.steps[s].operands) {
      if (!add_operand(walk, number, operand, fault)) return false;
      if (!body_.steps[operand].is_contracted) continue;
      for (const uint32_t factor : body_.steps[operand].operands) {
        if (!add_operand(walk, number, factor, fault)) return false;
      }
    }
  }
  for (uint32_t i = 0; i < body_.stores.size(); ++i) {
    const uint32_t step = body_.stores[i].step;
    if (rows_.steps[step].by_row || !table_->has_store(i, number)) continue;
    walk.stores.push_back(i);
    if (!add_operand(walk, number, step, fault)) return false;
  }
  for (uint32_t i = 0; i < folds_.size(); ++i) {
    const StepFacts& operand = body_.steps[folds_[i].operand];
    if (!is_fed(folds_[i].operand)) continue;
    uint32_t from = std::min(rows_.steps[folds_[i].step].walk, rows_.walks - 1);
    while (from > 0 && !operand.is_contracted && !table_->has_value(from, folds_[i].operand)) --from;
    if (from != number) continue;
    walk.folds.push_back(i);
    for (const uint32_t factor : operand.is_contracted ? operand.operands : std::vector<uint32_t>()) {
      if (!add_operand(walk, number, factor, fault)) return false;
    }
  }
  return true;
}

bool RowCheck::add_operand(Walk& walk, uint32_t number, uint32_t step, std::string& fault) {
  const StepFacts& facts = body_.steps[step];
  const bool is_known = facts.is_contracted || (facts.kind == StepKind::immediate && !facts.is_traced);
  const auto is_it = [&](const Source& each) { return each.step == step; };
  if (is_known || std::any_of(walk.seen.begin(), walk.seen.end(), is_it)) return true;
  if (rows_.steps[step].by_row) {
    walk.seen.push_back({step, 0});
    return true;
  }
  for (uint32_t from = number + 1; from-- > 0;) {
    const bool is_there = table_->has_value(from, step);
    const bool is_still =
        from == number || shape_.passes == 1 || (!table_->is_repeated(from) && !table_->is_repeated(number));
    if (!is_there || !is_still) continue;
    walk.seen.push_back({step, from});
    return true;
  }
  fault =
      "no line shows the value of " + setup_.graph.name_of(facts.op) + " in walk " + std::to_string(number);
  return false;
}

}  // namespace fuseboard
