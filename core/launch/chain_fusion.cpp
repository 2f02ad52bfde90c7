// One walk down from every launch that begins a chain.
// It must not know op graphs, nor the text that a graph came from.
#include "launch/chain_fusion.h"

#include <utility>

#include "analysis/topological_order.h"
#include "launch/branch_context.h"

namespace fuseboard {
namespace {

class ChainFuser {
 public:
  ChainFuser(const ComputeGraph& graph, const ReductionFusionPlan& regions)
      : graph_(graph), dag_(graph.dag()), context_(branch_contexts(graph)), taken_(graph.size(), 0) {
    for (const ReductionFusionGroup& each : regions.groups) {
      for (const uint32_t id : each.members) taken_[id] = 1;
    }
  }

  ChainFusionPlan run() {
    ChainFusionPlan plan;
    for (const uint32_t first : topological_order(dag_)) {
      if (!graph_.node(first).is_fusible() || taken_[first] != 0) continue;
      ChainFusionGroup group{{first}};
      taken_[first] = 1;
      ChainDecision decision = stop_at(first);
      while (decision.next != kNoNode && goes_on_) {
        taken_[decision.next] = 1;
        group.members.push_back(decision.next);
        decision = stop_at(decision.next);
      }
      decision.first = first;
      plan.decisions.push_back(decision);
      plan.launches_saved += group.members.size() - 1;
      if (group.members.size() > 1) plan.groups.push_back(std::move(group));
    }
    return plan;
  }

 private:
  /// What comes behind `last`, and whether it joins.
  ChainDecision stop_at(uint32_t last) {
    ChainDecision out;
    out.last = last;
    goes_on_ = false;
    const auto readers = dag_.successors[last];
    if (readers.empty()) return out;
    out.next = readers[0];
    const ComputeNode& next = graph_.node(out.next);
    const std::optional<uint64_t> threads = graph_.node(last).threads();
    if (readers.size() > 1) {
      out.reason = ChainReason::several_readers;
    } else if (!next.is_fusible()) {
      out.reason = ChainReason::next_not_fusible;
    } else if (!threads || !next.threads()) {
      out.reason = ChainReason::total_unknown;
    } else if (*threads != *next.threads()) {
      out.reason = ChainReason::totals_differ;
    } else if (context_[last] != context_[out.next]) {
      out.reason = ChainReason::branches_differ;
    } else if (taken_[out.next] != 0) {
      out.reason = ChainReason::next_belongs_elsewhere;
    } else {
      goes_on_ = true;
    }
    return out;
  }

  const ComputeGraph& graph_;
  const Dag dag_;
  const std::vector<uint32_t> context_;
  std::vector<uint8_t> taken_;
  bool goes_on_ = false;
};

}  // namespace

std::string_view chain_reason_text(ChainReason reason) {
  switch (reason) {
    case ChainReason::no_reader:
      return "no-reader";
    case ChainReason::several_readers:
      return "several-readers";
    case ChainReason::next_not_fusible:
      return "next-not-fusible";
    case ChainReason::totals_differ:
      return "totals-differ";
    case ChainReason::branches_differ:
      return "branches-differ";
    case ChainReason::total_unknown:
      return "total-unknown";
    case ChainReason::next_belongs_elsewhere:
      return "next-belongs-elsewhere";
  }
  return "";
}

ChainFusionPlan fuse_chains(const ComputeGraph& graph, const ReductionFusionPlan& regions) {
  return ChainFuser(graph, regions).run();
}

ComputeGraph rewrite(const ComputeGraph& graph, const ReductionFusionPlan& regions,
                     const ChainFusionPlan& chains) {
  std::vector<LaunchGroup> groups = launch_groups(regions);
  for (const ChainFusionGroup& each : chains.groups) groups.push_back({each.members, "Chain"});
  return collapse(graph, groups);
}

}  // namespace fuseboard
