// Plans, lowers, emits and runs a graph, for tests that ask whether it verifies.
// It must not know how it is verified.
#pragma once

#include <string>
#include <vector>

#include "emit/ptx.h"
#include "launch/launch_order.h"
#include "launch/lower.h"
#include "plan/fusion_planner.h"
#include "verify/verification.h"

namespace fuseboard_test {

/// A graph's plan with all that a verification needs beside it.
struct PlannedGraph {
  fuseboard::FusionGraph graph;
  fuseboard::EmitOptions emit_options;
  fuseboard::FusionPlan plan;
  std::vector<fuseboard::Kernel> kernels;
  std::vector<uint32_t> launched;

  PlannedGraph(fuseboard::FusionGraph its_graph, fuseboard::Math math, bool fused = true)
      : graph(std::move(its_graph)) {
    plan = fused ? fuseboard::FusionPlanner().plan(graph) : fuseboard::FusionPlanner::plan_unfused(graph);
    lower(math);
  }

  PlannedGraph(fuseboard::FusionGraph its_graph, fuseboard::Math math, fuseboard::Policy policy)
      : graph(std::move(its_graph)) {
    plan = fuseboard::FusionPlanner().with_policy(policy).plan(graph);
    lower(math);
  }

  fuseboard::VerifyReport verify(const fuseboard::VerifyOptions& options = {}) const {
    fuseboard::Verification verification(graph, plan, kernels, launched, emit_options, options);
    while (!verification.advance(1 << 20)) {
    }
    return verification.report();
  }

 private:
  void lower(fuseboard::Math math) {
    emit_options.math = math;
    kernels = fuseboard::lower(graph, plan, {math});
    launched = fuseboard::launch_order(graph.dag(), plan, kernels);
  }
};

/// "" where nothing that ran was wrong; otherwise the first thing that was, in a line.
inline std::string first_wrong(const fuseboard::VerifyReport& report, const PlannedGraph& planned) {
  for (const fuseboard::KernelRun& each : report.kernels) {
    const std::string name = planned.kernels[planned.launched[each.kernel]].entry + ": ";
    if (each.fault) return name + "line " + std::to_string(each.fault->line) + ": " + each.fault->message;
    if (each.mismatch) {
      std::string out = name + "line " + std::to_string(each.mismatch->line) + ": " + each.mismatch->message +
                        " (" + std::to_string(each.mismatch->ulps) + " ulps, bound " +
                        std::to_string(each.mismatch->bound) + ")";
      for (const auto& [op, value] : each.mismatch->operands)
        out += ", " + planned.graph.name_of(op) + " = " + value;
      return out + " kind " + std::string(planned.graph.op(each.mismatch->op).kind_text()) + " " +
             std::string(planned.graph.op(each.mismatch->op).dtype_name());
    }
    if (!each.read.holds() || !each.written.holds()) {
      return name + "read " + std::to_string(each.read.measured) + " of " +
             std::to_string(each.read.promised) + " bytes, wrote " + std::to_string(each.written.measured) +
             " of " + std::to_string(each.written.promised);
    }
  }
  return report.passed() ? "" : "not passed";
}

}  // namespace fuseboard_test
