// Asking the reference where one step along each dimension leads.
// It must not know kernels, nor how they compute indices.
#include "verify/element_map.h"

#include "graph/evaluate.h"

namespace fuseboard {

ElementMap element_map(const FusionGraph& graph, uint32_t op, uint32_t input) {
  const Shape& shape = graph.op(op).output_shape;
  ElementMap map;
  uint64_t divisor = 1;
  bool is_identity = true;
  for (size_t d = shape.size(); d-- > 0;) {
    const uint64_t extent = shape[d];
    if (extent <= 1) continue;
    const uint64_t stride = operand_offset(graph, op, input, divisor).value_or(0);
    is_identity = is_identity && stride == divisor;
    ElementMap::Digit* last = map.digits.empty() ? nullptr : &map.digits.back();
    if (last != nullptr && last->divisor * last->extent == divisor && last->stride * last->extent == stride) {
      last->extent *= extent;
    } else if (stride != 0) {
      map.digits.push_back({divisor, extent, stride});
    }
    divisor *= extent;
  }
  map.is_identity = is_identity;
  if (is_identity) map.digits.clear();
  return map;
}

}  // namespace fuseboard
