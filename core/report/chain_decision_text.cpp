// A sentence a reason.
// It must not know how chains are found, nor JSON.
#include "report/chain_decision_text.h"

#include "report/node_title.h"

namespace fuseboard {
namespace {

std::string threads_text(const ComputeGraph& graph, uint32_t id) {
  return std::to_string(graph.node(id).threads().value_or(0)) + " threads";
}

std::string why(const ComputeGraph& graph, const ChainDecision& decision) {
  const std::string last = node_title(graph, decision.last);
  const std::string next = decision.next == kNoNode ? "" : node_title(graph, decision.next);
  switch (decision.reason) {
    case ChainReason::no_reader:
      return "nothing waits for it";
    case ChainReason::several_readers:
      return next + " is not the only one that waits for it";
    case ChainReason::next_not_fusible:
      return next + " is not fusible";
    case ChainReason::totals_differ:
      return next + " has " + threads_text(graph, decision.next) + ", " + last + " " +
             threads_text(graph, decision.last);
    case ChainReason::branches_differ:
      return next + " runs in other branches of conditionals";
    case ChainReason::total_unknown:
      return "how many threads " + (graph.node(decision.last).threads() ? next : last) + " has is unknown";
    case ChainReason::next_belongs_elsewhere:
      return next + " belongs to a region or to another chain";
  }
  return "";
}

}  // namespace

std::string chain_decision_text(const ComputeGraph& graph, const ChainDecision& decision) {
  const std::string begin =
      decision.first == decision.last ? "" : "the chain from " + node_title(graph, decision.first) + " ";
  return begin + (begin.empty() ? "no chain goes on behind " : "ends at ") +
         node_title(graph, decision.last) + ": " + why(graph, decision);
}

}  // namespace fuseboard
