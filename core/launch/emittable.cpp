// The conditions that ops, views and loaded values must meet to be written as PTX.
// It must not know kernels' loops, nor PTX.
#include "launch/emittable.h"

#include "graph/infer.h"
#include "graph/reducer_of.h"
#include "graph/storage.h"
#include "launch/index_map.h"
#include "launch/loop_schedule.h"
#include "launch/lowering.h"
#include "launch/names.h"

namespace fuseboard {
namespace {

bool is_written(DType dtype) { return dtype != DType::foreign; }

std::string name_of(const FusionGraph& graph, uint32_t id) { return comment_of(graph.name_of(id), 40); }

std::string dtype_fault(const FusionOp& op) {
  if (is_written(op.dtype)) return {};
  const std::string name = comment_of(op.dtype_name(), 20);
  return "has dtype " + (name.empty() ? std::to_string(op.dtype_bytes) + " bytes" : name) +
         ", which no kernel holds";
}

std::string size_fault(const FusionOp& op) {
  if (element_count(op.output_shape).value_or(kMostElements) < kMostElements) return {};
  return "has more elements than a kernel can index";
}

std::string attribute_fault(const FusionOp& op) {
  for (const AttributeUse& use : attribute_uses(op)) {
    const std::string name(use.name);
    if (!use.given && !use.optional) return "lacks the attribute " + name;
    if (!use.given || (use.type != "number" && use.type != "int")) continue;
    if (!use.value) return "has an attribute " + name + " that is no number";
    if (use.type == "int" && !(*use.value >= 0 && *use.value <= 1024)) {
      return "has an attribute " + name + " out of range";
    }
  }
  return {};
}

std::string operand_dtype_fault(const FusionGraph& graph, uint32_t operand) {
  const std::string dtype = dtype_fault(graph.op(operand));
  return dtype.empty() ? dtype : "reads " + name_of(graph, operand) + ", which " + dtype;
}

std::string operand_fault(const FusionGraph& graph, const FusionOp& op) {
  for (const uint32_t input : op.inputs) {
    const FusionOp& operand = graph.op(input);
    std::string dtype = operand_dtype_fault(graph, input);
    if (!dtype.empty()) return dtype;
    if (!stretches(operand.output_shape, op.output_shape, nullptr)) {
      return "of shape " + comment_of(shape_text(op.output_shape), 60) + " reads " + name_of(graph, input) +
             " of shape " + comment_of(shape_text(operand.output_shape), 60) +
             ", which does not stretch to it";
    }
  }
  return {};
}

}  // namespace

std::string point_fault(const FusionGraph& graph, uint32_t id, Math math) {
  const FusionOp& op = graph.op(id);
  std::string fault = dtype_fault(op);
  if (fault.empty()) fault = size_fault(op);
  if (!fault.empty() || op.is_resident()) return fault;
  if (!op.has_arity())
    return "has " + std::to_string(op.inputs.size()) + " operands, which its kind does not take";
  fault = operand_fault(graph, op);
  if (fault.empty()) fault = attribute_fault(op);
  if (!fault.empty()) return fault;
  if (op.kind == OpKind::bitcast_convert &&
      dtype_bytes(graph.op(op.inputs[0]).dtype) != dtype_bytes(op.dtype)) {
    return "reads the bits of " + std::string(dtype_text(graph.op(op.inputs[0]).dtype)) + " as " +
           std::string(dtype_text(op.dtype)) + ", which has another size";
  }
  if (op.kind == OpKind::iota && !iota_axis(op)) return "has an axis that is none of its dimensions";
  if (!lowering_of(graph, op, math).statements.empty()) return {};
  return "has no PTX for operands of dtype " + std::string(dtype_text(computing_dtype(graph, op)));
}

std::string reduce_fault(const FusionGraph& graph, uint32_t id) {
  const FusionOp& op = graph.op(id);
  if (!has_known_reducer(op)) return "folds by no reducer that has PTX";
  std::string fault = dtype_fault(op);
  if (fault.empty()) fault = size_fault(op);
  for (size_t i = 0; i < op.inputs.size() && fault.empty(); ++i) {
    fault = operand_dtype_fault(graph, op.inputs[i]);
  }
  return fault;
}

std::string view_fault(const FusionGraph& graph, uint32_t id) {
  const FusionOp& op = graph.op(id);
  const FusionOp& operand = graph.op(op.inputs[0]);
  if (has_flag(op, "relayout")) return "reads its operand in another layout, which is not written";
  if (op.dtype != operand.dtype || op.dtype_bytes != operand.dtype_bytes) {
    return "views its operand as another dtype, which is not written";
  }
  const std::vector<int64_t>* axes = op.ints("axes");
  const bool is_reshape = op_info(op.kind).shape_rule == ShapeRule::Reshape;
  const bool fits = is_reshape ? element_count(op.output_shape) == element_count(operand.output_shape)
                               : stretches(operand.output_shape, op.output_shape, axes);
  if (!is_reshape && axes == nullptr && op.attribute("axes") != nullptr) return "has axes that are no list";
  if (fits) return {};
  return "of shape " + comment_of(shape_text(op.output_shape), 60) + " cannot view " +
         name_of(graph, op.inputs[0]) + " of shape " + comment_of(shape_text(operand.output_shape), 60);
}

std::string source_fault(const FusionGraph& graph, uint32_t id) {
  const FusionOp& op = graph.op(id);
  std::string fault = dtype_fault(op);
  if (fault.empty()) fault = size_fault(op);
  if (!fault.empty()) return fault;
  if (is_immediate(op) && !as_number(*op.attribute("value"))) return "has a value that is no number";
  if (op.kind == OpKind::result && op.op_class() == OpClass::View && graph.op(op.inputs[0]).is_fusible()) {
    return "is a result of an op that has one output";
  }
  return {};
}

}  // namespace fuseboard
