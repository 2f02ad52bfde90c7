// Random graphs, planned, lowered and emitted: the PTX stores what the graph says, and assembles for every
// target. It must not know how kernels are written.
#include "catch.h"
#include "kernel_runner.h"
#include "launch/lower.h"
#include "plan/fusion_planner.h"
#include "ptxas.h"
#include "random_graph.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

constexpr double kAlpha = 1.5;

/// "" where every kernel of the plan stores the values of the reference.
std::string difference_of(const RandomGraph& made, const FusionPlan& plan) {
  std::vector<Tensor> given(made.graph.size());
  for (const auto& [op, values] : made.inputs) {
    const DType dtype = made.graph.op(op).dtype;
    given[op].known = true;
    given[op].bytes.resize(values.size() * dtype_bytes(dtype));
    for (size_t i = 0; i < values.size(); ++i) {
      element_to_bytes(dtype, converted(DType::f32, dtype, {values[i], 0}),
                       given[op].bytes.data() + i * dtype_bytes(dtype));
    }
  }
  EvaluateOptions options;
  options.scalar = kAlpha;
  const std::vector<Tensor> tensors = evaluate(made.graph, std::move(given), options);
  for (const Kernel& kernel : lower(made.graph, plan, {Math::precise})) {
    if (kernel.kind != LaunchKind::kernel) continue;
    if (!kernel.emittable) return kernel.diagnostics.at(0).message;
    const EmittedKernel emitted = emit(made.graph, kernel, {{}, Math::precise, {}, "pasted"});
    const KernelRun run = run_kernel(kernel, emitted.text, tensors, kAlpha);
    const std::string wrong = difference(made.graph, run, tensors);
    if (!wrong.empty()) return wrong + "\n" + emitted.text;
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
    REQUIRE(difference_of(made, plan) == "");
    REQUIRE(difference_of(made, FusionPlanner::plan_unfused(made.graph)) == "");
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
