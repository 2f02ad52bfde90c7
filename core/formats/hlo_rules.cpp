// Parameters in sequence, calls with an operand for each, elementwise operands of one shape and layout.
// It must not know values: operands are ops.
#include "formats/hlo_rules.h"

#include <algorithm>
#include <string>

#include "formats/hlo_attributes.h"
#include "formats/hlo_op.h"

namespace fuseboard {
namespace {

/// Whether HLO takes a scalar as operand `i` whatever the result's shape.
bool may_be_scalar(std::string_view opcode, size_t i) {
  return (opcode == "clamp" && i != 1) || (opcode == "select" && i == 0);
}

}  // namespace

void HloRules::check_parameters(uint32_t index) {
  parameters_.resize(module_.computations.size(), kHloNone);
  if (parameters_[index] != kHloNone) return;
  const HloComputation& computation = module_.computations[index];
  struct Parameter {
    uint32_t number, instruction;
  };
  std::vector<Parameter> found;
  uint32_t count = 0;
  bool unread = false;  // an instruction that was complained about may be any parameter
  for (uint32_t i = 0; i < computation.count; ++i) {
    const HloInstruction& each = module_.instructions[computation.first + i];
    unread = unread || each.opcode.length == 0;
    if (lexer_.view(each.opcode) != "parameter") continue;
    ++count;
    const std::optional<uint32_t> number = read_parameter_number(lexer_, each, problems_);
    if (number) found.push_back({*number, computation.first + i});
  }
  parameters_[index] = count;
  std::stable_sort(found.begin(), found.end(),
                   [](const Parameter& a, const Parameter& b) { return a.number < b.number; });
  const auto complain = [&](const Parameter& parameter, const std::string& message) {
    const HloInstruction& instruction = module_.instructions[parameter.instruction];
    const uint32_t at = lexer_.skip_space(instruction.argument.offset);
    problems_.error(Code::bad_attribute, {at, lexer_.word_end(at) - at}, lexer_.view(instruction.name),
                    message, "A computation's parameters are numbered 0, 1, 2, ...");
  };
  const std::string name(lexer_.view(computation.name).substr(0, 80));
  uint32_t next = 0;
  bool gap = unread || found.size() != count;
  for (const Parameter& each : found) {
    if (problems_.full()) return;
    if (each.number < next) {
      std::string message = "Two parameters of ";
      ((message += name) += " have the number ") += std::to_string(each.number);
      complain(each, message);
    } else if (each.number > next && !gap) {
      gap = true;
      std::string message = name;
      ((message += " has a parameter ") += std::to_string(each.number)) += ", but no parameter ";
      complain(each, message += std::to_string(next));
    }
    next = std::max(next, each.number == UINT32_MAX ? UINT32_MAX : each.number + 1);
  }
}

void HloRules::check_call(const HloInstruction& caller, uint32_t callee, size_t operands) {
  check_parameters(callee);
  const uint32_t count = parameters_[callee];
  if (count == operands || problems_.full()) return;
  const std::string_view name = lexer_.view(caller.name.length > 0 ? caller.name : caller.opcode);
  problems_.error(Code::wrong_arity, caller.whole, name,
                  std::string(name.substr(0, 80)) + " passes " + std::to_string(operands) + " operands; " +
                      std::string(lexer_.view(module_.computations[callee].name).substr(0, 80)) + " has " +
                      std::to_string(count) + " parameters",
                  "Pass one operand for each parameter.");
}

void HloRules::check_operands(const HloInstruction& instruction, const HloGraph& out, const FusionOp& op,
                              const std::vector<HloSpan>& spans) {
  const std::string_view opcode = lexer_.view(instruction.opcode);
  if (!is_hlo_elementwise(opcode) || opcode == "bitcast-convert") return;
  const std::string_view name =
      lexer_.view(instruction.name.length > 0 ? instruction.name : instruction.opcode);
  uint32_t first = kNoOp;  // of the operands that have dimensions
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    if (op.inputs[i] == kNoOp) continue;
    const Shape& shape = out.graph.op(op.inputs[i]).output_shape;
    if (shape.empty() && may_be_scalar(opcode, i)) continue;
    const HloSpan at = i < spans.size() ? spans[i] : instruction.whole;
    // Where the graph's own rule, NumPy's, is broken too, it is told there.
    const bool told = op.kind != OpKind::foreign && !broadcastable(shape, op.output_shape);
    if (shape != op.output_shape && !told && warned_ < HloProblems::kMost) {
      ++warned_;
      problems_.add(Severity::warning, Code::shape_mismatch, at, name,
                    std::string(name.substr(0, 80)) + " of shape " + shape_text(op.output_shape) +
                        " reads an operand of shape " + shape_text(shape) + "; HLO broadcasts none",
                    "Write a broadcast; the plan broadcasts as NumPy does.");
    }
    if (shape.empty()) continue;
    if (first == kNoOp) first = op.inputs[i];
    if (out.layout(first) != out.layout(op.inputs[i])) {
      note_layout(at, name, "reads operands of different layouts");
    }
  }
}

void HloRules::check_inputs(const HloGraph& out) {
  for (uint32_t id = 0; id < out.graph.size() && !noted_; ++id) {
    if (out.graph.op(id).kind != OpKind::input || out.layout(id).empty()) continue;
    note_layout(out.places.ops[id], out.graph.op(id).name, "is not row-major");
  }
}

void HloRules::check_target(const HloInstruction& caller) {
  if (module_.attribute(caller, "to_apply") != nullptr) return;  // complained about where the name stands
  const std::string name(lexer_.view(caller.name.length > 0 ? caller.name : caller.opcode).substr(0, 80));
  problems_.error(Code::bad_attribute, caller.opcode, name, "call " + name + " names no computation",
                  "Write `, to_apply=f`.");
}

void HloRules::note_layout(HloSpan at, std::string_view name, std::string_view what) {
  if (noted_) return;
  noted_ = true;
  problems_.add(Severity::note, Code::unsupported, at, name,
                std::string(name.substr(0, 80)) + " " + std::string(what) +
                    "; the PTX takes every parameter as row-major, the last dimension fastest",
                "Pass the kernels row-major data, or plan a module before layouts are assigned.");
}

}  // namespace fuseboard
