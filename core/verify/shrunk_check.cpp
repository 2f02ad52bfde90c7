// A verification of its own for each shrunk variant of a group.
// It must not know the plan that the group is of.
#include "verify/shrunk_check.h"

#include <utility>

#include "launch/launch_order.h"
#include "launch/lower.h"
#include "plan/cost.h"

namespace fuseboard {

struct ShrunkCheck::Variant {
  ShrunkGroup shrunk;
  FusionPlan plan;
  std::vector<Kernel> kernels;
  std::vector<uint32_t> launched;
  std::optional<Verification> verification;
};

ShrunkCheck::ShrunkCheck(const FusionGraph& graph, const FusionGroup& group, const EmitOptions& emit_options,
                         const VerifyOptions& options)
    : graph_(graph), group_(group), emit_options_(emit_options), options_(options) {
  emit_options_.source_lines = {};
  options_.full = true;
  run_.verdict = RunVerdict::verified;
}

ShrunkCheck::~ShrunkCheck() = default;

void ShrunkCheck::begin(bool ragged) {
  std::string why_not;
  std::optional<ShrunkGroup> shrunk = shrink_group(graph_, group_, ragged, why_not);
  if (!shrunk) {
    run_.verdict = RunVerdict::skipped;
    run_.why_not = std::move(why_not);
    return;
  }
  variant_ = std::make_unique<Variant>();
  variant_->shrunk = std::move(*shrunk);
  const FusionGraph& graph = variant_->shrunk.graph;
  const Dag dag = graph.dag();
  variant_->plan = priced_plan(graph, dag, storages(graph), variant_->shrunk.label);
  LowerOptions lower_options;
  lower_options.math = emit_options_.math;
  variant_->kernels = lower(graph, variant_->plan, lower_options);
  variant_->launched = launch_order(dag, variant_->plan, variant_->kernels);
  variant_->verification.emplace(graph, variant_->plan, variant_->kernels, variant_->launched, emit_options_,
                                 options_);
  run_.shapes += (run_.shapes.empty() ? "" : ", ") + variant_->shrunk.shapes;
}

void ShrunkCheck::end() {
  const std::vector<KernelRun>& kernels = variant_->verification->report().kernels;
  if (kernels.empty()) {
    run_.verdict = RunVerdict::skipped;
    run_.why_not = "nothing of it runs at sizes " + variant_->shrunk.shapes;
  }
  for (const KernelRun& each : kernels) {
    if (each.verdict == RunVerdict::verified) continue;
    run_.verdict = each.verdict;
    run_.why_not = each.note;
    if (each.fault) run_.why_not = each.fault->message;
    if (!each.read.holds() || !each.written.holds()) run_.why_not = "bytes are not as promised";
    if (each.mismatch) {
      mismatch_ = each.mismatch;
      mismatch_->line = 0;
      mismatch_->op = variant_->shrunk.original[mismatch_->op];
      mismatch_->element = 0;
      for (auto& [op, value] : mismatch_->operands) op = variant_->shrunk.original[op];
      mismatch_->message = "at sizes " + variant_->shrunk.shapes + ": " + mismatch_->message;
      run_.why_not = mismatch_->message;
    }
    break;
  }
  variant_.reset();
}

bool ShrunkCheck::advance(uint64_t& steps) {
  while (steps > 0) {
    if (run_.verdict != RunVerdict::verified || next_ == 2) return true;
    if (!variant_) begin(next_ == 1);
    if (!variant_) return true;
    const uint64_t slice = steps;
    steps = 0;
    if (!variant_->verification->advance(slice)) return false;
    end();
    ++next_;
  }
  return run_.verdict != RunVerdict::verified || next_ == 2;
}

}  // namespace fuseboard
