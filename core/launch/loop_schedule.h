// What one loop does for one index, in order: loads, computations and indices, each distinct value once.
// It must not know PTX.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/fusion_graph.h"
#include "launch/index_map.h"
#include "launch/kernel.h"

namespace fuseboard {

enum class StepKind : uint8_t {
  load,       ///< the op's element at `map`, from its storage
  immediate,  ///< the op's known value
  compute,    ///< the op applied to the values of `operands`
  fold,       ///< a reduce: all elements of its first operand that a row has, folded (launch/row_schedule.h)
};

/// One value: an op at one index map. A step's operands are earlier steps.
struct Step {
  StepKind kind = StepKind::compute;
  uint32_t op = 0;
  uint32_t map = 0;       ///< of the op's element; for an op without operands (iota) the index that it gives
  uint32_t operands = 0;  ///< LoopSchedule::operands[operands .. + operand_count)
  uint32_t operand_count = 0;
};

struct LoopSchedule {
  IndexMaps maps;
  std::vector<Step> steps;
  std::vector<uint32_t> operands;  ///< steps
  std::vector<uint32_t> stored;    ///< the step of each of the loop's stores
};

/// Whether reading op `id` reads the storage behind its operand: a view that is no `result`.
bool is_seen_through(const FusionOp& op);

/// Whether a view's element at an offset is its operand's at the same offset: reshapes, and what only adds
/// dimensions of 1.
bool keeps_offsets(const FusionGraph& graph, const FusionOp& view);

/// The axis of an iota: 0 where it has none; nothing where it is no dimension of its shape.
std::optional<uint32_t> iota_axis(const FusionOp& op);

/// The steps of a loop of an emittable kernel with these members (ascending); nothing where they pass
/// `most_steps`. Views chain without recursion; anchors, where given, shortens the chains: anchors[op] is
/// what stands behind op with the same offsets. O(steps * rank).
std::optional<LoopSchedule> schedule_loop(const FusionGraph& graph, std::span<const uint32_t> members,
                                          const KernelLoop& loop, size_t most_steps,
                                          std::span<const uint32_t> anchors = {});

}  // namespace fuseboard
