// Numbering the shapes of a graph, so that the rules compare numbers.
// It must not know groups, nor the order in which edges are weighed.
#include "plan/edge_rules.h"

#include <unordered_map>

namespace fuseboard {
namespace {

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

}  // namespace

EdgeRules::EdgeRules(const FusionGraph& graph, const Storages& storages, bool broadcast)
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

}  // namespace fuseboard
