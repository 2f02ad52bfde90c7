// From the consumers to what they read.
// It must not know values, nor kernels.
#include "verify/calm_ops.h"

#include <optional>
#include <string>
#include <variant>

#include "analysis/topological_order.h"
#include "graph/reducer_of.h"
#include "plan/row_domain.h"

namespace fuseboard {
namespace {

Calm::For purpose_of(const FusionOp& reduce) {
  const std::string_view name = reducer_of(reduce);
  if (name.empty()) return Calm::For::nothing;
  if (name == "prod") return Calm::For::products;
  if (name == "any") return Calm::For::any;
  return name == "all" ? Calm::For::all : Calm::For::sums;
}

/// What a reduce asks of its operand beside what is asked of itself.
Calm asked(const FusionGraph& graph, uint32_t id, Calm own) {
  if (graph.op(id).op_class() != OpClass::Reduce) return own;
  const std::optional<RowDomain> domain = row_domain_of(graph, id);
  if (!domain || domain->columns() < own.length) return own;
  const Calm::For purpose = purpose_of(graph.op(id));
  return purpose == Calm::For::nothing ? own : Calm{purpose, domain->columns()};
}

}  // namespace

std::vector<Calm> calm_of_ops(const FusionGraph& graph) {
  std::vector<Calm> calm(graph.size());
  const std::vector<uint32_t> order = topological_order(graph.dag());
  for (size_t i = order.size(); i-- > 0;) {
    const Calm passed = asked(graph, order[i], calm[order[i]]);
    for (const uint32_t input : graph.op(order[i]).inputs) {
      if (input >= graph.size() || passed.purpose == Calm::For::nothing) continue;
      Calm& known = calm[input];
      if (known.purpose == Calm::For::nothing || known.length < passed.length) known = passed;
    }
  }
  return calm;
}

}  // namespace fuseboard
