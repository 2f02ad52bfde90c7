// How long the drawing of a planned graph takes, beside one Kahn pass over the same graph in the same run.
// It must not know how a layout is found.
#include "bench.h"
#include "families.h"
#include "kahn.h"
#include "layout/layered_layout.h"
#include "plan/fusion_planner.h"

namespace fuseboard {

void layout_bench() {
  for (const Family& family : families()) {
    for (const uint32_t n : {1'000U, 10'000U, 50'000U}) {
      const FusionGraph graph = family.make(n);
      const FusionPlan plan = FusionPlanner().plan(graph);
      const std::vector<float> width(graph.size(), 90);
      const std::vector<float> height(graph.size(), 40);
      std::vector<uint32_t> from;
      std::vector<uint32_t> to;
      std::vector<uint8_t> boxed;
      for (const Decision& each : plan.decisions.decisions) {
        from.push_back(each.producer);
        to.push_back(each.consumer);
      }
      for (const FusionGroup& group : plan.groups) boxed.push_back(group.members.size() > 1);
      const Rows inputs = graph.dag().predecessors;
      const double kahn = median_seconds(15, [&] { return kahn_pass(inputs).size(); });
      const double layout = median_seconds(3, [&] {
        return layered_layout({width, height, from, to, plan.group_of, boxed, {}}).edge_points.size();
      });
      report("layout", family.name, graph.size(), "layout", layout, "Kahn", kahn);
    }
  }
}

}  // namespace fuseboard
