// What an instruction yields while a graph is built: an op, a tuple of values, or a part of an op's many
// results. It must not know opcodes; it adds no op but inputs' leaves and `result` views.
#include "formats/hlo_values.h"

#include <algorithm>
#include <utility>

namespace fuseboard {

/// Whether `name` was free; then it is taken.
bool HloGraph::take(const std::string& name) {
  if (reserved_.empty()) reserved_.insert(own_names_.begin(), own_names_.end());
  return reserved_.count(name) == 0 && used_.insert(name).second;
}

uint32_t HloGraph::add(FusionOp op, HloSpan span, std::string_view name, std::string_view scope, bool own,
                       const std::vector<HloSpan>& input_spans) {
  budget.spend(budget.ops, 1);
  op.name = std::string(name);
  if (!own && !take(op.name)) {
    if (!scope.empty()) op.name = std::string(scope) + "/" + op.name;
    if (scope.empty() || !take(op.name)) {
      uint64_t& counter = counters_[op.name];
      std::string numbered;
      do {
        numbered = op.name + "." + std::to_string(++counter);
      } while (!take(numbered));
      op.name = std::move(numbered);
    }
  }
  budget.spend(budget.bytes, op.name.size());
  places.ops.push_back(span);
  places.start.push_back(static_cast<uint32_t>(places.inputs.size()));
  places.inputs.insert(places.inputs.end(), input_spans.begin(), input_spans.end());
  places.inputs.resize(places.start.back() + op.inputs.size(), span);
  return graph.add_op(std::move(op));
}

uint32_t HloValues::add(HloValue value) {
  values_.push_back(value);
  return static_cast<uint32_t>(values_.size()) - 1;
}

uint32_t HloValues::unknown() { return add({}); }
uint32_t HloValues::op(uint32_t id) { return add({HloValue::Kind::Op, id, 0}); }
uint32_t HloValues::results(uint32_t op, uint32_t node) { return add({HloValue::Kind::Results, op, node}); }

uint32_t HloValues::tuple(const std::vector<uint32_t>& elements) {
  const auto first = static_cast<uint32_t>(elements_.size());
  elements_.insert(elements_.end(), elements.begin(), elements.end());
  return add({HloValue::Kind::Tuple, first, static_cast<uint32_t>(elements.size())});
}

bool HloValues::is_tuple(uint32_t id) const {
  return values_[id].kind == HloValue::Kind::Tuple || values_[id].kind == HloValue::Kind::Results;
}

uint32_t HloValues::element_count(uint32_t id) const {
  const HloValue& value = values_[id];
  return value.kind == HloValue::Kind::Tuple ? value.b : types_.nodes[value.b].child_count;
}

uint32_t HloValues::element(uint32_t id, uint32_t index, HloSpan span, std::string_view name,
                            std::string_view scope, bool own) {
  const HloValue value = values_[id];
  if (value.kind == HloValue::Kind::Tuple) return elements_[value.a + index];
  const uint32_t child = types_.children[types_.nodes[value.b].first_child + index];
  if (types_.nodes[child].is_tuple) return results(value.a, child);
  return op(result_op(value.a, child, span, name, scope, own));
}

uint32_t HloValues::result_op(uint32_t op, uint32_t node, HloSpan span, std::string_view name,
                              std::string_view scope, bool own) {
  const uint32_t leaf = types_.nodes[node].leaf;
  const uint64_t key = (static_cast<uint64_t>(op) << 32) | leaf;
  const auto found = result_ops_.find(key);
  if (found != result_ops_.end()) return found->second;
  const HloArray& array = types_.arrays[types_.nodes[node].array];
  FusionOp result;
  result.kind = OpKind::result;
  result.dtype = array.dtype;
  result.dtype_bytes = array.dtype_bytes;
  result.foreign_dtype = array.foreign_dtype;
  result.output_shape = array.shape;
  result.inputs = {op};
  result.attributes.push_back({"index", static_cast<int64_t>(leaf)});
  const uint32_t made = out_.add(std::move(result), span, name, scope, own, {});
  out_.set_layout(made, array.layout);
  result_ops_.emplace(key, made);
  return made;
}

void HloValues::flatten_results(uint32_t op, uint32_t node, HloSpan span, std::vector<uint32_t>& ops) {
  std::vector<uint32_t> open{node};
  while (!open.empty()) {
    const uint32_t at = open.back();
    open.pop_back();
    if (!out_.budget.spend(out_.budget.reads, 1)) return;
    const HloTypeNode& type = types_.nodes[at];
    if (!type.is_tuple) {
      const std::string name = out_.graph.name_of(op) + "." + std::to_string(type.leaf);
      ops.push_back(result_op(op, at, span, name, {}, false));
      continue;
    }
    for (uint32_t i = type.child_count; i > 0; --i) open.push_back(types_.children[type.first_child + i - 1]);
  }
}

uint32_t HloValues::leaves(uint32_t first, uint32_t root, OpKind kind, HloSpan span, std::string_view name,
                           std::string_view scope) {
  std::vector<uint32_t> done;  // values of the nodes: children stand before their parents
  std::vector<uint32_t> children;
  for (uint32_t node = first; node <= root; ++node) {
    const HloTypeNode& type = types_.nodes[node];
    if (type.is_tuple) {
      children.clear();
      for (uint32_t i = 0; i < type.child_count; ++i) {
        children.push_back(done[types_.children[type.first_child + i] - first]);
      }
      done.push_back(tuple(children));
      continue;
    }
    FusionOp leaf;
    leaf.kind = kind;
    HloTypeOf::give(types_.arrays[type.array], leaf);
    const std::string own_name = std::string(name) + "." + std::to_string(type.leaf);
    const uint32_t made = out_.add(std::move(leaf), span, own_name, scope, false, {});
    out_.set_layout(made, types_.arrays[type.array].layout);
    done.push_back(op(made));
  }
  return done.back();
}

uint32_t HloValues::type_of(uint32_t id) {
  struct Part {
    uint32_t value;  ///< kHloNone: the last `children` finished parts close a tuple
    uint32_t children;
  };
  std::vector<Part> open{{id, 0}};
  std::vector<uint32_t> done;
  uint32_t leaves = 0;
  const auto close = [&](uint32_t children) {
    HloTypeNode node;
    node.is_tuple = true;
    node.first_child = static_cast<uint32_t>(types_.children.size());
    node.child_count = children;
    types_.children.insert(types_.children.end(), done.end() - children, done.end());
    done.resize(done.size() - children);
    done.push_back(static_cast<uint32_t>(types_.nodes.size()));
    types_.nodes.push_back(node);
  };
  const auto leaf = [&](HloArray array) {
    HloTypeNode node;
    node.leaf = leaves++;
    node.array = static_cast<uint32_t>(types_.arrays.size());
    types_.arrays.push_back(std::move(array));
    done.push_back(static_cast<uint32_t>(types_.nodes.size()));
    types_.nodes.push_back(node);
  };
  while (!open.empty() && out_.budget.spend(out_.budget.reads, 1)) {
    const Part part = open.back();
    open.pop_back();
    if (part.value == kHloNone) {
      close(part.children);
      continue;
    }
    const HloValue value = values_[part.value];
    if (value.kind == HloValue::Kind::Op) leaf(HloTypeOf::array_of(out_.graph.op(value.a)));
    if (value.kind == HloValue::Kind::Unknown) leaf({});
    if (!is_tuple(part.value)) continue;
    const uint32_t count = element_count(part.value);
    open.push_back({kHloNone, count});
    for (uint32_t i = count; i > 0; --i) {
      uint32_t child = 0;
      if (value.kind == HloValue::Kind::Tuple) {
        child = elements_[value.a + i - 1];
      } else {
        child = element(part.value, i - 1, {}, out_.graph.name_of(value.a) + "." + std::to_string(i - 1), {},
                        false);
      }
      open.push_back({child, 0});
    }
  }
  if (done.empty()) close(0);
  types_.nodes[done.back()].leaf = kHloNone;
  return done.back();
}

void HloValues::flatten(uint32_t id, bool whole, HloSpan span, std::vector<uint32_t>& ops) {
  std::vector<uint32_t> open{id};
  while (!open.empty()) {
    const HloValue value = values_[open.back()];
    open.pop_back();
    if (!out_.budget.spend(out_.budget.reads, 1)) return;
    switch (value.kind) {
      case HloValue::Kind::Unknown:
        ops.push_back(kNoOp);
        break;
      case HloValue::Kind::Op:
        ops.push_back(value.a);
        break;
      case HloValue::Kind::Tuple:
        for (uint32_t i = value.b; i > 0; --i) open.push_back(elements_[value.a + i - 1]);
        break;
      case HloValue::Kind::Results:
        if (whole && types_.nodes[value.b].leaf == kHloNone) {
          ops.push_back(value.a);
        } else {
          flatten_results(value.a, value.b, span, ops);
        }
        break;
    }
  }
}

}  // namespace fuseboard
