// Merge stage and whole plan over the families, as ratios to one Kahn pass over the same arrays in the same
// run. It must not know formats or kernels.
#include <utility>

#include "analysis/acyclic_merge.h"
#include "analysis/topological_order.h"
#include "bench.h"
#include "families.h"
#include "kahn.h"
#include "plan/fusion_planner.h"
#include "row_families.h"

namespace fuseboard {
namespace {

/// Edge by edge as the elementwise policy does, but for shapes and decisions.
void merge_all(const Dag& dag, const std::vector<uint32_t>& order, const std::vector<uint8_t>& fusible) {
  AcyclicMerge groups(dag, order);
  for (const uint32_t c : order) {
    if (!fusible[c]) continue;
    for (const uint32_t p : dag.predecessors[c]) {
      if (fusible[p]) (void)groups.merge(p, c);
    }
  }
}

void measure(const Family& family, uint32_t n) {
  const FusionGraph graph = family.make(n);
  const Dag dag = graph.dag();
  const std::vector<uint32_t> order = topological_order(dag);
  std::vector<uint8_t> fusible;
  for (const FusionOp& op : graph.ops()) fusible.push_back(op.is_fusible());
  const int repeats = n > 200'000 ? 3 : 7;
  const double kahn = median_seconds(repeats + 4, [&] { return kahn_pass(dag.predecessors).size(); });
  const double merge = median_seconds(repeats, [&] {
    merge_all(dag, order, fusible);
    return size_t{0};
  });
  report("planner", family.name, graph.size(), "merge", merge, "Kahn", kahn);
  for (const auto& [what, policy] :
       {std::pair("plan", Policy::elementwise), std::pair("rows", Policy::rows)}) {
    const FusionPlanner planner = FusionPlanner().with_policy(policy);
    const double plan = median_seconds(repeats, [&] { return planner.plan(graph).groups.size(); });
    report("planner", family.name, graph.size(), what, plan, "Kahn", kahn);
  }
}

}  // namespace

void planner_bench(uint32_t most) {
  for (const uint32_t n : {10'000U, 100'000U, 1'000'000U}) {
    if (n > most) break;
    for (const Family& family : families()) measure(family, n);
    for (const Family& family : row_families()) measure(family, n);
  }
}

}  // namespace fuseboard
