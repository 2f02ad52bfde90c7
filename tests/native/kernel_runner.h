// Runs a plan's kernels of a small graph, in order, in the test's evaluator of PTX.
// It must not know how kernels are written.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "emit/ptx.h"
#include "graph_reference.h"
#include "launch/lower.h"
#include "ptx_evaluator.h"

namespace fuseboard_test {

inline std::vector<uint8_t> bytes_of(const std::vector<float>& values, fuseboard::DType dtype) {
  std::vector<uint8_t> bytes(values.size() * fuseboard::dtype_bytes(dtype));
  for (size_t i = 0; i < values.size(); ++i) {
    if (dtype == fuseboard::DType::boolean) {
      bytes[i] = values[i] != 0 ? 1 : 0;
    } else {
      std::memcpy(bytes.data() + 4 * i, &values[i], 4);
    }
  }
  return bytes;
}

inline std::vector<float> values_of(const std::vector<uint8_t>& bytes, fuseboard::DType dtype) {
  std::vector<float> values(bytes.size() / std::max(1U, fuseboard::dtype_bytes(dtype)));
  for (size_t i = 0; i < values.size(); ++i) {
    if (dtype == fuseboard::DType::boolean) {
      values[i] = bytes[i];
    } else {
      std::memcpy(&values[i], bytes.data() + 4 * i, 4);
    }
  }
  return values;
}

/// What the kernels stored, by op, and what went wrong ("" if nothing).
struct KernelRun {
  std::map<uint32_t, std::vector<float>> stored;
  std::string error;
};

/// Runs one emitted kernel. Inputs are looked up in `values`; every input element must be read at most once a
/// loop.
inline void run_kernel(const fuseboard::Kernel& kernel, const std::string& text,
                       const std::vector<std::vector<float>>& values, float alpha, KernelRun& run) {
  using namespace fuseboard;
  PtxEvaluator evaluator(text);
  std::vector<std::vector<uint8_t>> memory(kernel.parameters.size());
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    const KernelParameter& parameter = kernel.parameters[i];
    switch (parameter.role) {
      case ParameterRole::input:
        memory[i] = bytes_of(values[parameter.op], parameter.dtype);
        break;
      case ParameterRole::output:
        memory[i].assign(parameter.elements * dtype_bytes(parameter.dtype), 0xCD);
        break;
      case ParameterRole::scalar:
        evaluator.bind(parameter.name, alpha);
        continue;
    }
    evaluator.bind(parameter.name, &memory[i]);
  }
  const std::string error = evaluator.run(2, 3);
  if (!error.empty()) run.error = error + "\n" + text;
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    const KernelParameter& parameter = kernel.parameters[i];
    if (parameter.role == ParameterRole::output)
      run.stored[parameter.op] = values_of(memory[i], parameter.dtype);
  }
}

}  // namespace fuseboard_test
