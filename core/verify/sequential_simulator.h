// A launch graph run node after node: what was launched, copied and set; with PTX at hand, executed too.
// It must not know op graphs, plans or pages.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "launch/compute_graph.h"

namespace fuseboard {

struct ProgramArgument {
  std::optional<uint64_t> buffer;  ///< a pointer to this buffer; otherwise `bits`
  uint64_t bits = 0;
  uint32_t bytes = 8;  ///< of `bits`
};

/// What a kernel_launch needs to be executed; the geometry is the node's.
struct LaunchProgram {
  uint32_t node = 0;
  std::string ptx;  ///< a whole module
  std::string entry;
  std::vector<ProgramArgument> arguments;  ///< in the order of the entry's parameters
};

/// The bytes of a buffer from `offset` on, as the host has them, or as a launch without a program leaves
/// them.
using BufferFill = std::function<void(uint64_t buffer, uint64_t offset, std::span<uint8_t> out)>;

struct SimulatorOptions {
  std::vector<LaunchProgram> programs = {};  ///< none: nodes are counted, and nothing is executed
  BufferFill fill = {};                      ///< zeros where absent
  std::vector<uint32_t> taken = {};          ///< by node: which branch a conditional takes; absent: the first
  uint64_t most_steps = uint64_t{1} << 32;   ///< warp instructions of one launch; past it a fault
};

struct SimulatedNode {
  uint32_t node = 0;
  bool is_executed = false;  ///< its effect on the buffers was carried out, not only counted
};

struct Simulation {
  std::vector<SimulatedNode> nodes;  ///< that ran, in order; not those of branches that were not taken
  uint64_t kernels_launched = 0;
  uint64_t bytes_copied = 0;
  uint64_t bytes_set = 0;
  uint64_t unknown_sizes = 0;  ///< copies and fills whose bytes are unknown: the sums are without them
  bool is_finished = false;
  /// overflow: a launch's threads or a sum of bytes leaves 64 bits; bad-option: a program cannot be read or
  /// launched. Then it stops at that node.
  std::vector<Diagnostic> diagnostics;
  std::string fault;  ///< what the node that ran last did that it must not; "" where nothing
  std::string note;   ///< why nothing is executed though there are programs; "" otherwise

  bool is_sound() const { return is_finished && fault.empty() && !has_errors(diagnostics); }
};

/// Nodes run in stream_order() (launch/memory_use.h), one after the other, the same way every time. Buffers
/// that are read before any node writes them hold `fill` from the beginning; others hold nothing until they
/// are written, so that a launch which runs too early faults. A copy without inputs brings `fill`, one
/// without outputs reads; a fill sets zeros; a launch without a program leaves `fill` in its outputs.
class SequentialSimulator {
 public:
  /// The graph must outlive it.
  SequentialSimulator(const ComputeGraph& graph, SimulatorOptions options);
  SequentialSimulator(SequentialSimulator&&) noexcept;
  ~SequentialSimulator();

  /// Goes on for about `steps` warp instructions; true when finished, faulted or stopped.
  bool advance(uint64_t steps);
  const Simulation& result() const;
  /// All bytes of a buffer, those never written as 0; empty where nothing is executed or the size is unknown.
  std::vector<uint8_t> read(uint64_t buffer) const;
  bool holds_values(uint64_t buffer) const;  ///< every byte of it

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fuseboard
