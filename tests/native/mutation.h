// Runs mutants of a kernel until one of its seeds tells each from what it should be.
// It must not know how mutants are made.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "emit/ptx.h"
#include "ptx/read.h"
#include "ptx_mutants.h"
#include "verified.h"
#include "verify/kernel_check.h"
#include "verify/promised_bytes.h"

namespace fuseboard_test {

enum class Fate : uint8_t {
  unread,    ///< no PTX: its text is refused
  caught,    ///< by a value, a load, a store, a fault, or its bytes
  survived,  ///< nothing told it from the original
};

/// One kernel of a graph, with the values that it is run on.
class MutationSubject {
 public:
  MutationSubject(const PlannedGraph& planned, uint32_t launched)
      : planned_(planned), kernel_(planned.kernels[planned.launched[launched]]) {
    emitted_ = fuseboard::emit(planned.graph, kernel_, planned.emit_options);
  }

  const fuseboard::EmittedKernel& emitted() const { return emitted_; }

  /// Values that every text is run on besides those of the seeds.
  void also_on(fuseboard::TensorValues values) { more_.push_back(std::move(values)); }

  /// Whether the text as it is holds for a seed; `why` otherwise.
  bool holds(uint64_t seed, std::string* why = nullptr) const {
    const fuseboard::TensorValues values(planned_.graph, seed);
    bool all = fate(emitted_, values, why) == Fate::survived;
    for (const fuseboard::TensorValues& each : more_)
      all = all && fate(emitted_, each, why) == Fate::survived;
    return all;
  }

  /// Over at most `seeds` seeds.
  Fate fate(const Mutant& mutant, uint64_t seeds) const {
    fuseboard::EmittedKernel changed = emitted_;
    changed.text = MutantMaker::applied(emitted_.text, mutant);
    if (!fuseboard::ptx::read_module(changed.text)) return Fate::unread;
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
      const fuseboard::TensorValues values(planned_.graph, seed);
      if (fate(changed, values, nullptr) == Fate::caught) return Fate::caught;
    }
    const bool is_caught = std::any_of(more_.begin(), more_.end(), [&](const fuseboard::TensorValues& each) {
      return fate(changed, each, nullptr) == Fate::caught;
    });
    return is_caught ? Fate::caught : Fate::survived;
  }

 private:
  Fate fate(const fuseboard::EmittedKernel& emitted, const fuseboard::TensorValues& values,
            std::string* why) const {
    fuseboard::KernelCheckSetup setup{planned_.graph, kernel_, emitted, values};
    setup.fast = planned_.emit_options.math == fuseboard::Math::fast;
    setup.scalar = fuseboard::VerifyOptions().scalar;
    setup.most_steps_per_block = 1 << 14;
    fuseboard::KernelCheck check(setup);
    uint64_t steps = ~uint64_t{0} >> 1;
    check.advance(steps);
    if (why != nullptr && check.fault()) *why = check.fault()->message;
    if (why != nullptr && check.mismatch()) *why = check.mismatch()->message;
    if (check.fault() || check.mismatch()) return Fate::caught;
    fuseboard::KernelRun run;
    run.kind = fuseboard::RunKind::full;
    fuseboard::promise_bytes(planned_.graph, planned_.plan.groups[kernel_.group], run);
    run.read.measured = check.bytes_read();
    run.written.measured = check.bytes_written();
    if (why != nullptr && !run.read.holds()) *why = "bytes read";
    return run.read.holds() && run.written.holds() ? Fate::survived : Fate::caught;
  }

  const PlannedGraph& planned_;
  const fuseboard::Kernel& kernel_;
  fuseboard::EmittedKernel emitted_;
  std::vector<fuseboard::TensorValues> more_;
};

}  // namespace fuseboard_test
