// A plan's kernels as a launch graph: real geometry, the buffers behind the values, copies on request.
// It must not know PTX.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/fusion_graph.h"
#include "launch/compute_graph.h"
#include "launch/kernel.h"
#include "plan/fusion_plan.h"

namespace fuseboard {

struct ToComputeGraphOptions {
  bool copies = false;  ///< resident data is copied in first, results are copied out last
};

struct LaunchedPlan {
  ComputeGraph graph;
  std::vector<uint32_t> kernel_of;  ///< of each node: index into the kernels, kNoOp for a copy
};

/// The buffer that holds the resident data of op `id` where the op's own kernel loads it and stores its
/// result elsewhere (a relu without operand).
inline uint64_t resident_buffer(const FusionGraph& graph, uint32_t id) { return uint64_t{graph.size()} + id; }

/// One node a kernel that runs, in the order of launch (launch/launch_order.h), so that every edge goes
/// forward; `kernels` are those of `plan`, one a group (a plan of singletons: every op alone). A launch is
/// named by its entry, has the kernel's geometry where its PTX is written (a library call's is unknown), is
/// fusible where it is neither a library call nor a Move's, and costs the bytes that its group moves. A
/// buffer is numbered by the op whose storage it is (graph/storage.h), resident_buffer() aside; edges lead
/// from each buffer's writer to its readers. Copies in are of all resident data that a launch reads, by op;
/// copies out of all terminals and listed outputs that a launch has written. O(n + m).
LaunchedPlan to_compute_graph(const FusionGraph& graph, const FusionPlan& plan,
                              const std::vector<Kernel>& kernels, const ToComputeGraphOptions& options = {});

}  // namespace fuseboard
