// Walking back from a group's outputs, through views, as far as its members go.
// It must not know loops, rows, nor PTX.
#include "launch/group_needs.h"

#include <algorithm>

namespace fuseboard {

bool GroupNeedsFinder::is_computed(uint32_t op) const {
  if (member_of_[op] != group_) return false;
  const OpClass op_class = graph_.op(op).op_class();
  return op_class == OpClass::Point || op_class == OpClass::Reduce;
}

void GroupNeedsFinder::find_stores(GroupNeeds& needs) const {
  for (const uint32_t output : plan_.groups[group_].external_outputs) {
    const uint32_t root = facts_.storage.root[output];
    if (is_computed(root) && facts_.elements[root] > 0) needs.stores.push_back(root);
  }
  std::sort(needs.stores.begin(), needs.stores.end());
  needs.stores.erase(std::unique(needs.stores.begin(), needs.stores.end()), needs.stores.end());
}

void GroupNeedsFinder::find_live(GroupNeeds& needs) {
  for (const uint32_t store : needs.stores) {
    if (see(store)) needs.live.push_back(store);
  }
  size_t next = 0;
  while (next < needs.live.size()) {  // it grows
    const uint32_t id = needs.live[next++];
    for (const uint32_t input : graph_.op(id).inputs) {
      if (facts_.view_fault[input] != kNoOp) {
        needs.faulty_views.push_back(facts_.view_fault[input]);
        continue;
      }
      const uint32_t root = facts_.storage.root[input];
      if (see(root)) (is_computed(root) ? needs.live : needs.sources).push_back(root);
    }
  }
  std::sort(needs.live.begin(), needs.live.end());
  std::sort(needs.sources.begin(), needs.sources.end());
  std::sort(needs.faulty_views.begin(), needs.faulty_views.end());
}

GroupNeeds GroupNeedsFinder::of(uint32_t group) {
  group_ = group;
  for (const uint32_t id : plan_.groups[group].members) member_of_[id] = group;
  GroupNeeds needs;
  find_stores(needs);
  find_live(needs);
  return needs;
}

}  // namespace fuseboard
