// What a plan promised of a kernel's traffic, and whether the kernel must keep it to the byte.
// It must not know how the bytes are measured.
#pragma once

#include "graph/fusion_graph.h"
#include "plan/fusion_plan.h"
#include "verify/verification.h"

namespace fuseboard {

/// Fills promised, must_be_equal and why_not of run.read and run.written; run.kind is known. Three
/// things let them differ, by design: an op of a computing kind without operands is loaded, though the plan
/// charges nothing for it; what only an empty domain needs is charged, though nothing runs; a slice, a gather
/// and a pad that crops read less than their operands, which the plan charges whole. O(members).
void promise_bytes(const FusionGraph& graph, const FusionGroup& group, KernelRun& run);

}  // namespace fuseboard
