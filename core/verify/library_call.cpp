// Gathering the operands of a library call and asking the reference.
// It must not know PTX.
#include "verify/library_call.h"

#include <utility>
#include <vector>

#include "graph/evaluate.h"

namespace fuseboard {
namespace {

/// Elements of the operands and the result, kMostLibraryElements + 1 where that is too many.
uint64_t elements_of(const FusionGraph& graph, uint32_t op) {
  uint64_t sum = element_count(graph.op(op).output_shape).value_or(0);
  for (const uint32_t input : graph.op(op).inputs) {
    const uint64_t elements = element_count(graph.op(input).output_shape).value_or(0);
    if (sum > kMostLibraryElements || elements > kMostLibraryElements) return kMostLibraryElements + 1;
    sum += elements;
  }
  return sum;
}

bool has_foreign(const FusionGraph& graph, uint32_t op) {
  bool found = graph.op(op).dtype == DType::foreign;
  for (const uint32_t input : graph.op(op).inputs) found = found || graph.op(input).dtype == DType::foreign;
  return found;
}

}  // namespace

std::string call_library(const FusionGraph& graph, uint32_t op, double scalar, TensorValues& values) {
  if (has_foreign(graph, op)) return "has no reference";
  if (elements_of(graph, op) > kMostLibraryElements) return "is too large for its reference";
  std::vector<Tensor> operands;
  for (const uint32_t input : graph.op(op).inputs) operands.push_back(values.tensor(input));
  std::vector<const Tensor*> pointers;
  pointers.reserve(operands.size());
  for (const Tensor& each : operands) pointers.push_back(&each);
  EvaluateOptions options;
  options.most_elements = kMostLibraryElements;
  options.scalar = scalar;
  std::optional<Tensor> result = evaluate_op(graph, op, pointers, options);
  if (!result || !result->known) return "has no reference, or is too large for it";
  values.hold(op, std::move(result->bytes));
  return "";
}

}  // namespace fuseboard
