// Reading edges as identity, stretch or neither, in topological order.
// It must not know which ops share a group, nor kernels.
#include "plan/row_needs.h"

#include <algorithm>

#include "analysis/topological_order.h"
#include "graph/reducer_of.h"

namespace fuseboard {
namespace {

/// The dimension of the reader that each dimension of the operand is, or nothing where it does not stretch
/// to it in order (dimensions of 1 may stand anywhere).
std::optional<std::vector<uint64_t>> kept_axes(const FusionOp& reader, const Shape& operand) {
  const Shape& shape = reader.output_shape;
  const std::vector<int64_t>* axes = reader.kind == OpKind::broadcast ? reader.ints("axes") : nullptr;
  const size_t rank = shape.size();
  if (axes != nullptr ? axes->size() != operand.size() : operand.size() > rank) return std::nullopt;
  std::vector<uint64_t> kept;
  for (size_t i = 0; i < operand.size(); ++i) {
    if (operand[i] == 1) continue;
    int64_t axis = static_cast<int64_t>(rank - operand.size() + i);
    if (axes != nullptr) axis = (*axes)[i] + ((*axes)[i] < 0 ? static_cast<int64_t>(rank) : 0);
    if (axis < 0 || static_cast<uint64_t>(axis) >= rank) return std::nullopt;
    const uint64_t at = static_cast<uint64_t>(axis);
    if (shape[at] != operand[i] || (!kept.empty() && at <= kept.back())) return std::nullopt;
    kept.push_back(at);
  }
  return kept;
}

class FactFinder {
 public:
  FactFinder(const FusionGraph& graph, const Storages& storages)
      : graph_(graph), storages_(storages), depends_(graph.size(), 0) {
    facts_.needs.resize(graph.size());
    facts_.elements.resize(graph.size());
    for (uint32_t id = 0; id < graph.size(); ++id) {
      facts_.elements[id] = element_count(graph.op(id).output_shape).value_or(0);
    }
  }

  void visit(uint32_t id) {
    switch (storages_.op_class[id]) {
      case OpClass::Source:
      case OpClass::Move:
      case OpClass::Opaque:
        return;
      case OpClass::Reduce:
        visit_reduce(id);
        return;
      case OpClass::Point:
      case OpClass::View:
        break;
    }
    RowNeeds& needs = facts_.needs[id];
    needs.elements = facts_.elements[id];
    needs.reads_elsewhere = needs.elements == 0;
    for (const uint32_t input : graph_.op(id).inputs) read(id, input);
  }

  RowFacts take() { return std::move(facts_); }

 private:
  void visit_reduce(uint32_t id) {
    const FusionOp& op = graph_.op(id);
    std::optional<RowDomain> domain = row_domain_of(graph_, id);
    if (!domain || domain->columns() == 1 || !has_known_reducer(op)) return;
    if (op.inputs.size() == 2 && depends_[op.inputs[1]] != 0) return;
    facts_.reduces = true;
    facts_.needs[id].domain = number(std::move(*domain));
    depends_[id] = 1;
  }

  /// Whether some group may compute the value: otherwise it lies in memory, and may be read at any element.
  bool is_computed(uint32_t id) const {
    const uint32_t root = storages_.root[id];
    return storages_.op_class[root] == OpClass::Point || facts_.needs[root].domain != kNoDomain;
  }

  void read(uint32_t reader, uint32_t input) {
    if (!is_computed(input)) return;
    const FusionOp& op = graph_.op(reader);
    RowNeeds& needs = facts_.needs[reader];
    depends_[reader] |= depends_[input];
    const bool same_size = facts_.elements[input] == facts_.elements[reader];
    if (op.kind == OpKind::reshape && same_size) return;
    const std::optional<std::vector<uint64_t>> kept = kept_axes(op, graph_.op(input).output_shape);
    if (!kept || op.kind == OpKind::reshape || op.kind == OpKind::result) {
      needs.reads_elsewhere = true;
      return;
    }
    if (same_size || depends_[input] == 0) return;
    std::vector<uint64_t> stretched;
    for (uint64_t axis = 0; axis < op.output_shape.size(); ++axis) {
      if (!std::binary_search(kept->begin(), kept->end(), axis)) stretched.push_back(axis);
    }
    RowNeeds wanted;
    wanted.reads = number(row_domain(op.output_shape, stretched));
    needs = both(needs, wanted);
  }

  uint32_t number(RowDomain domain) {
    std::vector<uint64_t> key;
    for (const RowDomain::Part& part : domain.parts) key.push_back(part.extent);
    key.push_back(!domain.parts.empty() && domain.parts[0].is_reduced ? 1 : 0);
    const auto [at, is_new] = numbers_.emplace(std::move(key), static_cast<uint32_t>(facts_.domains.size()));
    if (is_new) facts_.domains.push_back(std::move(domain));
    return at->second;
  }

  const FusionGraph& graph_;
  const Storages& storages_;
  std::vector<uint8_t> depends_;  ///< on a reduction, by a way that one kernel could compute
  std::map<std::vector<uint64_t>, uint32_t> numbers_;
  RowFacts facts_;
};

}  // namespace

RowNeeds both(const RowNeeds& a, const RowNeeds& b) {
  RowNeeds out = a;
  if (out.domain == kNoDomain) out.domain = b.domain;
  if (out.reads == kNoDomain) out.reads = b.reads;
  const bool reads_differ = b.reads != kNoDomain && out.reads != b.reads;
  out.reads_elsewhere = a.reads_elsewhere || b.reads_elsewhere || reads_differ;
  out.elements = std::max(a.elements, b.elements);
  return out;
}

std::optional<RowClash> clash(const RowFacts& facts, const RowNeeds& above, const RowNeeds& below) {
  const RowNeeds joined = both(above, below);
  if (joined.domain == kNoDomain) return std::nullopt;
  if (below.domain != kNoDomain && below.domain != joined.domain) {
    return RowClash{Reason::row_domain_differs, below.domain};
  }
  if (joined.reads != kNoDomain && joined.reads != joined.domain) {
    return RowClash{Reason::reads_other_rows, joined.reads};
  }
  if (joined.reads_elsewhere) return RowClash{Reason::reads_other_rows, joined.domain};
  if (joined.elements > facts.domains[joined.domain].elements()) {
    return RowClash{Reason::larger_than_rows, joined.domain};
  }
  return std::nullopt;
}

RowFacts row_facts(const FusionGraph& graph, const Dag& dag, const Storages& storages) {
  FactFinder finder(graph, storages);
  for (const uint32_t id : topological_order(dag)) finder.visit(id);
  return finder.take();
}

}  // namespace fuseboard
