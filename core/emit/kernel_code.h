// The body of one kernel: parameters into registers, then its loops.
// It must not know the module around it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "emit/index_code.h"
#include "emit/op_code.h"
#include "emit/ptx.h"
#include "emit/ptx_writer.h"
#include "launch/loop_schedule.h"

namespace fuseboard {

class KernelCode {
 public:
  KernelCode(const FusionGraph& graph, const Kernel& kernel, const EmitOptions& options);

  bool write();  ///< false where a loop has more values than a kernel may

  const PtxWriter& writer() const { return writer_; }
  std::vector<std::pair<uint32_t, std::string>> take_registers() { return std::move(registers_); }

 private:
  void load_parameters();
  void load_indices();
  bool write_loop(size_t number);
  void begin_op(uint32_t op, const std::string& comment);
  void write_step(const LoopSchedule& schedule, uint32_t number, IndexCode& index);
  void write_load(const Step& step, IndexCode& index, PtxValue& value);
  void write_store(uint32_t op, PtxValue& value, IndexCode& index);
  std::string title(uint32_t op) const;

  const FusionGraph& graph_;
  const Kernel& kernel_;
  const EmitOptions& options_;
  std::vector<uint32_t> members_;  ///< ascending
  PtxWriter writer_;
  std::map<uint32_t, std::string> inputs_;  ///< op: register with the pointer
  std::map<uint32_t, std::string> outputs_;
  std::map<uint32_t, std::string> scalars_;
  OpCode ops_;
  std::string first_, stride_;  ///< 32-bit registers: this thread's first index, threads in the grid
  std::string wide_first_, wide_stride_;  ///< the same with 64 bits
  std::vector<PtxValue> values_;          ///< of the loop at hand, by step
  std::vector<std::pair<uint32_t, std::string>> registers_;
};

}  // namespace fuseboard
