// Closed regions of a DAG: every node on a path from a root to a sink, where no other edge leaves (spec 2).
// It must not know what a node is.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/dag.h"

namespace fuseboard {

enum class Entry : uint8_t {
  dominated,  ///< spec 2: the root dominates every member
  operands,   ///< a value that does not depend on the root may enter at any member
};

struct Region {
  uint32_t root = 0;
  uint32_t sink = 0;
  std::vector<uint32_t> members;  ///< in topological order, root first, sink last
};

/// Why no region begins at a root. The walk from the root goes from each node to its nearest post-dominator,
/// where all that the node feeds has met again; it ended at `from`, or below it.
enum class RefusalReason : uint8_t {
  unfit,          ///< `to`, on the way from the root to `sink`, is not fusible or of other compatibility
  leaks,          ///< `from` -> `to`: its branches do not meet in a node that fits; `sink` is none
  not_dominated,  ///< `sink` is reached around the root (path_around.h)
  claimed,        ///< `to`, which is where the branches meet, belongs to an earlier region
  no_fan_out,     ///< a plain chain down to `from`, which feeds nothing
};

constexpr uint32_t kNoMember = UINT32_MAX;

struct Refusal {
  uint32_t root = 0;
  RefusalReason reason = RefusalReason::no_fan_out;
  bool fans_out = false;      ///< the node where the walk ended has two successors
  uint32_t from = kNoMember;  ///< the edge at which it ended
  uint32_t to = kNoMember;    ///< kNoMember where `from` feeds nothing, or the reason names no edge
  uint32_t sink = kNoMember;  ///< where all that the last node feeds meets again
};

struct Regions {
  std::vector<Region> regions;    ///< roots in topological order
  std::vector<Refusal> refusals;  ///< of all other fusible nodes that are in none, in topological order
};

/// The largest region of every root that no earlier one claimed, roots in topological order. `order` is
/// topological_order(dag) of all nodes. A member must be `fusible` and equal the root's `compatibility`.
/// O((n + m) log n), without recursion; a refusal costs O(1) beside that.
Regions find_regions(const Dag& dag, const std::vector<uint32_t>& order, const std::vector<uint8_t>& fusible,
                     const std::vector<uint64_t>& compatibility, Entry entry);

}  // namespace fuseboard
