// Finding the values that cannot be stored, their sources in the group, and new names for both halves.
// It must not know how the groups were found, nor kernels.
#include "plan/row_outcasts.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace fuseboard {
namespace {

class Outcasts {
 public:
  Outcasts(const FusionGraph& graph, const Dag& dag, const Storages& storages, const RowFacts& facts,
           std::span<const uint32_t> domain, Partition& partition)
      : dag_(dag),
        storages_(storages),
        facts_(facts),
        domain_(domain),
        partition_(partition),
        listed_(graph.size(), 0),
        out_(graph.size(), 0),
        parent_(graph.size()) {
    for (const uint32_t id : graph.outputs()) listed_[id] = 1;
    std::iota(parent_.begin(), parent_.end(), 0U);
  }

  void run() {
    for (uint32_t id = 0; id < dag_.size(); ++id) {
      const uint32_t root = storages_.root[id];
      if (domain_[id] != kNoDomain && same_group(id, root) && !is_storable(root) && is_wanted(id)) put(root);
    }
    if (found_.empty()) return;
    size_t at = 0;
    while (at < found_.size()) {  // grows
      const uint32_t id = found_[at++];
      for (const uint32_t p : dag_.predecessors[id]) {
        if (!same_group(p, id)) continue;
        put(p);
        link(p, id);
      }
    }
    rename();
    for (Decision& each : partition_.decisions.decisions) {
      each.together = same_group(each.producer, each.consumer);
      if (each.together || each.verdict == Verdict::refused) continue;
      each.verdict = Verdict::refused;
      each.reason = Reason::not_a_row_value;
      each.path_start = each.path_length = domain_[each.consumer];
    }
  }

 private:
  bool same_group(uint32_t a, uint32_t b) const { return partition_.label[a] == partition_.label[b]; }

  bool is_storable(uint32_t id) const {
    const RowDomain& domain = facts_.domains[domain_[id]];
    return facts_.elements[id] == domain.elements() || facts_.elements[id] == domain.rows() ||
           storages_.op_class[id] == OpClass::View;
  }

  bool is_wanted(uint32_t id) const {
    const std::span<const uint32_t> consumers = dag_.successors[id];
    return consumers.empty() || listed_[id] != 0 ||
           std::any_of(consumers.begin(), consumers.end(), [&](uint32_t c) { return !same_group(id, c); });
  }

  void put(uint32_t id) {
    if (out_[id] != 0) return;
    out_[id] = 1;
    found_.push_back(id);
  }

  uint32_t find(uint32_t id) {
    while (parent_[id] != id) id = parent_[id] = parent_[parent_[id]];
    return id;
  }

  void link(uint32_t a, uint32_t b) {
    const uint32_t x = find(a), y = find(b);
    parent_[std::max(x, y)] = std::min(x, y);
  }

  /// Outcasts are named by their smallest op; a group whose representative left, by its smallest that stays.
  void rename() {
    std::vector<uint32_t> heir(dag_.size(), kNoOp);
    std::vector<uint32_t>& label = partition_.label;
    for (uint32_t id = 0; id < dag_.size(); ++id) {
      if (out_[id] == 0 && heir[label[id]] == kNoOp) heir[label[id]] = id;
    }
    for (uint32_t id = 0; id < dag_.size(); ++id) label[id] = out_[id] != 0 ? find(id) : heir[label[id]];
  }

  const Dag& dag_;
  const Storages& storages_;
  const RowFacts& facts_;
  std::span<const uint32_t> domain_;
  Partition& partition_;
  std::vector<uint8_t> listed_;
  std::vector<uint8_t> out_;
  std::vector<uint32_t> parent_;
  std::vector<uint32_t> found_;
};

}  // namespace

void cast_out(const FusionGraph& graph, const Dag& dag, const Storages& storages, const RowFacts& facts,
              std::span<const uint32_t> domain, Partition& partition) {
  Outcasts(graph, dag, storages, facts, domain, partition).run();
}

}  // namespace fuseboard
