// Which memory a value lives in: a view has none of its own, whoever reads it reads what is behind it.
// It must not know plans; it is the one place that says what a read costs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/fusion_graph.h"

namespace fuseboard {

/// The storage behind every op of a sound graph: the op itself, or for a reshape or broadcast the storage
/// behind its operand. A `result` is a storage of its own: its part of what the opaque op behind it wrote.
struct Storages {
  std::vector<uint32_t> root;     ///< op id whose memory holds the value
  std::vector<uint64_t> bytes;    ///< of the op's own tensor; 0 where reading it is free (an immediate)
  std::vector<OpClass> op_class;  ///< FusionOp::op_class() of each: planners ask often, and ops are large

  /// Distinct bytes touched by reading op `id`: those of its storage; none through an empty view.
  uint64_t read_bytes(uint32_t id) const { return bytes[id] == 0 ? 0 : bytes[root[id]]; }

  /// What running op `id` writes, alone: nothing for views, inputs and constants.
  uint64_t written_bytes(uint32_t id) const;
};

/// A scalar constant of known value: it stands in the instruction, reading it costs nothing.
bool is_immediate(const FusionOp& op);

/// O(n + view chains), without recursion.
Storages storages(const FusionGraph& graph);

/// What single ops move when each runs as a kernel of its own (spec 1, "Unfused bytes moved"): every distinct
/// storage read once, the output written once. Keeps a scratch array, so that asking for all ops is O(n + m).
class UnfusedBytes {
 public:
  UnfusedBytes(const Dag& dag, const Storages& storages)
      : dag_(dag), storages_(storages), last_reader_(dag.size(), 0) {}

  std::optional<uint64_t> of(uint32_t id);  ///< nothing where the sum leaves 64 bits

 private:
  const Dag& dag_;
  const Storages& storages_;
  std::vector<uint32_t> last_reader_;  ///< by storage
  uint32_t stamp_ = 0;
};

/// The sum over all ops, or nothing where it leaves 64 bits.
std::optional<uint64_t> unfused_bytes(const Dag& dag, const Storages& storages);

}  // namespace fuseboard
