// The fields of a dumped node's label, and the numbers in them.
// It must not know what a field means.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/kernel_config.h"

namespace fuseboard {

struct CudaGraphField {
  std::string text;     ///< without escapes and the blanks around it; never empty
  uint32_t offset = 0;  ///< of what is written, in bytes from the label's beginning
  uint32_t length = 0;
};

/// The fields that are not empty, in order. A line end cuts, and in a record (a label in braces, or a node
/// drawn as one) a bar or a brace, save in a launch configuration and behind a backslash. O(bytes).
std::vector<CudaGraphField> cuda_graph_fields(std::string_view label, std::string_view shape);

struct CudaGraphNumber {
  bool is_number = false;         ///< digits and nothing else
  std::optional<uint64_t> value;  ///< nothing where it leaves 64 bits
};
CudaGraphNumber read_number(std::string_view text);

/// "<<<8,{32,4},2048>>>": grid and block of one to three sizes each, bytes of shared memory. Nothing where it
/// is not of that form, or a size is 0 or leaves 32 bits.
std::optional<KernelConfig> read_launch_configuration(std::string_view text);

}  // namespace fuseboard
