// A map's computation spread over the map's shape: when that is possible, and what a scalar result becomes.
// It must not know how computations are walked.
#include "formats/hlo_map.h"

#include <unordered_set>
#include <utility>

#include "formats/hlo_op.h"

namespace fuseboard {

bool is_hlo_mappable(const HloLexer& lexer, const HloModule& module, HloTypeOf& type_of, uint32_t computation,
                     HloBudget& budget) {
  std::vector<uint32_t> open{computation};
  std::unordered_set<uint32_t> listed{computation};
  while (!open.empty()) {
    const HloComputation& at = module.computations[open.back()];
    open.pop_back();
    for (uint32_t i = 0; i < at.count; ++i) {
      const HloInstruction& each = module.instructions[at.first + i];
      if (!budget.spend(budget.steps, 1)) return false;
      const std::string_view opcode = lexer.view(each.opcode);
      const std::string_view shape = lexer.view(each.shape);
      if (!shape.empty() && shape.find("[]") == std::string_view::npos) return false;
      if (opcode == "call" || opcode == "map") {
        const uint32_t inner = type_of.computation(each, "to_apply");
        if (inner == kHloNone) return false;
        if (listed.insert(inner).second) open.push_back(inner);
      } else if (opcode != "parameter" && opcode != "constant" && !is_hlo_elementwise(opcode)) {
        return false;
      }
    }
  }
  return true;
}

void spread_hlo_op(const FusionGraph& graph, FusionOp& op) {
  for (const uint32_t input : op.inputs) {
    if (input == kNoOp || graph.op(input).output_shape.empty()) continue;
    op.output_shape = graph.op(input).output_shape;
  }
}

uint32_t spread_hlo_value(uint32_t value, const Shape& shape, HloSpan span, std::string_view name, bool own,
                          HloValues& values, HloGraph& out) {
  if (values[value].kind != HloValue::Kind::Op || shape.empty()) return value;
  const FusionOp& scalar = out.graph.op(values[value].a);
  if (!scalar.output_shape.empty()) return value;
  FusionOp op;
  op.kind = OpKind::broadcast;
  op.dtype = scalar.dtype;
  op.dtype_bytes = scalar.dtype_bytes;
  op.foreign_dtype = scalar.foreign_dtype;
  op.output_shape = shape;
  op.inputs = {values[value].a};
  op.attributes.push_back({"axes", std::vector<int64_t>{}});
  return values.op(out.add(std::move(op), span, name, {}, own, {}));
}

}  // namespace fuseboard
