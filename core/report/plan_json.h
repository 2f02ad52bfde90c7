// Plan JSON: the one form in which a plan leaves the core, versioned and documented here.
// It must not know layouts or the texts that graphs come from.
//
// {
//   "version": 1,
//   "format": "graph-json" | "hlo",
//   "options": {"broadcast": bool, "fused": bool, "policy": "rows", "target": "sm_90", "math": "fast"},
//   "ops": [{"id", "name", "kind", "class", "inputs": [id], "output_shape": [n], "dtype": "f32" | "" ,
//   "dtype_bytes",
//            "output_bytes", "group": index into groups, "offset", "length": bytes in the text, then the
//            attributes by name}],
//   "outputs": [id],
//   "groups": [{"members": [id], "external_inputs", "external_outputs", "internal_intermediates",
//   "bytes_read",
//               "bytes_written", "bytes_unfused": the same ops one kernel each,
//               "pattern": "Softmax", "LayerNorm", ... of a group that reduces (plan/pattern.h), else "",
//               "runs": "kernel" | "library" | "none", "kernel": index into kernels or null,
//               "materialized": [{"op", "why": "terminal" | "output" | "consumed-outside", "consumers":
//               [id]}]}],
//   "bytes_unfused", "bytes_fused", "bytes_saved", "speedup_estimate",
//   "decisions": [{"producer", "consumer", "verdict": "fused" | "refused",
//                  "reason": "fused" | "producer-not-fusible" | "consumer-not-fusible" | "shapes-differ" |
//                            "would-create-cycle" | "row-domain-differs" | "reads-other-rows" |
//                            "larger-than-rows" | "not-a-row-value" | "region-is-closed",
//                  "together": bool, "bytes": what the consumer alone reads over this edge,
//                  "producer_shape", "consumer_shape": for shapes-differ,
//                  "path": [id], "path_total": for would-create-cycle,
//                  "domains": the rows that the group folds, and the other ones, for the four about rows:
//                  each
//                  [{"extent", "reduced"}], outermost first (plan/row_domain.h),
//                  "region": [root, sink] for region-is-closed}],
//   "region_decisions": of the policy regions alone, one for every root tried, in topological order
//   (plan/region_decision.h) [{"root", "sink", "verdict", "reason": "fused" | "member-not-fusible" |
//                  "row-domain-differs" | "edge-leaks" | "no-fan-out" | "already-claimed" | "reduces-nothing"
//                  | "sink-is-no-row-value", "member", "from", "to": null where there is none}],
//   "policies": [{"policy", "bytes_fused", "kernels", "launches"}]: what each would make of the graph; [] of
//   very large graphs,
//   "kernels": in the order of launch [{"group", "kind": "kernel" | "library", "name", "entry", "emitted":
//   bool,
//                "parameters": [{"name", "role": "input" | "output" | "scalar", "op",
//                                "attribute": of a scalar, "dtype", "elements",
//                                "alignment": of a pointer, bytes of which its address is a multiple}],
//                "loops": [{"domain": [n], "stores": [id], "slots": elements at a time}],
//                "move": null, or of a Move's kernel {"walk": "elements" | "tiles", "wide": 64-bit offsets,
//                         "tile": null or {"side": elements, "pack": elements of an access, "column": which
//                         dimension lies in a line of the operand, "shared_bytes"},
//                         "parts": boxes of the result [{"operand": input of the op, "extents": [n] of merged
//                         dimensions, "slots": elements of an access, "blocks"}]},
//                "rows": null, or of a kernel that reduces (launch/row_shape.h) {"domain": [{"extent",
//                        "reduced"}], outermost first, "stores": [id], "walk": "held" | "looped",
//                        "along_rows": bool, "slots": elements of an access, "threads": that share a row,
//                        "rows_in_block", "passes": accesses of a thread along a row},
//                "bytes_reread": what a looped walk reads again, "grid": [x, y, z],
//                "block": [x, y, z], "shared_mem_bytes", "diagnostics": [...]}],
//   "diagnostics": [{"severity", "code", "message", "hint", "offset", "length", "line", "column", "path"}]
// }
// A group that runs nothing (resident data, an alias) has no kernel. Counts are exact integers up to 2^64
// - 1.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/fusion_graph.h"
#include "launch/kernel.h"
#include "plan/fusion_plan.h"
#include "report/diagnostics_json.h"

namespace fuseboard {

constexpr int kPlanJsonVersion = 1;

/// What a policy makes of a graph.
struct PolicyFigures {
  std::string_view policy;
  uint64_t bytes_fused = 0;
  uint64_t kernels = 0;   ///< with PTX of ours
  uint64_t launches = 0;  ///< library calls too
};

/// Everything that plan JSON tells of, kept by the caller.
struct PlanReport {
  std::string_view text;    ///< what was pasted; offsets count in it
  std::string_view format;  ///< "graph-json"
  bool broadcast = true;
  bool fused = true;
  std::string_view policy;
  std::string_view target;
  std::string_view math;
  const FusionGraph& graph;
  const std::vector<OpPlaces::Span>& places;
  const FusionPlan& plan;
  const std::vector<Kernel>& kernels;     ///< one a group, in the order of the groups
  const std::vector<uint32_t>& launched;  ///< those that run, in the order of launch
  const std::vector<PolicyFigures>& policies;
  const std::vector<Diagnostic>& diagnostics;
};

/// O(size of the answer).
std::string plan_json(const PlanReport& report);

/// The spec's fields alone, names and order as in the golden answers: {"groups": [...], "bytes_unfused",
/// ...}.
std::string spec_plan_json(const FusionPlan& plan);

/// The op table: [{"kind", "class", "arity": [least, most or null], "attributes", "reference", "names"}].
std::string op_table_json();

}  // namespace fuseboard
