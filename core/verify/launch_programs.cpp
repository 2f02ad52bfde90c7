// A parameter is a pointer to the buffer that the node names in its place, or a number.
// It must not know how they are run.
#include "verify/launch_programs.h"

#include <string>

#include "verify/scratch_launch.h"
#include "verify/seeded_values.h"

namespace fuseboard {
namespace {

/// Numbers that scalar_of() makes are whole where `scalar` is, so that every dtype holds them.
ProgramArgument by_value(const KernelParameter& parameter, double scalar) {
  const auto number = static_cast<int64_t>(scalar_of(scalar, parameter.op));
  ProgramArgument out;
  out.bits = bits_from_text(parameter.dtype, std::to_string(number)).value_or(0);
  out.bytes = dtype_bytes(parameter.dtype);
  return out;
}

}  // namespace

std::vector<LaunchProgram> launch_programs(const FusionGraph& graph, const std::vector<Kernel>& kernels,
                                           const LaunchedPlan& launched, const EmitOptions& options,
                                           double scalar) {
  std::vector<LaunchProgram> programs;
  for (uint32_t id = 0; id < launched.graph.size(); ++id) {
    const uint32_t index = launched.kernel_of[id];
    if (index == kNoOp || !kernels[index].emittable) continue;
    const Kernel& kernel = kernels[index];
    LaunchProgram program{id, emit(graph, kernel, options).text, kernel.entry, {}};
    auto input = launched.graph.node(id).inputs.begin();
    for (const KernelParameter& each : kernel.parameters) {
      switch (each.role) {
        case ParameterRole::input:
          program.arguments.push_back({*input++});
          break;
        case ParameterRole::output:
          program.arguments.push_back({uint64_t{each.op}});
          break;
        case ParameterRole::scalar:
          program.arguments.push_back(by_value(each, scalar));
          break;
      }
    }
    programs.push_back(std::move(program));
  }
  return programs;
}

BufferFill buffer_fill(const FusionGraph& graph, const TensorValues& values) {
  return [&values, ops = graph.size()](uint64_t buffer, uint64_t offset, std::span<uint8_t> out) {
    values.read(static_cast<uint32_t>(buffer % ops), offset, out);
  };
}

}  // namespace fuseboard
