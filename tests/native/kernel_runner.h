// Runs a plan's kernels of a small graph, in order, in the interpreter of PTX.
// It must not know how kernels are written.
#pragma once

#include <cstring>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "emit/ptx.h"
#include "graph/evaluate.h"
#include "launch/kernel.h"
#include "ptx/machine.h"
#include "ptx/read.h"

namespace fuseboard_test {

/// What a kernel stored, by op, what it cost, and what went wrong ("" if nothing).
struct KernelRun {
  std::map<uint32_t, std::vector<uint8_t>> stored;
  fuseboard::ptx::Counters counters;
  std::string error;
};

/// Runs one emitted kernel. Inputs are looked up in `tensors`. An observer sees the lines it is given.
inline KernelRun run_kernel(const fuseboard::Kernel& kernel, const std::string& text,
                            const std::vector<fuseboard::Tensor>& tensors, double scalar = 1,
                            fuseboard::ptx::Observer* observer = nullptr,
                            std::span<const uint32_t> lines = {}) {
  using namespace fuseboard;
  KernelRun run;
  const Result<ptx::Module> module = ptx::read_module(text);
  if (!module.value) {
    run.error = module.diagnostics.at(0).message + " at byte " +
                std::to_string(module.diagnostics[0].place.offset) + "\n" + text;
    return run;
  }
  ptx::Memory memory;
  ptx::Launch launch;
  launch.entry = kernel.entry;
  launch.grid = kernel.config.grid;
  launch.block = kernel.config.block;
  std::vector<uint32_t> buffers(kernel.parameters.size());
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    const KernelParameter& parameter = kernel.parameters[i];
    uint8_t bytes[8] = {};
    size_t size = 8;
    if (parameter.role == ParameterRole::scalar) {
      size = dtype_bytes(parameter.dtype);
      element_to_bytes(parameter.dtype, converted(DType::f64, parameter.dtype, {scalar, 0}), bytes);
    } else {
      buffers[i] = memory.add(parameter.name, parameter.elements * dtype_bytes(parameter.dtype));
      if (parameter.role == ParameterRole::input) memory.write(buffers[i], 0, tensors[parameter.op].bytes);
      const uint64_t address = memory.address(buffers[i]);
      std::memcpy(bytes, &address, sizeof address);
    }
    while (launch.parameters.size() % size != 0) launch.parameters.push_back(0);
    launch.parameters.insert(launch.parameters.end(), bytes, bytes + size);
  }
  Result<ptx::Machine> machine = ptx::Machine::make(*module.value, memory, launch);
  if (!machine.value) {
    run.error = machine.diagnostics.at(0).message + "\n" + text;
    return run;
  }
  if (observer != nullptr) machine.value->watch(lines, *observer);
  while (machine.value->run(1 << 20) == ptx::RunState::running) {
  }
  run.counters = machine.value->counters();
  if (machine.value->fault()) {
    run.error = "line " + std::to_string(machine.value->fault()->line) + ": " +
                machine.value->fault()->message + "\n" + text;
  }
  for (size_t i = 0; i < kernel.parameters.size() && run.error.empty(); ++i) {
    const KernelParameter& parameter = kernel.parameters[i];
    if (parameter.role != ParameterRole::output) continue;
    std::vector<uint8_t>& stored = run.stored[parameter.op];
    stored.resize(memory.bytes(buffers[i]));
    if (!memory.holds_values(buffers[i], 0, stored.size())) {
      run.error = parameter.name + " is not written whole\n" + text;
    }
    memory.read(buffers[i], 0, stored);
  }
  return run;
}

/// "" where a kernel stored what `tensors` hold, bit for bit but for the kind of NaN.
inline std::string difference(const fuseboard::FusionGraph& graph, const KernelRun& run,
                              const std::vector<fuseboard::Tensor>& tensors) {
  using namespace fuseboard;
  if (!run.error.empty()) return run.error;
  for (const auto& [op, stored] : run.stored) {
    const DType dtype = graph.op(op).dtype;
    const size_t bytes = dtype_bytes(dtype);
    if (stored.size() != tensors[op].bytes.size()) return "op " + std::to_string(op) + " has another size";
    for (size_t at = 0; at < stored.size(); at += bytes) {
      const uint8_t* want = tensors[op].bytes.data() + at;
      if (std::memcmp(&stored[at], want, bytes) == 0) continue;
      const std::string got = element_text(dtype, element_from_bytes(dtype, &stored[at]));
      const std::string expected = element_text(dtype, element_from_bytes(dtype, want));
      if (got == "nan" && expected == "nan") continue;
      return "op " + std::to_string(op) + " at " + std::to_string(at / bytes) + ": " + got + ", expected " +
             expected;
    }
  }
  return "";
}

}  // namespace fuseboard_test
