// Holds a kernel that reduces against the graph: which row and column each thread's passes claim, every
// value, load and store there, and every fold over the values that its whole row had. It must not know
// launches, nor how PTX is run.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "launch/row_shape.h"
#include "verify/fold_reference.h"
#include "verify/pass_check.h"
#include "verify/row_table.h"

namespace fuseboard {

/// Full values are held as their pass ends, and fed to the folds' references; what is by row is held when its
/// block ends: every lane of a row has the value of its first lane, which is held. Each element of the
/// block's rows is claimed exactly once in each walk, each output element of them stored exactly once.
/// Memory: RowTable's, and one FoldReference for each fold and row of a block.
class RowCheck : public PassCheck, public RowSink {
 public:
  /// Null where the traced steps do not fit the graph or the shape: `fault` says why.
  static std::unique_ptr<RowCheck> make(const PassCheckSetup& setup, std::string& fault);
  /// After make, before anything is executed: false where a step that matters is not traced. It must outlive
  /// the check.
  bool use(const RowTable& table, std::string& fault);

  void unit_ended(const TracedUnit& unit) override;
  uint32_t lanes_there(const TracedUnit& unit) const override;
  void accessed_beyond(const TracedUnit& unit, uint32_t line) override;
  void block_ended(uint64_t block) override;

 private:
  struct Source {
    uint32_t step = 0, walk = 0;
  };
  /// What the end of a pass of one walk holds.
  struct Walk {
    std::vector<Source> seen;      ///< values to be looked at: its own, and operands from walks before
    std::vector<uint32_t> steps;   ///< its own values, ascending
    std::vector<uint32_t> stores;  ///< made in it
    std::vector<uint32_t> folds;   ///< numbers of the folds that it feeds
  };
  struct Fold {
    uint32_t step = 0, operand = 0;
    FoldReference reference;
    std::vector<FoldReference> rows;  ///< of the block
  };

  explicit RowCheck(const PassCheckSetup& setup);
  bool prepare(std::string& fault);
  bool prepare_shape(std::string& fault) const;
  bool prepare_folds(std::string& fault);
  void read_traces();
  bool prepare_walk(uint32_t walk, std::string& fault);
  bool add_operand(Walk& walk, uint32_t number, uint32_t step, std::string& fault);
  bool is_online_sum(uint32_t sum, std::string& fault) const;
  std::vector<bool> needed_steps() const;
  bool is_fed(uint32_t step) const;  ///< as a fold's operand: column by column

  void begin_block(uint64_t block);
  uint32_t local_row(uint32_t thread, uint32_t slot) const;  ///< in its block
  uint32_t threads() const;                                  ///< of a block
  /// Of a row of the block: the thread and slot whose value stands for all its lanes'.
  std::pair<uint32_t, uint32_t> first_lane(uint32_t local_row) const;
  bool is_there(uint64_t block, uint32_t thread, uint32_t slot) const;
  uint32_t rows_there(uint64_t block) const;

  /// Puts each lane's element and row in place; which lanes are there.
  uint32_t claim(const TracedUnit& unit);
  bool hold_unit(const TracedUnit& unit, const Walk& walk, uint32_t lanes);
  bool hold_same_rows(uint32_t lanes);
  bool hold_full_store(const TracedPass& pass, uint32_t store);
  void feed(const Walk& walk, uint32_t lanes);

  bool hold_claims(uint64_t block);
  bool hold_lanes(uint64_t block);
  bool hold_lanes_of(uint64_t block, uint32_t warp, uint32_t slot, uint32_t step);
  bool hold_load_lanes(uint64_t block, uint32_t warp, uint32_t slot, uint32_t step);
  /// Rows of the block from `first` on stand for lanes.
  void gather_rows(uint64_t block, uint32_t first, uint32_t count);
  bool hold_rows(uint64_t block, uint32_t first, uint32_t count);
  bool hold_fold(const Fold& fold, uint32_t first, const TracedPass& pass);
  bool hold_row_store(uint64_t block, uint32_t store);
  bool fail_at(Mismatch::What what, uint32_t step, uint64_t element, uint32_t line, std::string message);

  const RowShape& shape_;
  const TracedRows& rows_;
  const RowTable* table_ = nullptr;
  uint64_t row_count_ = 0, columns_ = 0;
  uint32_t full_ = 0, row_ = 0;  ///< values of the walk
  Body body_;
  std::vector<Walk> walks_;
  std::vector<Fold> folds_;
  std::vector<uint32_t> by_row_;                     ///< steps that are by row and seen in a register
  std::vector<uint32_t> row_steps_;                  ///< of by_row_, one for each distinct value of the walk
  std::vector<std::vector<uint64_t>> row_elements_;  ///< of row_steps_: the element of each row of the block
  std::vector<LaneRow> rows_at_hand_;                ///< as TracedPass has them
  std::array<uint32_t, ptx::kWarp> local_rows_{};    ///< of the lanes at hand
  LaneRow columns_at_hand_{};
  uint64_t block_ = ~uint64_t{0};
};

}  // namespace fuseboard
