// How a kernel that reduces is launched: slots, threads and rows of a block, held or looped, grid.
// It must not know PTX.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "graph/fusion_graph.h"
#include "launch/kernel_config.h"
#include "launch/row_shape.h"

namespace fuseboard {

/// "held", "looped".
std::string_view row_walk_text(RowWalk walk);

struct RowLaunch {
  RowShape shape;
  KernelConfig config;
  uint64_t bytes_reread =
      0;  ///< of a looped kernel: each storage once for each walk after the first to read it
};

/// Why there is no launch: not-emitted with words that begin with an op's name, or kernel-too-large with
/// words that follow "the kernel".
struct RowRefusal {
  Code code = Code::not_emitted;
  std::string why;
};

/// What a kernel over rows has to do.
struct RowWork {
  std::span<const uint32_t> members;  ///< ascending
  RowDomain domain;
  std::vector<uint32_t> stores;            ///< op ids, ascending
  std::span<const uint32_t> anchors = {};  ///< as of schedule_loop (launch/loop_schedule.h)
};

/// The launch of a kernel whose ops, views and loads have PTX. Slots fill 16 bytes of the narrowest access
/// and no more than 32 of the widest, where the innermost part of the domain is a multiple of them and maps
/// move evenly. Rows are shared by as many threads as leave each few elements, by more where few rows would
/// leave the GPU idle; short rows share a block. They are held where their elements fit the registers of
/// those threads.
/// O(steps * rank + operands * walks).
std::optional<RowLaunch> row_launch(const FusionGraph& graph, RowWork work, RowRefusal& refusal);

}  // namespace fuseboard
