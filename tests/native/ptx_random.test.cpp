// Random graphs, planned, lowered and emitted: the PTX stores what the graph says, and assembles for every
// target. It must not know how kernels are written.
#include <cmath>
#include <cstring>

#include "catch.h"
#include "kernel_runner.h"
#include "plan/fusion_planner.h"
#include "ptxas.h"
#include "random_graph.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

constexpr float kAlpha = 1.5F;

bool same(float a, float b) { return (a != a && b != b) || a == b; }

/// "" where every kernel of the plan stores the values of the reference.
std::string difference(const RandomGraph& made, const FusionPlan& plan) {
  const auto values = evaluate(made.graph, made.inputs, kAlpha);
  for (const Kernel& kernel : lower(made.graph, plan, {Math::precise})) {
    if (kernel.kind != LaunchKind::kernel) continue;
    if (!kernel.emittable) return kernel.diagnostics.at(0).message;
    const EmittedKernel emitted = emit(made.graph, kernel, {{}, Math::precise, {}, "pasted"});
    KernelRun run;
    run_kernel(kernel, emitted.text, values, kAlpha, run);
    if (!run.error.empty()) return run.error;
    for (const auto& [op, stored] : run.stored) {
      for (size_t at = 0; at < stored.size(); ++at) {
        if (same(stored[at], values[op][at])) continue;
        return "op " + std::to_string(op) + " at " + std::to_string(at) + ": " + std::to_string(stored[at]) +
               ", expected " + std::to_string(values[op][at]) + "\n" + emitted.text;
      }
    }
  }
  return "";
}

}  // namespace

TEST_CASE("kernels of random graphs store exactly what the graph says, fused or not") {
  size_t stores = 0;
  size_t loops = 0;
  size_t kernels = 0;
  for (uint32_t seed = 1; seed <= 500; ++seed) {
    const RandomGraph made = random_graph(seed, true);
    INFO("seed " << seed);
    REQUIRE_FALSE(has_errors(made.graph.validate()));
    const FusionPlan plan = FusionPlanner().plan(made.graph);
    REQUIRE(difference(made, plan) == "");
    REQUIRE(difference(made, FusionPlanner::plan_unfused(made.graph)) == "");
    for (const Kernel& kernel : lower(made.graph, plan)) {
      kernels += kernel.kind == LaunchKind::kernel ? 1 : 0;
      loops += kernel.loops.size();
      for (const KernelLoop& loop : kernel.loops) stores += loop.stores.size();
    }
  }
  CHECK(kernels > 800);
  CHECK(loops > kernels + 100);  // several domains in one kernel do occur
  CHECK(stores > loops);
}

TEST_CASE("kernels of 500 random graphs assemble for seven targets, silently") {
  PtxasBatch batch;
  for (uint32_t seed = 1; seed <= 500; ++seed) {
    const RandomGraph made = random_graph(seed + 10000, false);
    const std::vector<SourceLine> lines(made.graph.size(), SourceLine{seed, 1});
    const FusionPlan plan = FusionPlanner().plan(made.graph);
    for (const Kernel& kernel : lower(made.graph, plan)) {
      if (kernel.kind != LaunchKind::kernel) continue;
      REQUIRE(kernel.emittable);
      for (const Target& target : targets()) {
        batch.add(target, emit(made.graph, kernel, {target, Math::fast, lines, "pasted"}).text, kernel.entry);
      }
    }
  }
  CHECK(batch.kernels() > 5000);
  CHECK(batch.assemble(true) == "");
}
