// Merging dimensions into parts, and the digits of an element.
// It must not know kernels, nor how a group is found.
#include "plan/row_domain.h"

#include <algorithm>

namespace fuseboard {
namespace {

uint64_t product(const std::vector<RowDomain::Part>& parts, bool is_reduced) {
  uint64_t out = 1;
  for (const RowDomain::Part& part : parts) out *= part.is_reduced == is_reduced ? part.extent : 1;
  return out;
}

}  // namespace

uint64_t RowDomain::rows() const { return product(parts, false); }
uint64_t RowDomain::columns() const { return product(parts, true); }
uint64_t RowDomain::elements() const { return rows() * columns(); }

uint64_t RowDomain::element(uint64_t row, uint64_t column) const {
  uint64_t out = 0;
  uint64_t stride = 1;
  for (size_t k = parts.size(); k-- > 0;) {
    uint64_t& from = parts[k].is_reduced ? column : row;
    out += from % parts[k].extent * stride;
    from /= parts[k].extent;
    stride *= parts[k].extent;
  }
  return out;
}

uint64_t RowDomain::row_of(uint64_t element) const {
  uint64_t out = 0;
  uint64_t stride = 1;
  for (size_t k = parts.size(); k-- > 0;) {
    const uint64_t digit = element % parts[k].extent;
    element /= parts[k].extent;
    if (parts[k].is_reduced) continue;
    out += digit * stride;
    stride *= parts[k].extent;
  }
  return out;
}

RowDomain row_domain(std::span<const uint64_t> shape, std::span<const uint64_t> axes) {
  RowDomain out;
  for (size_t k = 0; k < shape.size(); ++k) {
    if (shape[k] == 1) continue;
    const bool is_reduced = std::binary_search(axes.begin(), axes.end(), k);
    if (!out.parts.empty() && out.parts.back().is_reduced == is_reduced) {
      out.parts.back().extent *= shape[k];
    } else {
      out.parts.push_back({shape[k], is_reduced});
    }
  }
  return out;
}

std::optional<RowDomain> row_domain_of(const FusionGraph& graph, uint32_t reduce) {
  const FusionOp& op = graph.op(reduce);
  if (op.op_class() != OpClass::Reduce || op.inputs.empty() || op.inputs.size() > 2) return std::nullopt;
  if (op.inputs.size() == 2 && element_count(graph.op(op.inputs[1]).output_shape) != 1) return std::nullopt;
  const Shape& shape = graph.op(op.inputs[0]).output_shape;
  if (element_count(shape).value_or(0) == 0) return std::nullopt;
  std::vector<uint64_t> axes;
  const std::vector<int64_t>* given = op.ints("axes");
  if (given == nullptr && op.attribute("axes") != nullptr) return std::nullopt;
  for (uint64_t k = 0; given == nullptr && k < shape.size(); ++k) axes.push_back(k);
  for (size_t i = 0; given != nullptr && i < given->size(); ++i) {
    const int64_t axis = (*given)[i] + ((*given)[i] < 0 ? static_cast<int64_t>(shape.size()) : 0);
    if (axis < 0 || static_cast<uint64_t>(axis) >= shape.size()) return std::nullopt;
    axes.push_back(static_cast<uint64_t>(axis));
  }
  std::sort(axes.begin(), axes.end());
  if (std::adjacent_find(axes.begin(), axes.end()) != axes.end()) return std::nullopt;
  RowDomain domain = row_domain(shape, axes);
  if (element_count(op.output_shape) != domain.rows()) return std::nullopt;
  return domain;
}

}  // namespace fuseboard
