// The label of one node of a CUDA graph dump: its kind and its fields.
// It must not know clusters, edges nor the text around it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "launch/compute_graph.h"

namespace fuseboard {

/// What is wrong with a label, and where in it.
struct CudaGraphLabelFault {
  Code code = Code::bad_attribute;
  std::string message;
  std::string hint;
  uint32_t offset = 0;  ///< bytes from the label's beginning
  uint32_t length = 0;
};

struct CudaGraphLabel {
  ComputeNode node;
  std::string payload;              ///< of a label of no known kind: all it says; perhaps a graph's name
  std::vector<std::string> bodies;  ///< the graphs that a conditional names, in order
  bool is_known = true;             ///< false: the node's kind is none known here, and it is a barrier
  std::optional<CudaGraphLabelFault> fault;
};

/// Whether a text is what the driver calls a graph: "graph_" and digits.
bool is_cuda_graph_name(std::string_view text);

/// Reads a label without its quotes, escapes as written, of a node drawn as `shape`: the record of a verbose
/// dump ("{KERNEL | {ID | 0 (topoId: 2) | name\<\<\<8,\{32,4\},0\>\>\>} ...}"), or the lines of a terse one
/// ("0", then the kernel's name or the kind in capitals, then what is in brackets). Names are kept as
/// written in function_name and demangled in name; fusible is a guess by the name. Fields that the driver may
/// add are passed over. O(bytes).
CudaGraphLabel read_cuda_graph_label(std::string_view label, std::string_view shape);

}  // namespace fuseboard
