// One body of a loop: the steps of its schedule for each slot, what is fixed before its passes, stores, and
// where all of it can be seen. It must not know the loop around it, nor the module.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "emit/contraction.h"
#include "emit/index_code.h"
#include "emit/kernel_parts.h"
#include "emit/memory_code.h"
#include "emit/op_code.h"
#include "emit/ptx.h"
#include "emit/ptx_writer.h"
#include "launch/index_walk.h"
#include "launch/loop_schedule.h"

namespace fuseboard {

/// A loop as a body sees it. The references must outlive the body.
struct BodyFrame {
  const KernelLoop& loop;
  const LoopSchedule& schedule;
  const Contractions& contractions;
  uint32_t slots = 1;
  uint64_t stride = 0;  ///< elements between two passes of a thread; 0: it has one
  bool wide = false;    ///< indices have 64 bits
  uint32_t number = 0;  ///< index into EmittedKernel::bodies
};

class BodyCode {
 public:
  BodyCode(const KernelParts& parts, const BodyFrame& frame);

  /// Steps that depend on no index: once for the whole kernel, or taken from the body of the same loop that
  /// has made them.
  void write_scalars();
  void adopt_scalars(const BodyCode& other);

  /// `index` holds the first element of the thread's first pass. Offsets, and steps that are the same in
  /// every pass (all of them where there is one).
  void begin(const std::string& index);

  /// The steps that differ between passes, and the stores.
  void write_pass();

  /// Walks the offsets to the next pass; the index itself is the caller's.
  void advance();

  TracedBody traced(uint32_t loop_number) const;
  const std::vector<Trace>& traces() const { return traces_; }
  const std::vector<std::pair<uint32_t, std::string>>& registers() const { return registers_; }

 private:
  enum class Phase : uint8_t { scalar, fixed, pass };

  Phase phase_of(uint32_t step) const;
  uint32_t slots_of(uint32_t step) const;  ///< registers that it has: 1 where slots do not differ
  uint32_t fitting_group() const;
  PtxValue& value(uint32_t step, uint32_t slot);
  bool needs_offset(const Step& step) const;
  bool is_load(uint32_t step) const { return frame_.schedule.steps[step].kind == StepKind::load; }
  void write_phase(Phase phase, uint32_t group, IndexCode& index);
  void write_step(uint32_t number, IndexCode& index);
  void write_load(uint32_t number, IndexCode& index);
  void write_unpacking(uint32_t number);
  void write_compute(uint32_t number, IndexCode& index);
  PtxValue contracted(uint32_t number, uint32_t slot);
  void write_packing(size_t store);
  void write_store(size_t store, IndexCode& index);
  void begin_op(uint32_t op, const std::string& comment) const;
  void add_value_traces(uint32_t step, uint32_t slot, uint32_t line);
  uint32_t line() const { return static_cast<uint32_t>(parts_.writer.lines().size()); }

  const KernelParts& parts_;
  const BodyFrame frame_;
  const std::vector<MapWalk> walks_;
  MemoryCode memory_;
  const uint32_t group_;                            ///< slots whose steps stand together in a pass
  std::vector<std::vector<PtxValue>> values_;       ///< by step, by slot
  std::map<uint32_t, LoadedElements> loaded_;       ///< by step
  std::vector<std::vector<std::string>> to_store_;  ///< by store: what its accesses take
  std::map<uint32_t, std::string> offsets_;         ///< registers with the offsets of maps that walk
  uint32_t first_slot_ = 0;                         ///< of the group at hand
  uint32_t group_slots_ = 1;                        ///< in it
  std::string index_;
  std::vector<Trace> traces_;
  std::vector<std::pair<uint32_t, std::string>> registers_;
};

}  // namespace fuseboard
