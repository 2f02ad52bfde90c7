// What a kernel that reduces does for each element of its rows, in order, and in which walk along the row.
// It must not know PTX.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/fusion_graph.h"
#include "launch/loop_schedule.h"
#include "launch/row_shape.h"

namespace fuseboard {

/// Walk w goes along the whole row; the folds that it feeds are whole behind it, and what depends on them
/// comes in walk w + 1 or later.
struct RowStep {
  bool by_row = false;  ///< one value a row (or for all of them): its map depends on kept parts alone
  /// Full: the earliest walk in which it can be made. By row: made before walk `walk` begins (walk == walks:
  /// behind the last). A fold of walk w is there before walk w + 1.
  uint32_t walk = 0;
  static constexpr uint32_t kNone = 0xffffffff;
  /// Of a sum that is folded online (launch/online_sum.h): the step of the maximum that it goes with. It
  /// is fed that one's operand, in its walk.
  uint32_t online_max = kNone;
};

/// The index of `loop` is the element of the full tensor; a by-row value stands at `row_map`. Steps of kind
/// `fold` have one operand, full or by row (then it is folded once for each column), and by row an initial
/// value, where the reduce has one.
struct RowSchedule {
  LoopSchedule loop;
  uint32_t row_map = 0;
  std::vector<RowStep> steps;  ///< beside loop.steps
  uint32_t walks = 1;
};

/// The step whose full values a fold is fed.
uint32_t fed_by(const RowSchedule& schedule, uint32_t fold);

/// Of every step whether a store or a fold needs it.
std::vector<bool> needed_steps(const RowSchedule& schedule);

/// The walk of every step, by its operands', and how many walks there are. O(operands).
void settle_walks(RowSchedule& schedule);

/// Of the members (ascending) of a kernel over `shape.domain` that stores `shape.stores`; sums of a looped
/// shape are folded online where they can be. Nothing where a value that the kernel computes is read at
/// another row or column than its reader's own (`fault` says so, naming the op), or where the steps pass
/// `most_steps`
/// (`fault` is empty). O(steps * rank), without recursion.
std::optional<RowSchedule> schedule_rows(const FusionGraph& graph, std::span<const uint32_t> members,
                                         const RowShape& shape, size_t most_steps, std::string& fault,
                                         std::span<const uint32_t> anchors = {});

}  // namespace fuseboard
