// The body of a kernel that reduces: walk after walk along its rows, each row's folds and values between
// them. It must not know the module around it, nor how a fold is shared among threads.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "emit/contraction.h"
#include "emit/fold_share.h"
#include "emit/kernel_parts.h"
#include "emit/memory_code.h"
#include "emit/ptx.h"
#include "emit/row_index.h"
#include "launch/row_closure.h"
#include "launch/row_schedule.h"
#include "launch/row_shape.h"

namespace fuseboard {

/// Held: all passes of a walk stand one behind the other and their values stay in registers for the walks
/// behind. Looped: a walk is a loop over the passes, which makes again what it needs. Columns that are not
/// there are folded as nothing; a lane whose row is not there computes along and stores nothing, since the
/// shuffles and barriers want it.
class RowCode {
 public:
  /// All must outlive it.
  RowCode(const KernelParts& parts, const RowShape& shape, const RowSchedule& schedule,
          const Contractions& contractions);

  void write();

  TracedRows traced() const;
  std::vector<Trace> take_traces() { return std::move(traces_); }
  std::vector<std::pair<uint32_t, std::string>> take_registers() { return std::move(registers_); }

 private:
  struct Fold {
    uint32_t step = 0;
    FoldCode code;
    std::vector<Folded> slots;          ///< what this thread has so far; of the row behind its walk
    std::vector<uint32_t> online_sums;  ///< of a maximum: the folds that go with it
  };

  bool is_looped() const { return shape_.walk == RowWalk::looped; }
  bool is_by_row(uint32_t step) const { return schedule_.steps[step].by_row; }
  const Step& step(uint32_t number) const { return schedule_.loop.steps[number]; }
  uint32_t operand(const Step& of, uint32_t k) const { return schedule_.loop.operands[of.operands + k]; }
  /// Passes and slots that have registers of their own.
  uint32_t passes_of(uint32_t number) const;
  uint32_t slots_of(uint32_t number) const;
  PtxValue& value(uint32_t number, uint32_t pass, uint32_t slot);

  void declare_partials();
  void write_between(uint32_t walk);  ///< by-row steps before a walk
  void write_row_stores();
  void write_walk(uint32_t walk);
  void write_held(uint32_t walk);
  void write_loop(uint32_t walk);
  void enter_loop(uint32_t walk, const std::string& behind);
  void write_loads(uint32_t walk, uint32_t pass);
  void write_pass(uint32_t walk, uint32_t pass);
  void write_step(uint32_t number, uint32_t pass);
  void write_load(uint32_t number, uint32_t pass);
  void write_unpacking(uint32_t number, uint32_t pass);
  void write_compute(uint32_t number, uint32_t pass);
  PtxValue contracted(uint32_t number, uint32_t pass, uint32_t slot);
  PtxValue quotient(uint32_t number, uint32_t pass, uint32_t slot);
  const std::string& reciprocal(uint32_t divisor, uint32_t slot);
  void write_store(size_t store, uint32_t pass);
  void fold_pass(Fold& fold, uint32_t pass);
  Folded folded_on(Fold& fold, const Folded* so_far, uint32_t pass, uint32_t slot);
  void end_folds(uint32_t walk);
  void share_folds(std::span<const uint32_t> numbers);
  /// Folds of a walk that need only their own elements, or those that go with a maximum.
  std::vector<uint32_t> folds_of(uint32_t walk, bool are_online) const;

  // Of sums folded online (row_online.cpp):
  bool is_online(const Fold& fold) const { return schedule_.steps[fold.step].online_max != RowStep::kNone; }
  void sum_pass(Fold& sum, const Fold& max, std::span<const Folded> grown, uint32_t pass);
  void scale_to_row(Fold& sum);
  std::string finite_or_zero(const std::string& max, Arithmetic arithmetic);
  std::string power_of(const std::string& from, const std::string& less, DType dtype);

  void add_value_traces(uint32_t number, uint32_t pass, uint32_t slot, uint32_t line);
  void add_trace(Trace trace, uint32_t number, uint32_t pass);
  uint32_t seen_at(uint32_t fold, uint32_t slot);
  uint32_t line() const { return static_cast<uint32_t>(parts_.writer.lines().size()); }
  std::string heading(uint32_t walk) const;

  const KernelParts& parts_;
  const RowShape& shape_;
  const RowSchedule& schedule_;
  const Contractions& contractions_;
  const RowPlacement placement_;
  MemoryCode memory_;
  RowIndex index_;
  FoldShare share_;
  std::vector<std::vector<PtxValue>> values_;                       ///< by step: pass * slots + slot
  std::map<std::pair<uint32_t, uint32_t>, LoadedElements> loaded_;  ///< by step and pass
  std::vector<Fold> folds_;
  std::vector<std::vector<uint32_t>> folds_of_walk_;       ///< numbers
  std::map<uint32_t, std::vector<PtxValue>> before_loop_;  ///< by-row values that a loop reads, as they were
  const std::vector<bool> is_by_reciprocal_;               ///< by step: a division
  std::map<std::pair<uint32_t, uint32_t>, std::string> reciprocals_;  ///< by divisor and slot
  uint32_t walk_ = 0;
  bool in_loop_ = false;
  std::vector<Trace> traces_;
  std::vector<std::pair<uint32_t, std::string>> registers_;
};

}  // namespace fuseboard
