// Spec 1's legality rules, asked edge by edge.
// It must not know prices or kernels.
#include "plan/elementwise.h"

#include "plan/edge_rules.h"

namespace fuseboard {
namespace {

struct ElementwiseRules {
  EdgeRules edges;

  Reason weigh(uint32_t p, uint32_t c, AcyclicMerge& /*groups*/, Decision& /*decision*/) const {
    if (!edges.is_fusible(p)) return Reason::producer_not_fusible;
    if (!edges.is_fusible(c)) return Reason::consumer_not_fusible;
    return edges.shapes_fit(p, c) ? Reason::fused : Reason::shapes_differ;
  }
  void begin(AcyclicMerge& /*groups*/) const {}
  void merged(uint32_t /*group*/) const {}
};

}  // namespace

Partition elementwise_partition(const FusionGraph& graph, const Dag& dag, const Storages& storages,
                                bool broadcast) {
  ElementwiseRules rules{EdgeRules(graph, storages, broadcast)};
  return greedy_merge(dag, rules);
}

}  // namespace fuseboard
