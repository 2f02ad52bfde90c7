// One pass over a graph in topological order.
// It must not know plans.
#include "launch/graph_facts.h"

#include <numeric>

#include "analysis/topological_order.h"
#include "launch/emittable.h"
#include "launch/loop_schedule.h"

namespace fuseboard {

GraphFacts graph_facts(const FusionGraph& graph) {
  const uint32_t n = graph.size();
  GraphFacts facts;
  facts.storage = storages(graph);
  facts.elements.resize(n);
  facts.position.resize(n);
  facts.anchor.resize(n);
  std::iota(facts.anchor.begin(), facts.anchor.end(), 0U);
  facts.view_fault.assign(n, kNoOp);
  uint32_t next = 0;
  for (const uint32_t id : topological_order(graph.dag())) {
    const FusionOp& op = graph.op(id);
    facts.position[id] = next++;
    facts.elements[id] = element_count(op.output_shape).value_or(0);
    if (!is_seen_through(op)) continue;
    const uint32_t behind = op.inputs[0];
    if (!view_fault(graph, id).empty()) {
      facts.view_fault[id] = id;
      continue;
    }
    facts.view_fault[id] = facts.view_fault[behind];
    if (keeps_offsets(graph, op)) facts.anchor[id] = facts.anchor[behind];
  }
  return facts;
}

}  // namespace fuseboard
