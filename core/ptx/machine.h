// Runs one launch of one entry: warps of 32 in blocks, one block after the other, the same way every time.
// It must not know graphs, ops, nor who wrote the module.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ptx/counters.h"
#include "ptx/fault.h"
#include "ptx/memory.h"
#include "ptx/module.h"

namespace fuseboard::ptx {

constexpr uint32_t kWarp = 32;

struct Launch {
  std::string_view entry;
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::array<uint32_t, 3> block{1, 1, 1};
  uint32_t shared_bytes = 0;        ///< dynamic
  std::vector<uint8_t> parameters;  ///< as many bytes as the entry's parameters lie in, at their offsets
  /// Linear numbers of the blocks to run, ascending; empty: all. %nctaid stays the grid's.
  std::vector<uint64_t> blocks = {};
};

/// What an observer sees of a warp right after an instruction that it watches.
class WarpView {
 public:
  uint64_t block() const;   ///< linear
  uint32_t warp() const;    ///< in its block
  uint32_t active() const;  ///< lanes that executed it (guard true): bit i is lane i
  /// A register's 32 lanes, zero-extended to 64 bits; a predicate's are 0 and 1.
  void lanes(uint32_t reg, std::array<uint64_t, kWarp>& out) const;
  /// Of a memory access: the address of each active lane.
  const std::array<uint64_t, kWarp>& addresses() const;

 private:
  friend class Machine;
  struct State;
  explicit WarpView(const State& state) : state_(state) {}
  const State& state_;
};

class Observer {
 public:
  virtual ~Observer() = default;
  /// After the instruction `index` of the entry was executed by some lanes of a warp.
  virtual void executed(const WarpView& warp, uint32_t index) = 0;
};

enum class RunState : uint8_t { running, finished, faulted };

/// Deterministic: the same launch over the same memory gives the same values, counters and faults.
/// Divergence: lanes run together while at the same instruction; the group at the least address goes first,
/// and one that waits (bar.warp.sync, shfl.sync and the like, bar.sync) lets the others come. Blocks in
/// order; within a block a warp runs until it waits or ends, with a turn for all where one spins.
class Machine {
 public:
  /// Errors: no such entry, a launch that the entry's directives or the hardware's limits forbid (block over
  /// 1,024 threads, shared memory over 227 KiB), parameters of the wrong size. Module and memory must outlive
  /// the machine.
  static Result<Machine> make(const Module& module, Memory& memory, Launch launch);
  Machine(Machine&&) noexcept;
  Machine& operator=(Machine&&) noexcept;
  ~Machine();

  /// Watches the instructions of the entry that stand on these lines of the text (ascending).
  void watch(std::span<const uint32_t> lines, Observer& observer);

  /// At most about `most_steps` warp instructions; then it returns, and may be asked again.
  RunState run(uint64_t most_steps);

  uint64_t steps() const;  ///< warp instructions so far
  uint64_t blocks_finished() const;
  const Counters& counters() const;
  const std::optional<Fault>& fault() const;
  /// A fault of whoever drives the machine (step_budget), at the place where the launch stands: the first
  /// lane of the warp whose turn it is. Between blocks it has no place.
  Fault stopped(FaultKind kind, std::string message) const;

 private:
  struct State;
  explicit Machine(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace fuseboard::ptx
