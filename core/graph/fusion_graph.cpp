// Building a graph and the plain facts about its ops.
// It must not know the text it came from; what is wrong with a graph stands in validate.cpp.
#include "graph/fusion_graph.h"

#include <algorithm>
#include <utility>

namespace fuseboard {

const AttributeValue* FusionOp::attribute(std::string_view attribute_name) const {
  for (const Attribute& each : attributes) {
    if (each.name == attribute_name) return &each.value;
  }
  return nullptr;
}

const std::vector<int64_t>* FusionOp::ints(std::string_view attribute_name) const {
  const AttributeValue* found = attribute(attribute_name);
  return found == nullptr ? nullptr : std::get_if<std::vector<int64_t>>(found);
}

bool FusionOp::has_arity() const {
  const OpInfo& info = op_info(kind);
  return inputs.size() >= info.least_arity && inputs.size() <= info.most_arity;
}

OpClass FusionOp::op_class() const {
  const OpClass own = op_info(kind).op_class;
  switch (own) {
    case OpClass::Source:
    case OpClass::View:
      return has_arity() ? own : OpClass::Opaque;
    case OpClass::Point:
    case OpClass::Reduce:
    case OpClass::Move:
    case OpClass::Opaque:
      return own;
  }
  return own;
}

bool FusionOp::is_fusible() const {
  const OpClass own = op_class();
  return own == OpClass::Point || own == OpClass::View;
}

uint32_t FusionGraph::add_op(FusionOp op) {
  ops_.push_back(std::move(op));
  return size() - 1;
}

uint32_t FusionGraph::add_op(OpKind kind, std::vector<uint32_t> inputs, Shape output_shape, uint64_t bytes) {
  FusionOp op;
  op.kind = kind;
  op.inputs = std::move(inputs);
  op.output_shape = std::move(output_shape);
  op.dtype = dtype_from_bytes(bytes);
  op.dtype_bytes = bytes;
  return add_op(std::move(op));
}

void FusionGraph::add_output(uint32_t op) { outputs_.push_back(op); }

std::string FusionGraph::name_of(uint32_t id) const {
  return ops_[id].name.empty() ? "%" + std::to_string(id) : ops_[id].name;
}

uint64_t FusionGraph::output_bytes(uint32_t id) const {
  return tensor_bytes(ops_[id].output_shape, ops_[id].dtype_bytes).value_or(0);
}

Dag FusionGraph::dag() const {
  Rows predecessors;
  predecessors.start.reserve(ops_.size() + 1);
  std::vector<uint32_t> last_reader(ops_.size(), kNoOp);
  for (uint32_t id = 0; id < size(); ++id) {
    for (const uint32_t p : ops_[id].inputs) {
      if (p >= size() || p == id || last_reader[p] == id) continue;
      last_reader[p] = id;
      predecessors.values.push_back(p);
    }
    predecessors.start.push_back(static_cast<uint32_t>(predecessors.values.size()));
  }
  return make_dag(std::move(predecessors));
}

Place OpPlaces::of_op(const FusionGraph& graph, uint32_t op) const {
  Place place;
  place.path = json_pointers || graph.op(op).name.empty() ? "/ops/" + std::to_string(op) : graph.op(op).name;
  if (op < ops.size()) {
    place.offset = ops[op].offset;
    place.length = ops[op].length;
  }
  return place;
}

Place OpPlaces::of_input(const FusionGraph& graph, uint32_t op, uint32_t input) const {
  Place place = of_op(graph, op);
  if (json_pointers) place.path += "/inputs/" + std::to_string(input);
  if (op < start.size() && start[op] + input < inputs.size()) {
    place.offset = inputs[start[op] + input].offset;
    place.length = inputs[start[op] + input].length;
  }
  return place;
}

Place OpPlaces::of_field(const FusionGraph& graph, uint32_t op, std::string_view field_name) const {
  Place place = of_op(graph, op);
  if (json_pointers) (place.path += '/') += field_name;
  const Span span = field ? field(op, field_name) : Span{};
  if (span.length != 0) {
    place.offset = span.offset;
    place.length = span.length;
  }
  return place;
}

}  // namespace fuseboard
