// Argument after argument, held against what the entry declares.
// It must not know what they mean.
#include "verify/launch_parameters.h"

#include <cstring>

namespace fuseboard {

std::optional<std::vector<uint8_t>> launch_parameters(const ptx::Module& module, const ptx::Function& entry,
                                                      std::span<const LaunchBits> arguments,
                                                      std::string& fault) {
  if (entry.parameters.size() != arguments.size()) {
    fault = entry.name + " takes " + std::to_string(entry.parameters.size()) + " parameters; " +
            std::to_string(arguments.size()) + " are given";
    return std::nullopt;
  }
  std::vector<uint8_t> bytes(entry.parameter_bytes, 0);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ptx::Variable& variable = module.variables[entry.parameters[i]];
    const LaunchBits& each = arguments[i];
    if (variable.bytes != each.bytes) {
      fault = "parameter " + variable.name + " has " + std::to_string(variable.bytes) +
              " bytes, what is given for it " + std::to_string(each.bytes);
      return std::nullopt;
    }
    if (variable.offset + each.bytes <= bytes.size() && each.bytes <= sizeof each.bits)
      std::memcpy(&bytes[variable.offset], &each.bits, each.bytes);
  }
  return bytes;
}

}  // namespace fuseboard
