// Walking back from stores to what each element needs, an op once for each distinct index map.
// It must not know PTX.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/fusion_graph.h"
#include "launch/index_map.h"
#include "launch/loop_schedule.h"
#include "plan/row_domain.h"

namespace fuseboard {

/// The rows that a kernel's Reduce members fold.
struct FoldedRows {
  RowDomain domain;
  uint32_t row_map = 0;  ///< of the scheduler's maps
};

/// Makes the steps of one index space. Without recursion, O(steps * rank).
class StepScheduler {
 public:
  /// Of these members (ascending); map 0 has `elements`. As for schedule_loop (loop_schedule.h).
  StepScheduler(const FusionGraph& graph, std::span<const uint32_t> members, uint64_t elements,
                size_t most_steps, std::span<const uint32_t> anchors);

  /// From now on Reduce members are folds over the rows of `domain`; without it they are loaded.
  /// Returns the map of by-row values.
  uint32_t fold_rows(const RowDomain& domain);

  /// Adds `op` at `map` and all that it needs. False where the steps pass the most, or where `fault` says
  /// that a value made from a fold is wanted elsewhere than in its row.
  bool add_store(uint32_t op, uint32_t map);

  const std::string& fault() const { return fault_; }
  /// The map that each step was asked at; an iota's Step::map is the index along its axis.
  const std::vector<uint32_t>& asked() const { return asked_; }
  LoopSchedule take() { return std::move(out_); }

 private:
  static constexpr uint32_t kNone = 0xffffffff;

  /// A value to make: before its operands were asked for (operand_maps is kNone), or after.
  struct Visit {
    uint32_t op;
    uint32_t map;
    uint32_t operand_maps;  ///< its operands' maps are maps_of_operands_[operand_maps ...]
  };

  static uint64_t key(uint32_t op, uint32_t map) { return uint64_t{op} << 32 | map; }
  uint32_t anchor(uint32_t op) const { return anchors_.empty() ? op : anchors_[op]; }
  bool is_member(uint32_t op) const;
  bool is_fold(uint32_t op) const;
  bool is_source(uint32_t op) const;
  void add_step(const Visit& visit, Step step, bool depends_on_fold);
  void open(const Visit& visit);
  void open_fold(const Visit& visit);
  void ask_operands(const Visit& visit, uint32_t maps);
  void close(const Visit& visit);
  void refuse(uint32_t op, const char* why);

  const FusionGraph& graph_;
  std::span<const uint32_t> members_;
  std::span<const uint32_t> anchors_;
  size_t most_steps_;
  LoopSchedule out_;
  std::optional<FoldedRows> rows_;
  std::string fault_;
  std::vector<uint32_t> asked_;        ///< beside out_.steps
  std::vector<bool> depends_on_fold_;  ///< beside out_.steps; a fold does
  std::vector<Visit> pending_;
  std::vector<uint32_t> maps_of_operands_;
  std::unordered_map<uint64_t, uint32_t> step_of_;
};

}  // namespace fuseboard
