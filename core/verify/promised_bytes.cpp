// Naming what lets a promise and the traffic differ.
// It must not know how the bytes are measured.
#include "verify/promised_bytes.h"

#include <string>

namespace fuseboard {

void promise_bytes(const FusionGraph& graph, const FusionGroup& group, KernelRun& run) {
  run.read.promised = group.bytes_read;
  run.written.promised = group.bytes_written;
  std::string read_why;
  std::string written_why;
  for (const uint32_t id : group.members) {
    const FusionOp& op = graph.op(id);
    if (op.op_class() == OpClass::View) continue;
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
