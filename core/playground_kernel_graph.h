// The facade's half for kernel graphs: what a text of one is planned into, and the answers about it.
// It must not know JavaScript or pages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/fusion_graph.h"
#include "launch/chain_fusion.h"
#include "launch/collapse.h"
#include "launch/compute_graph.h"
#include "launch/reduction_fusion.h"
#include "playground.h"

namespace fuseboard {

class PlannedKernelGraph {
 public:
  /// Reads, turns the guesses that options.turned names, finds the regions, and chains among the rest (none
  /// of both where the options say unfused). Faults as of read_kernel_graph. O((text + n + m) log n).
  static Result<PlannedKernelGraph> read(std::string_view text, Entry entry,
                                         const PlaygroundOptions& options);

  /// report/kernel_plan_json.h.
  std::string plan_json(std::string_view text, std::string_view format, const PlaygroundOptions& options,
                        const std::vector<Diagnostic>& diagnostics) const;
  std::string dot() const;
  /// The graph with its groups as boxes; right of it the rewritten graph, where there is a group.
  PlaygroundLayout layout() const;

 private:
  /// Regions, then chains; they point into the plans.
  std::vector<LaunchGroup> groups() const;

  ComputeGraph graph_;
  std::vector<OpPlaces::Span> places_;
  ReductionFusionPlan regions_;
  ChainFusionPlan chains_;
  ComputeGraph rewritten_;
};

}  // namespace fuseboard
