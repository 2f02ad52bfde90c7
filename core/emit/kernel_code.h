// The body of one kernel: parameters into registers, then its loops or its rows.
// It must not know the module around it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "emit/body_code.h"
#include "emit/op_code.h"
#include "emit/ptx.h"
#include "emit/ptx_writer.h"
#include "launch/launch_shape.h"
#include "launch/loop_schedule.h"

namespace fuseboard {

class KernelCode {
 public:
  KernelCode(const FusionGraph& graph, const Kernel& kernel, const EmitOptions& options);

  bool write();  ///< false where it has more values than a kernel may

  /// Registers that a thread may have; 0: as many as ptxas finds best.
  uint32_t most_registers() const { return most_registers_; }

  const PtxWriter& writer() const { return writer_; }
  const FunctionList& functions() const { return ops_.functions(); }
  std::vector<std::pair<uint32_t, std::string>> take_registers() { return std::move(registers_); }
  std::vector<TracedBody> take_bodies() { return std::move(bodies_); }
  std::optional<TracedRows> take_rows() { return std::move(rows_); }
  std::vector<Trace> take_traces() { return std::move(traces_); }  ///< lines are the writer's, from 1

 private:
  void load_parameters();
  void load_thread();
  bool write_loop(size_t number);
  bool write_rows(const RowShape& shape);
  void write_passes(const BodyFrame& frame, const LoopPasses& passes, const std::string& past,
                    BodyCode& body);
  void write_rest(const BodyFrame& frame, const LoopPasses& passes, const std::string& end, BodyCode& body);
  void skip_unless(const std::string& reg, uint64_t most, const std::string& label);
  std::string first_index(const BodyFrame& frame);
  void finish(const BodyCode& body, size_t loop_number);

  const FusionGraph& graph_;
  const Kernel& kernel_;
  const EmitOptions& options_;
  std::vector<uint32_t> members_;  ///< ascending
  PtxWriter writer_;
  std::map<uint32_t, std::string> inputs_;  ///< op: register with the pointer
  std::map<uint32_t, std::string> outputs_;
  std::map<uint32_t, std::string> scalars_;
  OpCode ops_;
  const KernelParts parts_;
  std::string thread_;  ///< 32-bit register: this thread's number in the grid
  std::vector<std::pair<uint32_t, std::string>> registers_;
  uint32_t most_registers_ = 0;
  std::vector<TracedBody> bodies_;
  std::optional<TracedRows> rows_;
  std::vector<Trace> traces_;
};

}  // namespace fuseboard
