// Reading a transpose's permutation, and counting who reads it.
// It must not know groups or prices.
#include "plan/turned_operands.h"

namespace fuseboard {

bool swaps_last_two(const FusionGraph& graph, uint32_t transpose) {
  const FusionOp& op = graph.op(transpose);
  if (op.kind != OpKind::transpose || op.inputs.size() != 1) return false;
  const int64_t rank = static_cast<int64_t>(graph.op(op.inputs[0]).output_shape.size());
  const std::vector<int64_t>* perm = op.ints("perm");
  if (perm == nullptr) return rank == 2;
  if (rank < 2 || static_cast<int64_t>(perm->size()) != rank) return false;
  for (int64_t k = 0; k < rank; ++k) {
    const int64_t axis = (*perm)[static_cast<size_t>(k)];
    const int64_t wanted = k < rank - 2 ? k : 2 * rank - 3 - k;
    if (axis != wanted && axis + rank != wanted) return false;
  }
  return true;
}

TurnedOperands::TurnedOperands(const FusionGraph& graph, const Dag& dag)
    : graph_(graph), dag_(dag), listed_(graph.size(), 0) {
  for (const uint32_t id : graph.outputs()) listed_[id] = 1;
}

bool TurnedOperands::is_turned(uint32_t transpose, uint32_t matmul) const {
  return graph_.op(matmul).kind == OpKind::matmul && listed_[transpose] == 0 &&
         dag_.successors[transpose].size() == 1 && swaps_last_two(graph_, transpose);
}

}  // namespace fuseboard
