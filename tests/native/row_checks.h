// What every group of a plan over rows must keep to, by brute force: each member's element is followed to the
// elements that it reads.
// It must not know how groups were found.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "contracted_graph.h"
#include "graph/evaluate.h"
#include "plan/fusion_plan.h"
#include "plan/row_domain.h"

namespace fuseboard_test {

/// "" where the group can be held by a kernel that walks the rows of one domain; otherwise what is wrong.
class RowGroupCheck {
 public:
  RowGroupCheck(const fuseboard::FusionGraph& graph, const fuseboard::FusionPlan& plan, uint32_t group)
      : graph_(graph), plan_(plan), group_(group), stores_(fuseboard::storages(graph)) {}

  std::string fault() {
    for (const uint32_t id : members()) {
      if (!is_reduce(id)) continue;
      const auto domain = fuseboard::row_domain_of(graph_, id);
      if (!domain) return plan_.groups[group_].members.size() == 1 ? "" : name(id) + " has no domain";
      if (domain_ && !(*domain_ == *domain)) return name(id) + " folds another domain";
      domain_ = domain;
    }
    if (!domain_ || members().size() == 1) return "";
    find_dependents();
    for (const uint32_t id : members()) {
      if (std::string wrong = reads(id) + stored(id); !wrong.empty()) return wrong;
    }
    return "";
  }

 private:
  std::span<const uint32_t> members() const { return plan_.groups[group_].members; }
  bool inside(uint32_t id) const { return plan_.group_of[id] == group_; }
  bool is_reduce(uint32_t id) const { return stores_.op_class[id] == fuseboard::OpClass::Reduce; }
  std::string name(uint32_t id) const { return graph_.name_of(id); }
  uint64_t count(uint32_t id) const { return *fuseboard::element_count(graph_.op(id).output_shape); }

  void find_dependents() {
    for (bool grew = true; grew;) {
      grew = false;
      for (const uint32_t id : members()) {
        if (depends_.contains(id)) continue;
        const std::vector<uint32_t>& inputs = graph_.op(id).inputs;
        const bool depends = is_reduce(id) || std::any_of(inputs.begin(), inputs.end(),
                                                          [&](uint32_t p) { return depends_.contains(p); });
        if (!depends) continue;
        depends_.insert(id);
        grew = true;
      }
    }
  }

  /// The row that element i of an op of this many elements belongs to.
  uint64_t row(uint64_t elements, uint64_t i) const {
    return elements == domain_->elements() ? domain_->row_of(i) : i;
  }

  std::string reads(uint32_t id) const {
    const fuseboard::FusionOp& op = graph_.op(id);
    for (uint32_t k = 0; k < op.inputs.size(); ++k) {
      const uint32_t p = op.inputs[k];
      if (is_reduce(id)) {
        if (k == 0 && count(p) != domain_->elements()) return name(id) + " folds what is not full";
        if (k > 0 && depends_.contains(p)) return name(id) + " starts from a fold";
        continue;
      }
      const bool computed = inside(stores_.root[p]) && inside(p);
      if (!computed) continue;
      const bool full = count(p) == domain_->elements();
      const bool depends = depends_.contains(p);
      if (depends && !full && count(p) != domain_->rows()) return name(p) + " depends and is in no row";
      if (!full && !depends) continue;
      for (uint64_t i = 0; i < count(id); ++i) {
        const uint64_t at = fuseboard::operand_offset(graph_, id, k, i).value();
        if (full && at != i) return name(id) + " reads " + name(p) + " at another element";
        if (!full && at != row(count(id), i)) return name(id) + " reads " + name(p) + " at another row";
      }
    }
    return "";
  }

  std::string stored(uint32_t id) const {
    const std::span<const uint32_t> outputs = plan_.groups[group_].external_outputs;
    if (std::find(outputs.begin(), outputs.end(), id) == outputs.end()) return "";
    const uint32_t root = stores_.root[id];
    if (!inside(root) || stores_.op_class[root] == fuseboard::OpClass::View) return "";
    const bool fits = count(root) == domain_->elements() || count(root) == domain_->rows();
    return fits ? "" : name(root) + " is stored, and neither full nor by row";
  }

  const fuseboard::FusionGraph& graph_;
  const fuseboard::FusionPlan& plan_;
  uint32_t group_;
  fuseboard::Storages stores_;
  std::optional<fuseboard::RowDomain> domain_;
  std::set<uint32_t> depends_;
};

/// "" for a partition whose groups are sound and whose contraction has no cycle.
inline std::string row_plan_fault(const fuseboard::FusionGraph& graph, const fuseboard::FusionPlan& plan) {
  std::vector<uint32_t> seen(graph.size(), 0);
  for (const fuseboard::FusionGroup& group : plan.groups) {
    for (const uint32_t id : group.members) ++seen[id];
  }
  if (std::any_of(seen.begin(), seen.end(), [](uint32_t times) { return times != 1; })) return "no partition";
  const fuseboard::Dag dag = graph.dag();
  ContractedGraph contracted(dag);
  for (const fuseboard::FusionGroup& group : plan.groups) {
    for (const uint32_t id : group.members.subspan(1)) contracted.merge(group.members[0], id);
  }
  for (uint32_t g = 0; g < plan.groups.size(); ++g) {
    const uint32_t first = plan.groups[g].members[0];
    if (contracted.has_path_through_third(first, first))
      return "a cycle through the group of " + graph.name_of(first);
    if (std::string wrong = RowGroupCheck(graph, plan, g).fault(); !wrong.empty()) return wrong;
  }
  return "";
}

}  // namespace fuseboard_test
