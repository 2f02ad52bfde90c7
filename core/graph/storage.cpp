// Following views to the memory behind them, and counting what ops read and write alone.
// It must not know plans.
#include "graph/storage.h"

#include "base/checked.h"

namespace fuseboard {

bool is_immediate(const FusionOp& op) {
  return op.kind == OpKind::constant && op.inputs.empty() && op.attribute("value") != nullptr &&
         element_count(op.output_shape) == 1;
}

uint64_t Storages::written_bytes(uint32_t id) const {
  switch (op_class[id]) {
    case OpClass::Source:
    case OpClass::View:
      return 0;
    case OpClass::Point:
    case OpClass::Reduce:
    case OpClass::Move:
    case OpClass::Opaque:
      return bytes[id];
  }
  return 0;
}

Storages storages(const FusionGraph& graph) {
  const uint32_t n = graph.size();
  Storages out;
  out.root.assign(n, kNoOp);
  out.bytes.resize(n);
  out.op_class.resize(n);
  for (uint32_t id = 0; id < n; ++id) {
    const FusionOp& op = graph.op(id);
    out.op_class[id] = op.op_class();
    out.bytes[id] = is_immediate(op) ? 0 : graph.output_bytes(id);
    const bool sees_through = out.op_class[id] == OpClass::View && op.kind != OpKind::result;
    if (!sees_through) out.root[id] = id;
  }
  for (uint32_t id = 0; id < n; ++id) {
    uint32_t root = id;
    while (out.root[root] == kNoOp) root = graph.op(root).inputs[0];
    root = out.root[root];
    for (uint32_t at = id; out.root[at] == kNoOp; at = graph.op(at).inputs[0]) out.root[at] = root;
  }
  return out;
}

std::optional<uint64_t> UnfusedBytes::of(uint32_t id) {
  if (storages_.op_class[id] == OpClass::View) return 0;
  uint64_t total = storages_.written_bytes(id);
  bool overflow = false;
  ++stamp_;
  for (const uint32_t input : dag_.predecessors[id]) {
    const uint32_t root = storages_.root[input];
    const uint64_t bytes = storages_.read_bytes(input);
    if (bytes == 0 || last_reader_[root] == stamp_) continue;
    last_reader_[root] = stamp_;
    overflow |= __builtin_add_overflow(total, bytes, &total);
  }
  return overflow ? std::nullopt : std::optional(total);
}

std::optional<uint64_t> unfused_bytes(const Dag& dag, const Storages& storages) {
  UnfusedBytes alone(dag, storages);
  uint64_t total = 0;
  for (uint32_t id = 0; id < dag.size(); ++id) {
    const std::optional<uint64_t> bytes = alone.of(id);
    if (!bytes || __builtin_add_overflow(total, *bytes, &total)) return std::nullopt;
  }
  return total;
}

}  // namespace fuseboard
