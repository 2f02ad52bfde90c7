// Spec 1's legality rules, asked edge by edge.
// It must not know prices or kernels.
#include "plan/elementwise.h"

#include <unordered_map>

#include "analysis/acyclic_merge.h"
#include "analysis/topological_order.h"

namespace fuseboard {
namespace {

/// What the rules ask of an op, gathered once: ops are large and edges many.
class Legality {
 public:
  Legality(const FusionGraph& graph, const Storages& storages, bool broadcast)
      : storages_(storages),
        broadcast_(broadcast),
        shape_(graph.size()),
        stretches_(broadcast ? 0 : graph.size()) {
    ShapeTable table(shapes_);
    for (uint32_t id = 0; id < graph.size(); ++id) {
      const FusionOp& op = graph.op(id);
      shape_[id] = table.number(op.output_shape);
      if (!broadcast && op.kind == OpKind::broadcast && is_view(id)) {
        stretches_[id] = graph.op(op.inputs[0]).output_shape != op.output_shape;
      }
    }
  }

  bool is_fusible(uint32_t id) const { return storages_.op_class[id] == OpClass::Point || is_view(id); }

  /// Spec 1, legality 3; an edge that touches a view skips it, but for stretching views where broadcasting is
  /// off (design 6).
  bool shapes_fit(uint32_t producer, uint32_t consumer) const {
    if (is_view(producer) || is_view(consumer)) {
      return broadcast_ || !(stretches_[producer] || stretches_[consumer]);
    }
    const uint32_t from = shape_[producer];
    const uint32_t to = shape_[consumer];
    return from == to || (broadcast_ && broadcastable(shapes_[from], shapes_[to]));
  }

 private:
  /// Equal shapes get equal numbers; graphs have few distinct ones.
  class ShapeTable {
   public:
    explicit ShapeTable(std::vector<Shape>& shapes) : shapes_(shapes) {}

    uint32_t number(const Shape& shape) {
      if (!shapes_.empty() && shapes_[last_] == shape) return last_;
      uint64_t hash = shape.size();
      for (const uint64_t dim : shape) hash = (hash ^ dim) * 0x9e3779b97f4a7c15 >> 7 ^ dim;
      for (auto [at, end] = numbers_.equal_range(hash); at != end; ++at) {
        if (shapes_[at->second] == shape) return last_ = at->second;
      }
      last_ = static_cast<uint32_t>(shapes_.size());
      numbers_.emplace(hash, last_);
      shapes_.push_back(shape);
      return last_;
    }

   private:
    std::vector<Shape>& shapes_;
    std::unordered_multimap<uint64_t, uint32_t> numbers_;
    uint32_t last_ = 0;
  };

  bool is_view(uint32_t id) const { return storages_.op_class[id] == OpClass::View; }

  const Storages& storages_;
  bool broadcast_;
  std::vector<Shape> shapes_;
  std::vector<uint32_t> shape_;
  std::vector<uint8_t> stretches_;
};

}  // namespace

static_assert(CycleWitness::kSteps == kPathKept, "a witness is kept as it comes");

Partition elementwise_partition(const FusionGraph& graph, const Dag& dag, const Storages& storages,
                                bool broadcast) {
  const uint32_t n = graph.size();
  const Legality legality(graph, storages, broadcast);
  const std::vector<uint32_t> order = topological_order(dag);
  AcyclicMerge groups(dag, order);
  Partition out;
  std::vector<Decision>& decisions = out.decisions.decisions;
  decisions.reserve(dag.predecessors.values.size());
  for (const uint32_t c : order) {
    for (const uint32_t p : dag.predecessors[c]) {
      Decision& decision = decisions.emplace_back();
      decision.producer = p;
      decision.consumer = c;
      if (!legality.is_fusible(p)) {
        decision.reason = Reason::producer_not_fusible;
      } else if (!legality.is_fusible(c)) {
        decision.reason = Reason::consumer_not_fusible;
      } else if (!legality.shapes_fit(p, c)) {
        decision.reason = Reason::shapes_differ;
      } else if (groups.merge(p, c) != AcyclicMerge::Outcome::cycle) {
        decision.verdict = Verdict::fused;
      } else {
        decision.reason = Reason::would_create_cycle;
        const CycleWitness& witness = groups.witness();
        decision.tree = witness.tree;
        decision.path_start = static_cast<uint32_t>(out.decisions.steps.size());
        decision.path_length = static_cast<uint32_t>(witness.steps.size());
        decision.path_total = static_cast<uint32_t>(witness.total);
        out.decisions.steps.insert(out.decisions.steps.end(), witness.steps.begin(), witness.steps.end());
      }
    }
  }
  out.label.resize(n);
  for (uint32_t id = 0; id < n; ++id) out.label[id] = groups.find(id);
  for (Decision& each : decisions) each.together = out.label[each.producer] == out.label[each.consumer];
  out.decisions.tree_parent = groups.take_tree_parent();
  return out;
}

}  // namespace fuseboard
