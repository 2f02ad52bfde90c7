// Naming what lets a promise and the traffic differ.
// It must not know how the bytes are measured.
#include "verify/promised_bytes.h"

#include <algorithm>
#include <string>

namespace fuseboard {
namespace {

/// Why a Move need not read all of its operands' storages, though the plan charges them whole; "" where it
/// must.
std::string unread(const FusionGraph& graph, const FusionOp& op) {
  const auto elements = [&](uint32_t id) { return element_count(graph.op(id).output_shape).value_or(0); };
  if (op.kind == OpKind::gather) return "which elements a gather reads depends on its indices";
  if (op.kind == OpKind::slice && elements(op.inputs[0]) != element_count(op.output_shape))
    return "a slice reads only its part of what the plan charges whole";
  if (op.kind != OpKind::pad) return {};
  if (elements(op.inputs[0]) == element_count(op.output_shape))
    return "a pad that pads nothing reads no padding";
  if (elements(op.inputs[1]) != 1) return "a pad reads one element of its second operand";
  for (const char* side : {"low", "high"}) {
    const std::vector<int64_t>* widths = op.ints(side);
    const bool crops = widths != nullptr &&
                       std::any_of(widths->begin(), widths->end(), [](int64_t width) { return width < 0; });
    if (crops) return "a pad that crops reads only what it keeps";
  }
  return {};
}

}  // namespace

void promise_bytes(const FusionGraph& graph, const FusionGroup& group, KernelRun& run) {
  run.read.promised = group.bytes_read;
  run.written.promised = group.bytes_written;
  std::string read_why;
  std::string written_why;
  for (const uint32_t id : group.members) {
    const FusionOp& op = graph.op(id);
    if (op.op_class() == OpClass::View) continue;
    if (op.op_class() == OpClass::Move && op.has_arity()) read_why = unread(graph, op);
    if (op.is_resident()) {
      read_why = graph.name_of(id) + " has no operands: it is loaded, though the plan charges nothing for it";
    }
    if (element_count(op.output_shape).value_or(0) == 0) {
      read_why = graph.name_of(id) + " has no elements: what it alone reads is charged, but never loaded";
    }
  }
  if (run.kind == RunKind::sampled) read_why = written_why = "only some of its blocks ran";
  if (run.kind != RunKind::full && run.kind != RunKind::sampled)
    read_why = written_why = "no PTX of ours ran";
  run.read.why_not = read_why;
  run.read.must_be_equal = read_why.empty();
  run.written.why_not = written_why;
  run.written.must_be_equal = written_why.empty();
}

}  // namespace fuseboard
