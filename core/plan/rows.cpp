// Weighing an edge by what both groups need of rows, in O(1).
// It must not know prices or kernels.
#include "plan/rows.h"

#include "plan/edge_rules.h"
#include "plan/row_outcasts.h"
#include "plan/turned_operands.h"

namespace fuseboard {
namespace {

class RowRules {
 public:
  RowRules(const FusionGraph& graph, const Dag& dag, const Storages& storages, const RowFacts& facts,
           bool broadcast)
      : edges_(graph, storages, broadcast), turned_(graph, dag), facts_(facts), needs_(facts.needs) {}

  Reason weigh(uint32_t p, uint32_t c, AcyclicMerge& groups, Decision& decision) {
    if (turned_.is_turned(p, c)) {
      joined_ = {};  // neither may meet a reduction
      return Reason::fused;
    }
    if (!is_fusible(p)) return Reason::producer_not_fusible;
    if (!is_fusible(c)) return Reason::consumer_not_fusible;
    const bool into_fold = facts_.needs[c].domain != kNoDomain;
    if (!into_fold && !edges_.shapes_fit(p, c)) return Reason::shapes_differ;
    const RowNeeds& above = needs_[groups.find(p)];
    const RowNeeds& below = needs_[groups.find(c)];
    if (const std::optional<RowClash> found = clash(facts_, above, below)) {
      decision.path_start = both(above, below).domain;
      decision.path_length = found->other;
      return found->reason;
    }
    joined_ = both(above, below);
    return Reason::fused;
  }

  void begin(AcyclicMerge& /*groups*/) const {}
  void merged(uint32_t group) { needs_[group] = joined_; }

  /// The domain that each group folds, by its representative.
  uint32_t domain_of(uint32_t group) const { return needs_[group].domain; }

 private:
  bool is_fusible(uint32_t id) const { return edges_.is_fusible(id) || facts_.needs[id].domain != kNoDomain; }

  EdgeRules edges_;
  TurnedOperands turned_;
  const RowFacts& facts_;
  std::vector<RowNeeds> needs_;  ///< by group
  RowNeeds joined_;              ///< of the edge weighed last
};

}  // namespace

Partition rows_partition(const FusionGraph& graph, const Dag& dag, const Storages& storages,
                         const RowFacts& facts, bool broadcast) {
  RowRules rules(graph, dag, storages, facts, broadcast);
  Partition out = greedy_merge(dag, rules);
  std::vector<uint32_t> domain(graph.size());
  for (uint32_t id = 0; id < graph.size(); ++id) domain[id] = rules.domain_of(out.label[id]);
  out.decisions.domains = facts.domains;
  cast_out(graph, dag, storages, facts, domain, out);
  return out;
}

}  // namespace fuseboard
