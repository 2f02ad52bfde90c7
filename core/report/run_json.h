// Run JSON: what running a plan's kernels showed, versioned and documented here.
// It must not know pages, nor how a kernel runs.
//
// clang-format off
// {
//   "version": 1, "state": "none" | "running" | "finished" | "cancelled", "seed", "full": bool,
//   "kernels_done", "kernels_total", "progress": 0 .. 1,
//   "verified": bool: all our kernels ran in full and held, bytes equal where they must be,
//   "passed": bool: nothing that ran was wrong,
//   "kernels": one for each kernel of plan JSON, in its order [{"kernel", "entry", "name",
//     "kind": "full" | "sampled" | "library" | "fresh" | "none",
//     "verdict": "pending" | "verified" | "held" | "failed" | "faulted" | "skipped" | "cancelled",
//     "note": which blocks of a sampled kernel ran; what a library call is; why another did not run; or "",
//     "blocks_run", "blocks", "elements_held", "values_held", "output_elements",
//     "worst": {"op", "element": [i, j], "ulps", "bound"} | null,
//     "mismatch": {"what": "value" | "load" | "store" | "unwritten" | "differs-from-unfused", "op",
//                  "element": [i, j], "line", "operands": [{"op", "value": text}], "expected": text,
//                  "got": text, "ulps", "bound", "message"} | null,
//     "fault": FAULT | null,
//     "read": {"promised", "measured", "must_be_equal", "equal", "why_not"}, "written": the same,
//     "shrunk": {"verdict", "shapes": text, "why_not": text} | null: the same ops at smaller sizes, in full,
//     "counters": COUNTERS | null, "instructions_per_element": n | null, "sectors_per_load_request": n | null,
//     "sectors_per_store_request": n | null}],
//   "fused_equals_unfused": {"compared", "equal", "why_not", "tensors", "left_out": for f16 or bf16}
// }
// With state "none" there is nothing but "version" and "state". Byte counts may pass 2^53.
// FAULT: {"kind": "race", "message", "line", "block": [x, y, z], "thread": [x, y, z], "address": "0x..." | null}
// COUNTERS: {"threads", "warp_instructions", "thread_instructions", "by_class": {"integer": n, ...}, and every
//   other field of ptx/counters.h by its name}
// clang-format on
#pragma once

#include <string>
#include <vector>

#include "graph/fusion_graph.h"
#include "launch/kernel.h"
#include "verify/verification.h"

namespace fuseboard {

constexpr int kRunJsonVersion = 1;

/// O(size of the answer).
std::string run_json(const FusionGraph& graph, const std::vector<Kernel>& kernels,
                     const std::vector<uint32_t>& launched, const VerifyOptions& options,
                     const VerifyReport& report);

/// {"version", "state": "none"}.
std::string no_run_json();

}  // namespace fuseboard
