// One HLO instruction as one op of the graph: its kind, type and attributes, from the opcode and the table's
// hlo: names. It must not know inlining or tuples: operands are ops.
#include "formats/hlo_op.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "graph/infer.h"

namespace fuseboard {
namespace {

/// The reducer that a computation is; "" where it is none that has a name.
std::string_view hlo_reducer(const HloLexer& lexer, const HloModule& module, uint32_t index, DType dtype) {
  if (index >= module.computations.size()) return "";
  const HloComputation& computation = module.computations[index];
  if (computation.root == kHloNone) return "";
  const HloInstruction& root = module.instructions[computation.first + computation.root];
  if (root.operand_count != 2) return "";
  uint32_t seen[2] = {kHloNone, kHloNone};
  for (uint32_t i = 0; i < 2; ++i) {
    seen[i] = module.operands[root.first_operand + i].instruction;
    if (seen[i] == kHloNone) return "";
    if (lexer.view(module.instructions[computation.first + seen[i]].opcode) != "parameter") return "";
  }
  if (seen[0] == seen[1]) return "";
  constexpr std::pair<std::string_view, std::string_view> kReducers[] = {
      {"add", "sum"},     {"multiply", "prod"}, {"maximum", "max"},
      {"minimum", "min"}, {"and", "all"},       {"or", "any"}};
  for (const auto& [opcode, reducer] : kReducers) {
    if (opcode != lexer.view(root.opcode)) continue;
    const bool logical = reducer == "all" || reducer == "any";
    return logical && dtype != DType::boolean ? "" : reducer;  // `and` of integers is bitwise
  }
  return "";
}

}  // namespace

OpKind hlo_kind(const HloLexer& lexer, const HloModule& module, const HloInstruction& instruction,
                HloProblems& problems) {
  const std::string_view opcode = lexer.view(instruction.opcode);
  if (opcode != "compare") return op_kind_from_name("hlo", opcode).value_or(OpKind::foreign);
  const std::string_view name = lexer.view(instruction.name);
  const HloAttribute* direction = module.attribute(instruction, "direction");
  const HloSpan place = direction == nullptr ? instruction.opcode : direction->value;
  const std::string_view word = direction == nullptr ? std::string_view() : lexer.view(direction->value);
  std::optional<OpKind> kind;
  if (word.size() == 2) kind = op_kind_from_name("hlo", "compare." + std::string(word));
  if (!kind) {
    problems.error(Code::bad_attribute, place, name,
                   direction == nullptr ? "compare " + std::string(name) + " has no attribute direction"
                                        : "compare " + std::string(name) + " has an unknown direction",
                   "Write `, direction=LT`; directions are EQ, NE, LT, LE, GT and GE.");
  }
  return kind.value_or(OpKind::eq);
}

bool is_hlo_elementwise(std::string_view opcode) {
  constexpr std::string_view kWithoutRow[] = {"complex", "imag", "real", "stochastic-convert"};
  if (opcode == "compare") return true;
  if (const std::optional<OpKind> kind = op_kind_from_name("hlo", opcode)) {
    return op_info(*kind).op_class == OpClass::Point && *kind != OpKind::iota;
  }
  return std::find(std::begin(kWithoutRow), std::end(kWithoutRow), opcode) != std::end(kWithoutRow);
}

bool is_identity(const FusionOp& init, std::string_view reducer) {
  const AttributeValue* value = init.attribute("value");
  if (init.kind != OpKind::constant || !init.output_shape.empty() || value == nullptr) return false;
  if (const bool* flag = std::get_if<bool>(value)) {
    return *flag ? reducer == "all" || reducer == "min" || reducer == "prod"
                 : reducer == "any" || reducer == "max" || reducer == "sum";
  }
  if (const double* number = std::get_if<double>(value)) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return (reducer == "sum" && *number == 0) || (reducer == "prod" && *number == 1) ||
           (reducer == "max" && *number == -kInfinity) || (reducer == "min" && *number == kInfinity);
  }
  uint32_t bits = 8 * dtype_bytes(init.dtype);
  if (bits == 0 && init.foreign_dtype.size() == 2) {  // s4, u2
    bits = static_cast<uint32_t>(init.foreign_dtype[1] - '0');
  }
  if (bits == 0 || bits > 64) return false;
  if (const int64_t* number = std::get_if<int64_t>(value)) {
    const int64_t top = bits == 64 ? INT64_MAX : (int64_t{1} << (bits - 1)) - 1;
    return (reducer == "sum" && *number == 0) || (reducer == "prod" && *number == 1) ||
           (reducer == "max" && *number == -top - 1) || (reducer == "min" && *number == top);
  }
  if (const uint64_t* number = std::get_if<uint64_t>(value)) {
    const uint64_t top = UINT64_MAX >> (64 - bits);
    return (reducer == "sum" && *number == 0) || (reducer == "prod" && *number == 1) ||
           (reducer == "max" && *number == 0) || (reducer == "min" && *number == top);
  }
  return false;
}

void read_reducer(const HloLexer& lexer, const HloModule& module, uint32_t computation,
                  const FusionGraph& graph, FusionOp& op) {
  const std::string_view reducer = hlo_reducer(lexer, module, computation, op.dtype);
  if (reducer.empty()) return;
  op.attributes.push_back({"reducer", std::string(reducer)});
  if (op.inputs.size() != 2 || op.inputs[1] == kNoOp || !is_identity(graph.op(op.inputs[1]), reducer)) return;
  op.inputs.pop_back();
}

void read_total_order(const HloLexer& lexer, const HloModule& module, const HloInstruction& instruction,
                      const FusionGraph& graph, FusionOp& op) {
  if (lexer.view(instruction.opcode) != "compare") return;
  const HloAttribute* type = module.attribute(instruction, "type");
  if (type == nullptr || lexer.view(type->value) != "TOTALORDER") return;
  const auto is_floating = [&](uint32_t input) {
    if (input == kNoOp) return false;
    const FusionOp& operand = graph.op(input);
    return dtype_class(operand.dtype) == DTypeClass::Float || operand.foreign_dtype.starts_with("f");
  };
  if (std::any_of(op.inputs.begin(), op.inputs.end(), is_floating))
    op.attributes.push_back({"total_order", true});
}

std::optional<FusionOp> split_bitcast(std::string_view opcode, const HloGraph& out, const HloLayout& layout,
                                      FusionOp& op) {
  if (opcode != "bitcast" && opcode != "bitcast-convert" && opcode != "reshape") return std::nullopt;
  if (op.inputs.size() != 1 || op.inputs[0] == kNoOp) return std::nullopt;
  const FusionOp& operand = out.graph.op(op.inputs[0]);
  const bool same_width = operand.dtype_bytes == op.dtype_bytes;
  if (opcode == "bitcast-convert") {
    if (!same_width) op.kind = OpKind::foreign;
    return std::nullopt;
  }
  const bool same_order =
      is_same_order(operand.output_shape, out.layout(op.inputs[0]), op.output_shape, layout);
  const bool is_conversion = opcode == "bitcast" && same_width &&
                             (operand.dtype != op.dtype || operand.foreign_dtype != op.foreign_dtype);
  if (is_conversion && same_order && operand.output_shape == op.output_shape) {
    op.kind = OpKind::bitcast_convert;
    return std::nullopt;
  }
  // A reshape keeps the logical order whatever the layouts; a bitcast keeps the physical one.
  const bool moves = opcode == "bitcast" && !same_order;
  if (moves || !same_width) op.attributes.push_back({"relayout", true});
  if (!is_conversion) return std::nullopt;
  FusionOp bits = op;
  bits.attributes.clear();
  bits.kind = OpKind::bitcast_convert;
  bits.output_shape = operand.output_shape;
  return bits;
}

std::optional<HloArray> infer_hlo_array(const FusionGraph& graph, const FusionOp& op) {
  if (op.inputs.empty() || !op.has_arity()) return std::nullopt;
  const InferredShape shape = infer_shape(graph, op);
  const std::optional<DType> dtype = infer_dtype(graph, op);
  if (!shape.shape || !dtype) return std::nullopt;
  HloArray array;
  array.shape = *shape.shape;
  array.dtype = *dtype;
  array.dtype_bytes = dtype_bytes(*dtype);
  if (*dtype == DType::foreign) {
    const FusionOp& first = graph.op(op.inputs[0]);
    array.dtype_bytes = first.dtype_bytes;
    array.foreign_dtype = first.foreign_dtype;
  }
  return array;
}

}  // namespace fuseboard
