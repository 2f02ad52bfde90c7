// Which ops have PTX, and why the others have none yet.
// It must not know kernels' loops, nor PTX.
#pragma once

#include <cstdint>
#include <string>

#include "graph/fusion_graph.h"
#include "launch/kernel.h"

namespace fuseboard {

/// Why the PTX of a Point op is not written, in words that follow the op's name ("has dtype i32, ..."); empty
/// where it is. O(operands * rank).
std::string point_fault(const FusionGraph& graph, uint32_t id, Math math);

/// The same as point_fault for a Reduce op with a row domain (plan/row_domain.h).
std::string reduce_fault(const FusionGraph& graph, uint32_t id);

/// The same for a view that a kernel reads through.
std::string view_fault(const FusionGraph& graph, uint32_t id);

/// The same for a value that a kernel loads, or holds as an immediate.
std::string source_fault(const FusionGraph& graph, uint32_t id);

/// Elements past which an index space is not walked.
constexpr uint64_t kMostElements = uint64_t{1} << 62;

}  // namespace fuseboard
