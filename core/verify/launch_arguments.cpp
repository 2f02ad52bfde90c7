// Putting each argument at its parameter's offset.
// It must not know kernels of a plan, nor what the arguments mean.
#include "verify/launch_arguments.h"

#include <algorithm>
#include <cstring>

namespace fuseboard {
namespace {

/// A number as a parameter of a PTX type.
uint64_t scalar_bits(ptx::Type type, double value) {
  if (type == ptx::Type::f64) return __builtin_bit_cast(uint64_t, value);
  if (type == ptx::Type::f32) return __builtin_bit_cast(uint32_t, static_cast<float>(value));
  return static_cast<uint64_t>(static_cast<int64_t>(value));
}

}  // namespace

LaunchArguments lay_out(const ptx::Module& module, const ptx::Function& entry,
                        std::span<const LaunchArgument> arguments) {
  LaunchArguments out;
  if (entry.parameters.size() != arguments.size()) {
    out.fault = "the entry takes " + std::to_string(entry.parameters.size()) +
                " parameters, the launch has " + std::to_string(arguments.size());
    out.line = entry.line;
    return out;
  }
  out.bytes.assign(entry.parameter_bytes, 0);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ptx::Variable& variable = module.variables[entry.parameters[i]];
    const LaunchArgument& each = arguments[i];
    const uint64_t bits = each.is_scalar ? scalar_bits(variable.type, each.scalar) : each.address;
    const size_t count = std::min<size_t>(variable.bytes, sizeof bits);
    if (variable.offset + count > out.bytes.size() || (!each.is_scalar && count != sizeof bits)) {
      out.fault = "parameter " + variable.name + " cannot hold its argument";
      out.line = variable.line;
      return out;
    }
    std::memcpy(&out.bytes[variable.offset], &bits, count);
  }
  return out;
}

}  // namespace fuseboard
