// Spec 1's legality rules of one edge: who is fusible, and which shapes fit.
// It must not know groups, nor the order in which edges are weighed.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/fusion_graph.h"
#include "graph/storage.h"

namespace fuseboard {

/// What the rules ask of an op, gathered once: ops are large and edges many. O(n * rank) to make, O(1)
/// expected to ask.
class EdgeRules {
 public:
  EdgeRules(const FusionGraph& graph, const Storages& storages, bool broadcast);

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
  bool is_view(uint32_t id) const { return storages_.op_class[id] == OpClass::View; }

  const Storages& storages_;
  bool broadcast_;
  std::vector<Shape> shapes_;
  std::vector<uint32_t> shape_;
  std::vector<uint8_t> stretches_;
};

}  // namespace fuseboard
