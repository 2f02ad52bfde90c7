// What a launch graph costs a stream: launches, threads, bytes copied and set, and how many of them are not
// known. It must not know op graphs, nor the text that a graph came from.
#pragma once

#include <cstdint>
#include <optional>

#include "launch/compute_graph.h"

namespace fuseboard {

/// A sum over nodes; `unknown` of them say nothing and are not in it. Nothing where it leaves 64 bits.
struct KnownSum {
  std::optional<uint64_t> sum = 0;
  uint64_t unknown = 0;
};

/// Every node counts once, those in the branches of a conditional too.
struct LaunchTotals {
  uint64_t launches = 0;
  uint64_t copies = 0;
  uint64_t fills = 0;
  KnownSum threads;       ///< of all launches
  KnownSum bytes_copied;  ///< by memcpy nodes
  KnownSum bytes_set;     ///< by memset nodes
};

/// O(nodes).
LaunchTotals launch_totals(const ComputeGraph& graph);

}  // namespace fuseboard
