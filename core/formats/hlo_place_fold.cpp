// Trying a computation of four scalars on samples, its comparisons and selections worked out in double.
// It must not know inlining or tuples: operands are ops.
#include "formats/hlo_place_fold.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "formats/hlo_op.h"
#include "graph/infer.h"

namespace fuseboard {
namespace {

constexpr uint32_t kMostInstructions = 64;
constexpr uint64_t kMostPairs = 49;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Pair {
  double value;
  double place;
};

/// A computation (value, place, value, place) -> (value, place).
class PairComputation {
 public:
  PairComputation(const HloLexer& lexer, const HloModule& module, const HloComputation& computation)
      : lexer_(lexer), module_(module), computation_(computation) {}

  bool is_small() const {
    return computation_.root != kHloNone && !computation_.forward && computation_.count <= kMostInstructions;
  }

  /// Instructions that are worked out at most, to tell what it keeps.
  uint64_t tries() const { return uint64_t{computation_.count} * 2 * kMostPairs; }

  /// Nothing where it does what no argmax does.
  std::optional<Pair> of(const Pair& a, const Pair& b) {
    const double parameters[] = {a.value, a.place, b.value, b.place};
    values_.assign(computation_.count, std::nullopt);
    for (uint32_t i = 0; i <= computation_.root; ++i) {
      const HloInstruction& instruction = module_.instructions[computation_.first + i];
      if (i == computation_.root) return pair(instruction);
      values_[i] = scalar(instruction, parameters);
    }
    return std::nullopt;
  }

 private:
  std::optional<double> operand(const HloInstruction& instruction, uint32_t i) const {
    if (i >= instruction.operand_count) return std::nullopt;
    const HloOperand& of = module_.operands[instruction.first_operand + i];
    const bool is_defined = of.instruction != kHloNone && of.path.length == 0;
    return is_defined ? values_[of.instruction] : std::nullopt;
  }

  std::optional<Pair> pair(const HloInstruction& root) const {
    const std::optional<double> value = operand(root, 0), place = operand(root, 1);
    if (lexer_.view(root.opcode) != "tuple" || root.operand_count != 2 || !value || !place)
      return std::nullopt;
    return Pair{*value, *place};
  }

  std::optional<double> scalar(const HloInstruction& instruction, const double (&parameters)[4]) const {
    const std::string_view opcode = lexer_.view(instruction.opcode);
    if (opcode == "parameter") return parameter(instruction, parameters);
    const std::optional<double> a = operand(instruction, 0), b = operand(instruction, 1);
    if (!a) return std::nullopt;
    if (opcode == "not") return *a == 0 ? 1 : 0;
    if (!b) return std::nullopt;
    if (opcode == "compare") return compared(instruction, *a, *b);
    if (opcode == "or") return *a != 0 || *b != 0 ? 1 : 0;
    if (opcode == "and") return *a != 0 && *b != 0 ? 1 : 0;
    if (opcode == "minimum") return std::min(*a, *b);
    if (opcode == "maximum") return std::max(*a, *b);
    if (opcode == "select") return *a != 0 ? b : operand(instruction, 2);
    return std::nullopt;
  }

  std::optional<double> parameter(const HloInstruction& instruction, const double (&parameters)[4]) const {
    std::string_view digits = lexer_.view(instruction.argument);
    while (digits.starts_with(' ')) digits.remove_prefix(1);
    uint32_t number = 4;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number < 4 ? std::optional(parameters[number]) : std::nullopt;
  }

  std::optional<double> compared(const HloInstruction& instruction, double a, double b) const {
    const HloAttribute* given = module_.attribute(instruction, "direction");
    if (given == nullptr || module_.attribute(instruction, "type") != nullptr) return std::nullopt;
    const std::string_view direction = lexer_.view(given->value);
    if (direction == "GT") return a > b ? 1 : 0;
    if (direction == "GE") return a >= b ? 1 : 0;
    if (direction == "LT") return a < b ? 1 : 0;
    if (direction == "LE") return a <= b ? 1 : 0;
    if (direction == "EQ") return a == b ? 1 : 0;
    if (direction == "NE") return a != b ? 1 : 0;
    return std::nullopt;
  }

  const HloLexer& lexer_;
  const HloModule& module_;
  const HloComputation& computation_;
  std::vector<std::optional<double>> values_;
};

/// The first of two by the table's argmax or argmin: NaN wins, then the extreme, then the earlier place.
bool keeps_first(bool wants_more, const Pair& earlier, const Pair& later) {
  if (std::isnan(earlier.value)) return true;
  if (std::isnan(later.value)) return false;
  return wants_more ? earlier.value >= later.value : earlier.value <= later.value;
}

bool is_place_fold(PairComputation& computation, bool wants_more, bool is_float) {
  std::vector<double> samples = {-7, 0, 1, 7};
  if (is_float) samples.insert(samples.end(), {-kInfinity, kInfinity, std::nan("")});
  for (const double x : samples) {
    for (const double y : samples) {
      const Pair earlier{x, 2}, later{y, 5};
      const std::optional<Pair> kept = computation.of(earlier, later);
      const Pair& wanted = keeps_first(wants_more, earlier, later) ? earlier : later;
      const bool is_same =
          kept && (kept->value == wanted.value || (std::isnan(kept->value) && std::isnan(wanted.value)));
      if (!is_same || kept->place != wanted.place) return false;
    }
  }
  return true;
}

bool is_zero(const FusionOp& op) {
  const AttributeValue* value = op.attribute("value");
  if (op.kind != OpKind::constant || value == nullptr) return false;
  const int64_t* whole = std::get_if<int64_t>(value);
  const uint64_t* natural = std::get_if<uint64_t>(value);
  return (whole != nullptr && *whole == 0) || (natural != nullptr && *natural == 0);
}

/// kHloNone where there is no such computation.
uint32_t applied(const HloLexer& lexer, const HloModule& module, const HloInstruction& instruction) {
  const HloAttribute* found = module.attribute(instruction, "to_apply");
  if (found == nullptr) return kHloNone;
  if (found->computation != kHloNone) return found->computation;
  std::string_view name = lexer.view(found->value);
  if (name.starts_with("%")) name.remove_prefix(1);
  const auto index = module.by_name.find(name);
  return index == module.by_name.end() ? kHloNone : index->second;
}

/// The extreme of `op`'s first operand, or with `is_place` its place.
std::optional<FusionOp> fold_of(const FusionGraph& graph, const FusionOp& op, int64_t axis,
                                const std::string& extreme, bool is_place) {
  FusionOp fold;
  fold.kind = OpKind::reduce;
  fold.inputs = {op.inputs[0]};
  fold.attributes = {{"axes", std::vector<int64_t>{axis}}, {"reducer", is_place ? "arg" + extreme : extreme}};
  fold.dtype = graph.op(op.inputs[is_place ? 1 : 0]).dtype;
  fold.dtype_bytes = dtype_bytes(fold.dtype);
  InferredShape shape = infer_shape(graph, fold);
  if (!shape.shape || fold.dtype == DType::foreign) return std::nullopt;
  fold.output_shape = std::move(*shape.shape);
  return fold;
}

/// The axis along which it folds values and their places, from place 0.
std::optional<int64_t> axis_of(const HloLexer& lexer, const HloModule& module,
                               const HloInstruction& instruction, const FusionGraph& graph,
                               const FusionOp& op) {
  const HloAttribute* dimensions = module.attribute(instruction, "dimensions");
  const bool has_operands =
      op.inputs.size() == 4 && std::find(op.inputs.begin(), op.inputs.end(), kNoOp) == op.inputs.end();
  if (dimensions == nullptr || !has_operands) return std::nullopt;
  const FusionOp& places = graph.op(op.inputs[1]);
  const AttributeValue* along = places.attribute("axis");
  const int64_t* axis = along == nullptr ? nullptr : std::get_if<int64_t>(along);
  const bool counts = places.kind == OpKind::iota && axis != nullptr &&
                      lexer.view(dimensions->value) == "{" + std::to_string(*axis) + "}" &&
                      places.output_shape == graph.op(op.inputs[0]).output_shape;
  return counts && is_zero(graph.op(op.inputs[3])) ? std::optional(*axis) : std::nullopt;
}

}  // namespace

std::optional<uint32_t> hlo_place_fold(const HloLexer& lexer, const HloModule& module, const HloFold& fold,
                                       const FusionOp& op, HloValues& values, HloGraph& out) {
  const uint32_t computation = applied(lexer, module, fold.instruction);
  const std::optional<int64_t> axis = axis_of(lexer, module, fold.instruction, out.graph, op);
  if (computation == kHloNone || !axis) return std::nullopt;
  PairComputation pairs(lexer, module, module.computations[computation]);
  if (!pairs.is_small() || !out.budget.spend(out.budget.steps, pairs.tries())) return std::nullopt;
  const bool is_float = dtype_class(out.graph.op(op.inputs[0]).dtype) == DTypeClass::Float;
  for (const bool wants_more : {true, false}) {
    const std::string extreme = wants_more ? "max" : "min";
    if (!is_identity(out.graph.op(op.inputs[2]), extreme)) continue;
    if (!is_place_fold(pairs, wants_more, is_float)) continue;
    std::vector<uint32_t> elements;
    for (const bool is_place : {false, true}) {
      std::optional<FusionOp> made = fold_of(out.graph, op, *axis, extreme, is_place);
      if (!made) return std::nullopt;
      const std::string name = std::string(lexer.view(fold.instruction.name)) + (is_place ? ".1" : ".0");
      elements.push_back(values.op(
          out.add(std::move(*made), fold.instruction.whole, name, fold.scope, false, {fold.operand})));
    }
    return values.tuple(elements);
  }
  return std::nullopt;
}

}  // namespace fuseboard
