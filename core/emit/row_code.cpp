// Writing the walks: passes or loops, the folds at their ends, what stands between them.
// It must not know the module around it, nor how a fold is shared among threads.
#include "emit/row_code.h"

#include <algorithm>

#include "emit/row_quotients.h"

namespace fuseboard {
namespace {

constexpr uint64_t kWordsAhead = 32;  ///< of loads that stand before a walk's first computation

}  // namespace

RowCode::RowCode(const KernelParts& parts, const RowShape& shape, const RowSchedule& schedule,
                 const Contractions& contractions)
    : parts_(parts),
      shape_(shape),
      schedule_(schedule),
      contractions_(contractions),
      placement_(row_placement(schedule, shape.walk)),
      memory_(parts.writer, parts.options.target),
      index_(parts.writer, shape, schedule.loop.maps, schedule.row_map),
      share_(parts.writer, shape, index_),
      values_(schedule.loop.steps.size()),
      folds_of_walk_(schedule.walks),
      is_by_reciprocal_(quotients_by_reciprocal(parts.graph, schedule, parts.options.math)) {
  for (uint32_t i = 0; i < values_.size(); ++i) {
    values_[i].resize(size_t{passes_of(i)} * slots_of(i));
    if (step(i).kind != StepKind::fold) continue;
    folds_of_walk_[schedule.steps[i].walk].push_back(static_cast<uint32_t>(folds_.size()));
    folds_.push_back({i,
                      FoldCode(parts.graph, step(i).op, parts.writer, parts.ops, parts.options.target,
                               shape.domain.columns()),
                      {},
                      {}});
    for (uint32_t max = 0; max < folds_.size() && is_online(folds_.back()); ++max) {
      if (folds_[max].step != schedule.steps[i].online_max) continue;
      folds_[max].online_sums.push_back(static_cast<uint32_t>(folds_.size() - 1));
    }
  }
}

void RowCode::write() {
  declare_partials();
  index_.begin();
  for (uint32_t walk = 0; walk < schedule_.walks; ++walk) {
    write_between(walk);
    write_walk(walk);
    end_folds(walk);
  }
  write_between(schedule_.walks);
  write_row_stores();
}

void RowCode::declare_partials() {
  uint64_t most = 0;
  uint32_t times = 0;
  for (uint32_t walk = 0; walk < schedule_.walks; ++walk) {
    for (const bool are_online : {false, true}) {
      std::vector<const FoldCode*> codes;
      for (const uint32_t number : folds_of(walk, are_online)) codes.push_back(&folds_[number].code);
      const uint64_t bytes = share_.bytes_of(codes);
      most = std::max(most, bytes);
      times += bytes == 0 ? 0 : 1;
    }
  }
  share_.declare(most, std::min(times, 2U));
}

std::string RowCode::heading(uint32_t walk) const {
  std::string text =
      "    // walk " + std::to_string(walk + 1) + " of " + std::to_string(schedule_.walks) + " along the row";
  const std::vector<uint32_t>& numbers = folds_of_walk_[walk];
  for (size_t i = 0; i < std::min<size_t>(numbers.size(), 4); ++i) {
    text += (i == 0 ? ": " : ", ") + parts_.title(step(folds_[numbers[i]].step).op);
  }
  if (numbers.size() > 4) text += ", ...";
  return text;
}

void RowCode::write_between(uint32_t walk) {
  walk_ = walk;
  for (uint32_t i = 0; i < values_.size(); ++i) {
    const RowStep& row = schedule_.steps[i];
    if (row.by_row && row.walk == walk && step(i).kind != StepKind::fold) write_step(i, 0);
  }
  index_.stand_at_row(false);
}

void RowCode::write_walk(uint32_t walk) {
  parts_.writer.belong_to(-1);
  parts_.writer.line(heading(walk));
  for (const uint32_t number : folds_of_walk_[walk]) folds_[number].slots.clear();
  if (is_looped()) {
    write_loop(walk);
  } else {
    write_held(walk);
  }
}

void RowCode::write_held(uint32_t walk) {
  uint64_t words = 0;
  for (const uint32_t number : placement_.walks[walk]) {
    if (step(number).kind != StepKind::load) continue;
    const uint64_t bytes = parts_.graph.op(step(number).op).dtype_bytes;
    words += uint64_t{passes_of(number)} * slots_of(number) * bytes / 4;
  }
  const uint32_t passes = static_cast<uint32_t>(shape_.passes);
  for (uint32_t pass = 0; words <= kWordsAhead && pass < passes; ++pass) write_loads(walk, pass);
  for (uint32_t pass = 0; pass < passes; ++pass) {
    write_loads(walk, pass);
    write_pass(walk, pass);
  }
}

void RowCode::enter_loop(uint32_t walk, const std::string& behind) {
  const uint32_t slots = shape_.along_rows ? shape_.slots : 1;
  for (const uint32_t number : folds_of_walk_[walk]) {
    Fold& fold = folds_[number];
    parts_.writer.belong_to(step(fold.step).op);
    for (uint32_t slot = 0; slot < slots; ++slot) fold.slots.push_back(fold.code.nothing());
  }
  for (const uint32_t number : placement_.walks[walk]) {
    if (!is_by_reciprocal_[number]) continue;
    parts_.writer.belong_to(step(number).op);
    for (uint32_t slot = 0; slot < slots; ++slot) reciprocal(operand(step(number), 1), slot);
  }
  parts_.writer.belong_to(-1);
  for (uint32_t slot = 0; slot < shape_.slots; ++slot) index_.has_row(slot);
  const std::string enters = index_.has_element(0, 0);
  index_.enter_loop();
  for (const uint32_t number : placement_.walks[walk]) {
    const Step& each = step(number);
    if (each.kind != StepKind::load) continue;
    index_.prepare(each.map, parts_.inputs.at(each.op), parts_.graph.op(each.op).dtype_bytes);
  }
  for (size_t i = 0; i < shape_.stores.size(); ++i) {
    if (placement_.store_walk[i] != walk) continue;
    const uint32_t op = shape_.stores[i];
    index_.prepare(0, parts_.outputs.at(op), parts_.graph.op(op).dtype_bytes);
  }
  if (!enters.empty()) parts_.writer.instruction("@!" + enters + " bra " + behind);
}

void RowCode::write_loop(uint32_t walk) {
  const std::string label = "$walk" + std::to_string(walk);
  const std::string behind = "$behind" + std::to_string(walk);
  enter_loop(walk, behind);
  parts_.writer.label(label);
  index_.begin_pass();
  in_loop_ = true;
  write_loads(walk, 0);
  write_pass(walk, 0);
  in_loop_ = false;
  parts_.writer.belong_to(-1);
  index_.advance();
  const std::string more = index_.has_more();
  parts_.writer.instruction("@" + more + " bra " + label);
  parts_.writer.label(behind);
  index_.leave_loop();
  for (auto& [number, values] : before_loop_) values_[number] = std::move(values);
  before_loop_.clear();
  loaded_.clear();
}

void RowCode::write_loads(uint32_t walk, uint32_t pass) {
  for (const uint32_t number : placement_.walks[walk]) {
    if (step(number).kind == StepKind::load) write_load(number, pass);
  }
}

void RowCode::write_pass(uint32_t walk, uint32_t pass) {
  for (const uint32_t number : placement_.walks[walk]) write_step(number, pass);
  for (const uint32_t number : folds_of(walk, false)) fold_pass(folds_[number], pass);
  for (size_t i = 0; i < shape_.stores.size(); ++i) {
    if (placement_.store_walk[i] == walk) write_store(i, pass);
  }
}

/// What a thread has so far (null: nothing) and one element more; columns past the last count for nothing.
Folded RowCode::folded_on(Fold& fold, const Folded* so_far, uint32_t pass, uint32_t slot) {
  const Step& own = step(fold.step);
  const std::string is_there = index_.has_column(pass, slot);
  const uint32_t product = contractions_.product_of[fold.step];
  if (product != kNoStep) {
    const Step& factors = step(product);
    const std::string a = parts_.ops.as(value(operand(factors, 0), pass, slot), Arithmetic::f32);
    const std::string b = parts_.ops.as(value(operand(factors, 1), pass, slot), Arithmetic::f32);
    const Folded before = so_far != nullptr ? *so_far : fold.code.nothing();
    const Folded sum = fold.code.plus_product(before, a, b);
    return is_there.empty() ? sum : fold.code.selected(is_there, sum, before);
  }
  const std::string column = fold.code.has_index() ? index_.column_at(pass, slot) : std::string();
  const Folded one =
      fold.code.where(is_there, fold.code.one(value(operand(own, 0), pass, slot), column, index_.is_wide()));
  return so_far == nullptr ? one : fold.code.both(*so_far, one);
}

/// Each slot of a pass, added to what the thread has.
void RowCode::fold_pass(Fold& fold, uint32_t pass) {
  const uint32_t op = step(fold.step).op;
  parts_.begin_op(op, parts_.formula(op));
  std::vector<Folded> made = fold.slots;
  for (uint32_t slot = 0; slot < shape_.slots; ++slot) {
    const size_t row = shape_.along_rows ? slot : 0;
    const bool is_first = row >= made.size();
    const Folded more = folded_on(fold, is_first ? nullptr : &made[row], pass, slot);
    if (is_first) {
      made.push_back(more);
    } else {
      made[row] = more;
    }
  }
  for (const uint32_t sum : fold.online_sums) sum_pass(folds_[sum], fold, made, pass);
  parts_.writer.belong_to(op);
  for (size_t row = 0; in_loop_ && row < made.size(); ++row) fold.code.assign(fold.slots[row], made[row]);
  if (!in_loop_) fold.slots = std::move(made);
}

std::vector<uint32_t> RowCode::folds_of(uint32_t walk, bool are_online) const {
  std::vector<uint32_t> out;
  for (const uint32_t number : folds_of_walk_[walk]) {
    if (is_online(folds_[number]) == are_online) out.push_back(number);
  }
  return out;
}

void RowCode::end_folds(uint32_t walk) {
  share_folds(folds_of(walk, false));
  const std::vector<uint32_t> sums = folds_of(walk, true);
  for (const uint32_t sum : sums) scale_to_row(folds_[sum]);
  share_folds(sums);
}

void RowCode::share_folds(std::span<const uint32_t> numbers) {
  parts_.writer.belong_to(-1);
  std::vector<FoldedSlots> shared;
  for (const uint32_t number : numbers) shared.push_back({&folds_[number].code, folds_[number].slots});
  share_.share(shared);
  for (size_t i = 0; i < shared.size(); ++i) {
    const uint32_t number = folds_[numbers[i]].step;
    const Step& own = step(number);
    parts_.begin_op(own.op, parts_.title(own.op) + " of the whole row");
    for (uint32_t slot = 0; slot < slots_of(number); ++slot) {
      PtxValue* initial = own.operand_count > 1 ? &value(operand(own, 1), 0, slot) : nullptr;
      value(number, 0, slot) = shared[i].code->result(shared[i].slots[slot], initial);
      add_value_traces(number, 0, slot, seen_at(number, slot));
    }
  }
}

/// Where a fold can be seen: here, or, of a row of one element, where that was, if a guarded load left it.
uint32_t RowCode::seen_at(uint32_t fold, uint32_t slot) {
  const uint32_t element = operand(step(fold), 0);
  if (shape_.domain.columns() > 1) return line();
  const bool is_same = value(fold, 0, slot).own() == value(element, 0, slot).own();
  const auto found = std::find_if(traces_.rbegin(), traces_.rend(), [&](const Trace& trace) {
    return trace.kind == TraceKind::value && trace.step == element && trace.slot == slot;
  });
  return is_same && found != traces_.rend() ? found->line : line();
}

void RowCode::write_row_stores() {
  for (size_t i = 0; i < shape_.stores.size(); ++i) {
    if (placement_.store_walk[i] == schedule_.walks) write_store(i, 0);
  }
}

TracedRows RowCode::traced() const {
  TracedRows rows;
  for (uint32_t i = 0; i < schedule_.loop.steps.size(); ++i) {
    const Step& own = step(i);
    const auto first = schedule_.loop.operands.begin() + own.operands;
    rows.steps.push_back({own.kind, own.op, std::vector<uint32_t>(first, first + own.operand_count),
                          schedule_.steps[i].by_row, schedule_.steps[i].walk, contractions_.is_contracted[i],
                          schedule_.steps[i].online_max});
  }
  rows.stored = schedule_.loop.stored;
  rows.walks = schedule_.walks;
  return rows;
}

}  // namespace fuseboard
