// How long each buffer of a launch graph is needed, and how many bytes are at most.
// It must not know op graphs, nor what the nodes compute.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "launch/compute_graph.h"

namespace fuseboard {

/// The order in which one stream runs the nodes: by id where every edge goes forward, as a recorded stream
/// has them; otherwise Kahn's (analysis/topological_order.h). O(n + m).
std::vector<uint32_t> stream_order(const ComputeGraph& graph);

struct BufferLifetime {
  uint64_t buffer = 0;
  std::optional<uint64_t> bytes;  ///< nothing: unknown
  uint32_t first = 0;             ///< position in the order of the first node that touches it
  uint32_t last = 0;
  bool is_resident = false;  ///< read before any node has written it: it is there from the beginning
  bool is_result = false;    ///< written and not read again: it stays to the end
};

struct MemoryUse {
  std::vector<BufferLifetime> lifetimes;  ///< by first use, then by buffer
  uint64_t peak_bytes = 0;                ///< the most that is live at once; 2^64 - 1 where it is more
  uint32_t peak_at = 0;                   ///< the first position at which it is
  uint64_t unknown_sizes = 0;             ///< buffers whose bytes are unknown: the peak is without them
};

/// Of the buffers that the nodes name, with the sizes that the graph tells. Resident buffers live from the
/// beginning to their last use, results to the end, others between first and last use, both included.
/// O(accesses + n, a sort of the buffers aside).
MemoryUse memory_use(const ComputeGraph& graph, std::span<const uint32_t> order);

}  // namespace fuseboard
