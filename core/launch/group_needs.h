// What the kernel of a group must store, and which members and storages that needs.
// It must not know loops, rows, nor PTX.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "graph/fusion_graph.h"
#include "launch/graph_facts.h"
#include "plan/fusion_plan.h"

namespace fuseboard {

/// All ascending.
struct GroupNeeds {
  std::vector<uint32_t> stores;   ///< the distinct storages that it must write, those without elements aside
  std::vector<uint32_t> live;     ///< Point and Reduce members that these need
  std::vector<uint32_t> sources;  ///< storages from outside that those read, immediates too
  std::vector<uint32_t> faulty_views;  ///< on the way to what those read (GraphFacts::view_fault)
};

/// Asked group after group, so that all of a plan's groups are O(n + m) and the sorting of each answer.
class GroupNeedsFinder {
 public:
  GroupNeedsFinder(const FusionGraph& graph, const FusionPlan& plan, const GraphFacts& facts)
      : graph_(graph),
        plan_(plan),
        facts_(facts),
        member_of_(graph.size(), kNoOp),
        seen_in_(graph.size(), kNoOp) {}

  GroupNeeds of(uint32_t group);

 private:
  /// Whether an op is a member whose value the group's kernel computes.
  bool is_computed(uint32_t op) const;
  bool see(uint32_t op) { return std::exchange(seen_in_[op], group_) != group_; }
  void find_stores(GroupNeeds& needs) const;
  void find_live(GroupNeeds& needs);

  const FusionGraph& graph_;
  const FusionPlan& plan_;
  const GraphFacts& facts_;
  std::vector<uint32_t> member_of_;
  std::vector<uint32_t> seen_in_;
  uint32_t group_ = 0;  ///< at hand
};

}  // namespace fuseboard
