// Runs a plan's kernels, holds every op against its reference, counts the bytes: the proof of a plan.
// It must not know pages, texts or JSON.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emit/ptx.h"
#include "graph/evaluate.h"
#include "graph/fusion_graph.h"
#include "launch/kernel.h"
#include "plan/fusion_plan.h"
#include "ptx/counters.h"
#include "ptx/fault.h"
#include "verify/mismatch.h"

namespace fuseboard {

struct VerifyOptions {
  uint64_t seed = 1;
  bool full = false;  ///< every block of every kernel, however long that takes
  /// Unless `full`, kernels of more elements than this are sampled, and those with which all that ran in full
  /// would pass four times as many.
  uint64_t most_elements = uint64_t{1} << 22;
  double scalar = 3;  ///< the value of kernel parameters passed by value: every dtype holds it exactly
  uint64_t most_steps_per_block = uint64_t{1} << 26;  ///< warp instructions; past it a fault: step_budget
  /// A sampled block is left there, which its note says.
  uint64_t most_steps_per_sampled_block = uint64_t{1} << 20;
};

/// What was run of a kernel. Only `full` can make it verified.
enum class RunKind : uint8_t {
  full,     ///< every block, every element held
  sampled,  ///< k of N blocks of the emitted text, over memory whose values derive from the address
  library,  ///< no PTX of ours: computed by reference
  fresh,    ///< no PTX of ours and no reference (or too large): its results are fresh seeded values
  none,     ///< our kernel, but its PTX is not written
};

enum class RunVerdict : uint8_t {
  pending,
  verified,  ///< full, and everything held
  held,      ///< sampled, and everything held
  failed,    ///< a value, a load or a store is wrong (see mismatch), or bytes differ that must be equal
  faulted,   ///< the kernel did what it must not: see fault
  skipped,   ///< library, fresh, none
  cancelled,
};

/// Bytes of one direction of one kernel.
struct PromisedBytes {
  uint64_t promised = 0;  ///< by the plan
  uint64_t measured = 0;  ///< distinct bytes that the kernel touched
  bool must_be_equal = false;
  std::string why_not;  ///< why they need not be equal, or are not measured (sampled); "" otherwise

  bool holds() const { return !must_be_equal || promised == measured; }
};

/// A kernel's group at smaller sizes, lowered and emitted anew, every element held.
struct ShrunkRun {
  RunVerdict verdict = RunVerdict::pending;
  std::string shapes;   ///< "[8192,4096] as [12,16]"
  std::string why_not;  ///< why there is none, or what was wrong; "" otherwise
};

struct KernelRun {
  uint32_t kernel = 0;  ///< index into the kernels in the order of launch (as in plan JSON)
  RunKind kind = RunKind::none;
  RunVerdict verdict = RunVerdict::pending;
  uint64_t blocks_run = 0, blocks = 0;
  uint64_t elements_held = 0;  ///< stored elements whose whole expression was held
  uint64_t values_held = 0;    ///< single op values
  std::optional<WorstError> worst;
  std::optional<Mismatch> mismatch;
  std::optional<ptx::Fault> fault;
  PromisedBytes read, written;
  ptx::Counters counters;
  uint64_t output_elements = 0;  ///< computed by the blocks that ran
  std::string
      note;  ///< which blocks of a sampled kernel ran; why another was not run, or its results are fresh
  std::optional<ShrunkRun> shrunk;  ///< of a sampled kernel
};

/// Fused against unfused, bit for bit (NaN equal to NaN, whose payloads PTX leaves open): of every kernel of
/// several ops that ran in full, each tensor that no f16 or bf16 op of the kernel is behind, math precise.
struct FusedUnfused {
  bool compared = false;
  bool equal = false;
  std::string why_not;    ///< why not all, or none, were compared
  uint64_t tensors = 0;   ///< that were compared
  uint64_t left_out = 0;  ///< for f16 or bf16
  uint64_t reordered =
      0;  ///< left out too: float sums behind them are added up in another order when unfused

  bool holds() const { return !compared || equal; }
};

struct VerifyReport {
  std::vector<KernelRun> kernels;
  FusedUnfused unfused;
  bool finished = false;
  bool cancelled = false;
  double progress = 0;  ///< 0 .. 1
  /// All our kernels ran in full and held, bytes equal where they must be.
  bool verified() const;
  /// Nothing that ran was wrong.
  bool passed() const;
};

/// One run of a whole plan, in steps so that a caller can show progress and stop. Graph, plan and kernels
/// must outlive it.
class Verification {
 public:
  /// `kernels`: one a group; `launched`: those that run, in the order of launch.
  Verification(const FusionGraph& graph, const FusionPlan& plan, const std::vector<Kernel>& kernels,
               const std::vector<uint32_t>& launched, const EmitOptions& emit_options,
               const VerifyOptions& options);
  Verification(Verification&&) noexcept;
  ~Verification();

  /// Goes on for about `most_steps` warp instructions; true when finished.
  bool advance(uint64_t most_steps);
  void cancel();
  const VerifyReport& report() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fuseboard
