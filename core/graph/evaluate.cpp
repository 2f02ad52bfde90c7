// The tensors of a graph, op after op.
// It must not know plans or kernels, nor what a library call computes.
#include "graph/evaluate.h"

#include <algorithm>
#include <limits>

#include "analysis/topological_order.h"
#include "graph/attribute_use.h"
#include "graph/library_reference.h"
#include "graph/storage.h"

namespace fuseboard {
namespace {

Tensor made(const FusionOp& op, uint64_t elements) {
  Tensor tensor;
  tensor.known = true;
  tensor.bytes.resize(elements * dtype_bytes(op.dtype));
  return tensor;
}

/// Elements of Points, Views and Moves: each from one element of each operand.
std::optional<Tensor> element_by_element(const FusionGraph& graph, uint32_t id,
                                         std::span<const Tensor* const> operands,
                                         const EvaluateOptions& options) {
  const FusionOp& op = graph.op(id);
  const uint64_t elements = *element_count(op.output_shape);
  const bool is_point = op.op_class() == OpClass::Point;
  Tensor out = made(op, elements);
  const uint32_t bytes = dtype_bytes(op.dtype);
  std::vector<Element> values(op.inputs.size());
  const PointReference reference(graph, id, options.scalar);
  for (uint64_t at = 0; at < elements; ++at) {
    Element result;
    for (uint32_t i = 0; i < values.size(); ++i) {
      const std::optional<uint64_t> from = operand_offset(graph, id, i, at);
      if (!from) continue;  // padding, or another part of a concat
      const FusionOp& operand = graph.op(op.inputs[i]);
      if ((*from + 1) * dtype_bytes(operand.dtype) > operands[i]->bytes.size()) return std::nullopt;
      values[i] =
          element_from_bytes(operand.dtype, operands[i]->bytes.data() + *from * dtype_bytes(operand.dtype));
      if (!is_point) result = converted(operand.dtype, op.dtype, values[i]);
    }
    if (is_point) result = reference.value(values, at);
    element_to_bytes(op.dtype, result, out.bytes.data() + at * bytes);
  }
  return out;
}

bool has_reference(const FusionGraph& graph, uint32_t id) {
  const FusionOp& op = graph.op(id);
  if (op.dtype == DType::foreign || !op.has_arity()) return false;
  for (const uint32_t input : op.inputs) {
    if (graph.op(input).dtype == DType::foreign) return false;
  }
  const AttributeValue* relayout = op.attribute("relayout");
  const bool* flag = relayout == nullptr ? nullptr : std::get_if<bool>(relayout);
  return flag == nullptr || !*flag;
}

}  // namespace

std::optional<Tensor> evaluate_op(const FusionGraph& graph, uint32_t id,
                                  std::span<const Tensor* const> operands, const EvaluateOptions& options) {
  const FusionOp& op = graph.op(id);
  const uint64_t elements = element_count(op.output_shape).value_or(options.most_elements + 1);
  if (elements > options.most_elements || !has_reference(graph, id)) return std::nullopt;
  switch (op.op_class()) {
    case OpClass::Source: {
      const std::optional<Element> value = op.kind == OpKind::constant ? known_value(op) : std::nullopt;
      if (!value) return std::nullopt;
      Tensor out = made(op, elements);
      for (uint64_t at = 0; at < elements; ++at) {
        element_to_bytes(op.dtype, *value, out.bytes.data() + at * dtype_bytes(op.dtype));
      }
      return out;
    }
    case OpClass::Point:
      return op.is_resident() ? std::nullopt : element_by_element(graph, id, operands, options);
    case OpClass::View:
      if (op.kind == OpKind::result) return std::nullopt;
      return element_by_element(graph, id, operands, options);
    case OpClass::Move:
      if (op.kind == OpKind::gather) return gathered(graph, id, operands);
      return element_by_element(graph, id, operands, options);
    case OpClass::Reduce:
      return reduced(graph, id, operands, options);
    case OpClass::Opaque:
      return op.kind == OpKind::matmul ? multiplied(graph, id, operands, options) : std::nullopt;
  }
  return std::nullopt;
}

std::vector<Tensor> evaluate(const FusionGraph& graph, std::vector<Tensor> given,
                             const EvaluateOptions& options) {
  given.resize(graph.size());
  for (const uint32_t id : topological_order(graph.dag())) {
    if (given[id].known) continue;
    std::vector<const Tensor*> operands;
    for (const uint32_t input : graph.op(id).inputs) operands.push_back(&given[input]);
    if (std::any_of(operands.begin(), operands.end(), [](const Tensor* each) { return !each->known; }))
      continue;
    std::optional<Tensor> value = evaluate_op(graph, id, operands, options);
    if (value) given[id] = std::move(*value);
  }
  return given;
}

}  // namespace fuseboard
