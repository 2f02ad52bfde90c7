// The stores of one loop, and what views and iotas mean for offsets.
// It must not know PTX.
#include "launch/loop_schedule.h"

#include <algorithm>

#include "launch/step_scheduler.h"

namespace fuseboard {

bool is_seen_through(const FusionOp& op) {
  return op.op_class() == OpClass::View && op.kind != OpKind::result;
}

bool keeps_offsets(const FusionGraph& graph, const FusionOp& view) {
  if (op_info(view.kind).shape_rule == ShapeRule::Reshape) return true;
  const std::vector<int64_t>* axes = view.ints("axes");
  return (axes == nullptr || std::is_sorted(axes->begin(), axes->end())) &&
         element_count(view.output_shape) == element_count(graph.op(view.inputs[0]).output_shape);
}

std::optional<uint32_t> iota_axis(const FusionOp& op) {
  const AttributeValue* attribute = op.attribute("axis");
  if (attribute == nullptr) return op.output_shape.empty() ? std::nullopt : std::optional<uint32_t>(0);
  int64_t axis = -1;
  if (const int64_t* given = std::get_if<int64_t>(attribute)) axis = *given;
  if (const uint64_t* given = std::get_if<uint64_t>(attribute)) {
    axis = *given < op.output_shape.size() ? static_cast<int64_t>(*given) : -1;
  }
  if (axis < 0 || static_cast<uint64_t>(axis) >= op.output_shape.size()) return std::nullopt;
  return static_cast<uint32_t>(axis);
}

std::optional<LoopSchedule> schedule_loop(const FusionGraph& graph, std::span<const uint32_t> members,
                                          const KernelLoop& loop, size_t most_steps,
                                          std::span<const uint32_t> anchors) {
  StepScheduler scheduler(graph, members, loop.elements, most_steps, anchors);
  for (const uint32_t store : loop.stores) {
    if (!scheduler.add_store(store, 0)) return std::nullopt;
  }
  return scheduler.take();
}

}  // namespace fuseboard
