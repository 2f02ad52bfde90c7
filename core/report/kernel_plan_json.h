// The plan of a kernel graph as JSON: for the page with all that it shows, and in spec 2's fields alone.
// It must not know layouts or the formats that graphs come from.
//
// Kernel plan JSON, the page's form:
// {
//   "version": 1, "format": "kernel-graph-json" | "cuda-graph",
//   "options": {"entry": "operands" | "dominated", "fused": bool, "turned": [function_name: its guess is
//   turned]}, "nodes": [{"id", "label": no two alike, "kind", "inputs", "outputs": buffers, "cost_hint",
//              of a kernel_launch: "function_name", "grid", "block": [x, y, z] or null, "shared_mem_bytes",
//              "threads": n or null where unknown or past 64 bits, "fusible", "fusible_is_guess",
//              of a memcpy: "direction", "bytes" or null; of a memset: "bytes" or null;
//              of a conditional: "branches": [[id]],
//              "group": index into groups or null, "offset", "length": bytes in the text}],
//   "edges": [[from, to]] ascending,
//   "groups": [{"root", "sink", "members": [id], "pattern": of a region "LayerNorm" | "Softmax" | "Generic",
//   else
//              "Chain"}],
//   "launches_saved",
//   "decisions": of every root tried [{"root", "sink", "verdict": "fused" | "refused", "reason":
//                "fused" | "member-not-fusible" | "totals-differ" | "total-unknown" | "edge-leaks" |
//                "branches-differ" | "not-dominated" | "no-fan-out" | "already-claimed", "member", "from",
//                "to": ids or null as launch/region_decision.h tells, "path": [id] of not-dominated, [] of
//                later ones in a graph where so many paths would take long, "message"}],
//   "chains": where each chain stops, of every fusible launch in no region [{"first", "last", "next": id or
//             null, "reason": "no-reader" | "several-readers" | "next-not-fusible" | "totals-differ" |
//             "branches-differ" | "total-unknown" | "next-belongs-elsewhere"}],
//   "totals": {"launches", "copies", "fills", "threads", "bytes_copied", "bytes_set": each of the three
//              {"sum": n or null past 64 bits, "unknown": nodes that are not in it}},
//   "rewritten": null where no group is, else {"nodes": as above with "members": the ids that became it
//   instead
//                of group and place, and "tag"; "edges", "totals"},
//   "diagnostics": [...] as in plan JSON
// }
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "launch/chain_fusion.h"
#include "launch/collapse.h"
#include "launch/compute_graph.h"
#include "launch/reduction_fusion.h"
#include "report/diagnostics_json.h"

namespace fuseboard {

/// Everything that kernel plan JSON tells of, kept by the caller.
struct KernelPlanReport {
  std::string_view text;    ///< what was pasted; offsets count in it
  std::string_view format;  ///< "kernel-graph-json"
  std::string_view entry;
  bool fused = true;
  const std::vector<std::string>& turned;
  const ComputeGraph& graph;
  const std::vector<OpPlaces::Span>& places;  ///< where each node stands in the text
  std::vector<LaunchGroup> groups;
  const std::vector<RegionDecision>& decisions;
  const std::vector<ChainDecision>& chains;
  const ComputeGraph& rewritten;
  const std::vector<Diagnostic>& diagnostics;
};

/// O(size of the answer).
std::string kernel_plan_json(const KernelPlanReport& report);

/// The golden form: {"plan": {"groups": [{"root", "sink", "members"}], "launches_saved"}, "rewritten":
/// {"nodes": the id that each kept node had (a group's root for the fused one), "edges": [[from, to]] in new
/// ids, ascending, "fused": {root: {"inputs", "outputs", "cost_hint"}}}}. O(size of the answer).
std::string spec_kernel_plan_json(const ComputeGraph& graph, const ReductionFusionPlan& plan);

}  // namespace fuseboard
