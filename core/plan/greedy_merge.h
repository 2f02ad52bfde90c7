// Spec 1's walk over the edges: each distinct one is weighed once, and merged where nothing speaks against
// it. It must not know which rules weigh it, prices or kernels.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/acyclic_merge.h"
#include "analysis/dag.h"
#include "analysis/topological_order.h"
#include "plan/decision.h"

namespace fuseboard {

/// A representative op for each op's group, and the decisions taken on the way.
struct Partition {
  std::vector<uint32_t> label;
  DecisionList decisions;
};

static_assert(CycleWitness::kSteps == kPathKept, "a witness is kept as it comes");

/// Weighs every distinct edge, consumer by consumer in topological order (Kahn, FIFO, ready ops by id),
/// inputs as listed (spec 1, "Group formation"). `rules.begin(groups)` may merge some before;
/// `rules.weigh(p, c, groups, decision)` answers Reason::fused
/// where it has nothing against the edge; then the contracted graph is asked for a cycle, and
/// `rules.merged(group)` told of a merge. Near-linear (analysis/acyclic_merge.h).
template <class Rules>
Partition greedy_merge(const Dag& dag, Rules& rules) {
  const std::vector<uint32_t> order = topological_order(dag);
  AcyclicMerge groups(dag, order);
  rules.begin(groups);
  Partition out;
  std::vector<Decision>& decisions = out.decisions.decisions;
  decisions.reserve(dag.predecessors.values.size());
  for (const uint32_t c : order) {
    for (const uint32_t p : dag.predecessors[c]) {
      Decision& decision = decisions.emplace_back();
      decision.producer = p;
      decision.consumer = c;
      decision.reason = rules.weigh(p, c, groups, decision);
      if (decision.reason != Reason::fused) continue;
      const AcyclicMerge::Outcome outcome = groups.merge(p, c);
      if (outcome != AcyclicMerge::Outcome::cycle) {
        decision.verdict = Verdict::fused;
        if (outcome == AcyclicMerge::Outcome::merged) rules.merged(groups.find(c));
        continue;
      }
      decision.reason = Reason::would_create_cycle;
      const CycleWitness& witness = groups.witness();
      decision.tree = witness.tree;
      decision.path_start = static_cast<uint32_t>(out.decisions.steps.size());
      decision.path_length = static_cast<uint32_t>(witness.steps.size());
      decision.path_total = static_cast<uint32_t>(witness.total);
      out.decisions.steps.insert(out.decisions.steps.end(), witness.steps.begin(), witness.steps.end());
    }
  }
  out.label.resize(dag.size());
  for (uint32_t id = 0; id < dag.size(); ++id) out.label[id] = groups.find(id);
  for (Decision& each : decisions) each.together = out.label[each.producer] == out.label[each.consumer];
  out.decisions.tree_parent = groups.take_tree_parent();
  return out;
}

}  // namespace fuseboard
