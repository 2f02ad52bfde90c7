// Listing parameters.
// It must not know loops, rows, nor PTX.
#include "launch/kernel_parameters.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "graph/storage.h"
#include "launch/lowering.h"
#include "launch/names.h"

namespace fuseboard {
namespace {

class ParameterList {
 public:
  ParameterList(const FusionGraph& graph, const GraphFacts& facts) : graph_(graph), facts_(facts) {}

  void add(ParameterRole role, uint32_t op, std::string_view attribute = {});
  std::vector<KernelParameter> take() { return std::move(parameters_); }

 private:
  const FusionGraph& graph_;
  const GraphFacts& facts_;
  std::vector<KernelParameter> parameters_;
};

void ParameterList::add(ParameterRole role, uint32_t op, std::string_view attribute) {
  KernelParameter parameter;
  parameter.role = role;
  parameter.op = op;
  parameter.attribute = attribute;
  parameter.dtype = graph_.op(op).dtype;
  parameter.elements = facts_.elements[op];
  std::string_view prefix = attribute;
  switch (role) {
    case ParameterRole::input:
      prefix = "in";
      break;
    case ParameterRole::output:
      prefix = "out";
      break;
    case ParameterRole::scalar:
      parameter.dtype = scalar_dtype(graph_, graph_.op(op));
      parameter.elements = 1;
      break;
  }
  parameter.name = std::string(prefix) + std::to_string(parameters_.size());
  const std::string own = identifier_of(graph_.op(op).name, 24);
  if (!own.empty()) parameter.name += "_" + own;
  parameters_.push_back(std::move(parameter));
}

}  // namespace

std::vector<KernelParameter> kernel_parameters(const FusionGraph& graph, const GraphFacts& facts,
                                               const GroupNeeds& needs) {
  ParameterList list(graph, facts);
  for (const uint32_t source : needs.sources) {
    if (!is_immediate(graph.op(source))) list.add(ParameterRole::input, source);
  }
  for (const uint32_t id : needs.live) {
    if (graph.op(id).is_resident()) list.add(ParameterRole::input, id);
  }
  for (const uint32_t store : needs.stores) list.add(ParameterRole::output, store);
  for (const uint32_t id : needs.live) {
    if (graph.op(id).is_resident()) continue;
    const std::string_view scalar = unknown_scalar(graph.op(id));
    if (!scalar.empty()) list.add(ParameterRole::scalar, id, scalar);
  }
  return list.take();
}

std::vector<KernelParameter> pointer_parameters(const FusionGraph& graph, const GraphFacts& facts,
                                                std::span<const uint32_t> sources, uint32_t op) {
  ParameterList list(graph, facts);
  for (const uint32_t source : sources) list.add(ParameterRole::input, source);
  list.add(ParameterRole::output, op);
  return list.take();
}

std::vector<KernelParameter> call_parameters(const FusionGraph& graph, const GraphFacts& facts,
                                             std::span<const uint32_t> members, uint32_t op) {
  const auto is_turned_here = [&](uint32_t id) {
    return graph.op(id).op_class() == OpClass::Move && id != op &&
           std::find(members.begin(), members.end(), id) != members.end();
  };
  std::vector<uint32_t> sources;
  std::unordered_set<uint32_t> seen;
  for (const uint32_t input : graph.op(op).inputs) {
    uint32_t root = facts.storage.root[input];
    if (is_turned_here(root)) root = facts.storage.root[graph.op(root).inputs[0]];
    if (seen.insert(root).second) sources.push_back(root);
  }
  return pointer_parameters(graph, facts, sources, op);
}

}  // namespace fuseboard
