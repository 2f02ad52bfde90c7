// Contracting the groups and ordering them.
// It must not know PTX.
#include "launch/launch_order.h"

#include "analysis/topological_order.h"

namespace fuseboard {

std::vector<uint32_t> launch_order(const Dag& dag, const FusionPlan& plan,
                                   const std::vector<Kernel>& kernels) {
  Rows producers;
  std::vector<uint32_t> last_reader(plan.groups.size(), kNoOp);
  for (uint32_t g = 0; g < plan.groups.size(); ++g) {
    for (const uint32_t id : plan.groups[g].members) {
      for (const uint32_t p : dag.predecessors[id]) {
        const uint32_t producer = plan.group_of[p];
        if (producer == g || last_reader[producer] == g) continue;
        last_reader[producer] = g;
        producers.values.push_back(producer);
      }
    }
    producers.start.push_back(static_cast<uint32_t>(producers.values.size()));
  }
  std::vector<uint32_t> order;
  for (const uint32_t g : topological_order(make_dag(std::move(producers)))) {
    if (kernels[g].kind != LaunchKind::none) order.push_back(g);
  }
  return order;
}

}  // namespace fuseboard
