// Which ops share a row domain, the regions among them, and the edges that are left.
// It must not know prices or kernels.
#include "plan/regions.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "analysis/regions.h"
#include "plan/edge_rules.h"

namespace fuseboard {
namespace {

/// Ops linked by edges that one kernel over rows could hold, cycles aside.
class RowCompanies {
 public:
  RowCompanies(const RowFacts& facts, uint32_t size) : facts_(facts), needs_(facts.needs), parent_(size) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }

  uint32_t find(uint32_t id) {
    while (parent_[id] != id) id = parent_[id] = parent_[parent_[id]];
    return id;
  }

  void link(uint32_t producer, uint32_t consumer) {
    const uint32_t p = find(producer), c = find(consumer);
    if (p == c || clash(facts_, needs_[p], needs_[c])) return;
    const uint32_t kept = std::min(p, c);
    needs_[kept] = both(needs_[p], needs_[c]);
    parent_[std::max(p, c)] = kept;
  }

  uint32_t domain(uint32_t id) { return needs_[find(id)].domain; }

 private:
  const RowFacts& facts_;
  std::vector<RowNeeds> needs_;
  std::vector<uint32_t> parent_;
};

class RegionRules {
 public:
  RegionRules(const FusionGraph& graph, const Dag& dag, const Storages& storages, const RowFacts& facts,
              bool broadcast)
      : graph_(graph),
        dag_(dag),
        storages_(storages),
        facts_(facts),
        edges_(graph, storages, broadcast),
        region_of_(graph.size(), kNoOp) {
    find_all();
  }

  /// Members in topological order: all between the root and the next one are merged already.
  void begin(AcyclicMerge& groups) const {
    for (uint32_t r = 0; r < regions_.size(); ++r) {
      for (const uint32_t id : regions_[r].members) {
        for (const uint32_t p : dag_.predecessors[id]) {
          if (region_of_[p] != r) continue;
          [[maybe_unused]] const AcyclicMerge::Outcome outcome = groups.merge(p, id);
          assert(outcome != AcyclicMerge::Outcome::cycle);
        }
      }
    }
  }

  Reason weigh(uint32_t p, uint32_t c, AcyclicMerge& /*groups*/, Decision& decision) const {
    const uint32_t above = region_of_[p], below = region_of_[c];
    if (above != kNoOp && above == below) return Reason::fused;
    if (!is_fusible(p)) return Reason::producer_not_fusible;
    if (!is_fusible(c)) return Reason::consumer_not_fusible;
    if (above != kNoOp || below != kNoOp) {
      const Region& region = regions_[above != kNoOp ? above : below];
      decision.path_start = region.root;
      decision.path_length = region.sink;
      return Reason::region_is_closed;
    }
    return edges_.shapes_fit(p, c) ? Reason::fused : Reason::shapes_differ;
  }

  void merged(uint32_t /*group*/) const {}

  std::vector<RegionDecision> take_decisions() { return std::move(decisions_); }

 private:
  /// A reduction is, where it stands in a region.
  bool is_fusible(uint32_t id) const { return edges_.is_fusible(id) || region_of_[id] != kNoOp; }

  bool could_fuse(uint32_t id) const { return edges_.is_fusible(id) || facts_.needs[id].domain != kNoDomain; }

  void find_all() {
    RowCompanies companies(facts_, graph_.size());
    for (uint32_t c = 0; c < graph_.size(); ++c) {
      for (const uint32_t p : dag_.predecessors[c]) {
        const bool fits = facts_.needs[c].domain != kNoDomain || edges_.shapes_fit(p, c);
        if (fits && could_fuse(p) && could_fuse(c)) companies.link(p, c);
      }
    }
    const Dag seen = with_outputs();
    std::vector<uint8_t> fusible(seen.size(), 0);
    std::vector<uint64_t> company(seen.size(), 0);
    for (uint32_t id = 0; id < graph_.size(); ++id) {
      fusible[id] = could_fuse(id) && companies.domain(id) != kNoDomain ? 1 : 0;
      company[id] = companies.find(id);
    }
    const std::vector<uint32_t> order = topological_order(seen);
    Regions found = find_regions(seen, order, fusible, company, Entry::operands);
    for (Region& each : found.regions) {
      const RegionReason reason = weigh_region(each, companies.domain(each.root));
      RegionDecision& decision = decisions_.emplace_back();
      decision.root = each.root;
      decision.sink = each.sink;
      decision.verdict = reason == RegionReason::fused ? Verdict::fused : Verdict::refused;
      decision.reason = reason;
      if (reason != RegionReason::fused) continue;
      for (const uint32_t id : each.members) region_of_[id] = static_cast<uint32_t>(regions_.size());
      regions_.push_back(std::move(each));
    }
    for (const Refusal& each : found.refusals) decisions_.push_back(refused(each));
    sort_decisions(order);
  }

  /// A region that is closed must reduce, and end in what its kernel can store.
  RegionReason weigh_region(const Region& region, uint32_t folded) const {
    const RowDomain& domain = facts_.domains[folded];
    const uint64_t elements = facts_.elements[storages_.root[region.sink]];
    const bool reduces = std::any_of(region.members.begin(), region.members.end(),
                                     [&](uint32_t id) { return facts_.needs[id].domain != kNoDomain; });
    if (!reduces) return RegionReason::reduces_nothing;
    const bool is_stored = elements == domain.elements() || elements == domain.rows();
    return is_stored ? RegionReason::fused : RegionReason::sink_is_no_row_value;
  }

  RegionDecision refused(const Refusal& refusal) const {
    const auto op = [&](uint32_t id) { return id < graph_.size() ? id : kNoNode; };
    RegionDecision out;
    out.root = refusal.root;
    out.sink = op(refusal.sink);
    out.from = refusal.from;
    out.to = op(refusal.to);
    switch (refusal.reason) {
      case RefusalReason::unfit:
        if (out.to == kNoNode) {  // listed as an output
          out.reason = refusal.fans_out ? RegionReason::edge_leaks : RegionReason::no_fan_out;
          break;
        }
        out.member = out.to;
        out.reason = could_fuse(out.to) ? RegionReason::row_domain_differs : RegionReason::member_not_fusible;
        break;
      case RefusalReason::leaks:
        out.reason = RegionReason::edge_leaks;
        break;
      case RefusalReason::not_dominated:
        out.reason = RegionReason::not_dominated;
        break;
      case RefusalReason::claimed:
        out.reason = RegionReason::already_claimed;
        out.member = out.to;
        break;
      case RefusalReason::no_fan_out:
        out.reason = RegionReason::no_fan_out;
        break;
    }
    return out;
  }

  void sort_decisions(const std::vector<uint32_t>& order) {
    std::vector<uint32_t> position(order.size());
    for (uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
    std::sort(decisions_.begin(), decisions_.end(), [&](const RegionDecision& a, const RegionDecision& b) {
      return position[a.root] < position[b.root];
    });
  }

  /// The graph with one more node that reads whatever is listed as an output.
  Dag with_outputs() const {
    Rows rows = dag_.predecessors;
    std::vector<uint32_t> listed = graph_.outputs();
    std::sort(listed.begin(), listed.end());
    listed.erase(std::unique(listed.begin(), listed.end()), listed.end());
    rows.values.insert(rows.values.end(), listed.begin(), listed.end());
    rows.start.push_back(static_cast<uint32_t>(rows.values.size()));
    return make_dag(std::move(rows));
  }

  const FusionGraph& graph_;
  const Dag& dag_;
  const Storages& storages_;
  const RowFacts& facts_;
  EdgeRules edges_;
  std::vector<Region> regions_;
  std::vector<uint32_t> region_of_;
  std::vector<RegionDecision> decisions_;  ///< roots in topological order
};

}  // namespace

Partition regions_partition(const FusionGraph& graph, const Dag& dag, const Storages& storages,
                            const RowFacts& facts, bool broadcast) {
  RegionRules rules(graph, dag, storages, facts, broadcast);
  return greedy_merge(dag, rules);
}

std::vector<RegionDecision> region_decisions(const FusionGraph& graph, bool broadcast) {
  const Dag dag = graph.dag();
  const Storages stores = storages(graph);
  const RowFacts facts = row_facts(graph, dag, stores);
  if (!facts.reduces) return {};
  return RegionRules(graph, dag, stores, facts, broadcast).take_decisions();
}

}  // namespace fuseboard
