// Numbering the sets of branches, conditional by conditional.
// It must not know who fuses.
#include "launch/branch_context.h"

#include <map>
#include <tuple>

namespace fuseboard {

std::vector<uint32_t> branch_contexts(const ComputeGraph& graph) {
  std::vector<uint32_t> context(graph.size(), 0);
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> numbers;  // (set so far, conditional, branch)
  uint32_t next = 1;
  std::vector<uint64_t> last(graph.size(), 0);  // the branch that named a node last: a repeat counts once
  uint64_t stamp = 0;
  for (uint32_t id = 0; id < graph.size(); ++id) {
    if (graph.node(id).kind != NodeKind::conditional) continue;
    const std::vector<std::vector<uint32_t>>& branches = graph.node(id).branches;
    for (uint32_t branch = 0; branch < branches.size(); ++branch) {
      ++stamp;
      for (const uint32_t each : branches[branch]) {
        if (each >= graph.size() || last[each] == stamp) continue;
        last[each] = stamp;
        const auto [at, is_new] = numbers.try_emplace({context[each], id, branch}, next);
        if (is_new) ++next;
        context[each] = at->second;
      }
    }
  }
  return context;
}

}  // namespace fuseboard
