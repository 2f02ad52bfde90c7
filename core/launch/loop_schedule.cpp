// Walking back from a loop's stores to what each element needs, an op once for each distinct index map.
// It must not know PTX.
#include "launch/loop_schedule.h"

#include <algorithm>
#include <unordered_map>

#include "graph/storage.h"

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

namespace {

class Scheduler {
 public:
  Scheduler(const FusionGraph& graph, std::span<const uint32_t> members, uint64_t elements, size_t most_steps,
            std::span<const uint32_t> anchors)
      : graph_(graph),
        members_(members),
        anchors_(anchors),
        most_steps_(most_steps),
        out_{IndexMaps(elements), {}, {}, {}} {}

  bool add_store(uint32_t op) {
    pending_.push_back({op, 0, kNone});
    while (!pending_.empty()) {
      const Visit visit = pending_.back();
      pending_.pop_back();
      if (visit.operand_maps == kNone) {
        open(visit);
      } else {
        close(visit);
      }
      if (out_.steps.size() > most_steps_ || pending_.size() > 8 * most_steps_) return false;
    }
    out_.stored.push_back(step_of_.at(key(op, 0)));
    return true;
  }

  LoopSchedule take() { return std::move(out_); }

 private:
  static constexpr uint32_t kNone = 0xffffffff;

  /// A value to make: before its operands were asked for (operand_maps is kNone), or after.
  struct Visit {
    uint32_t op;
    uint32_t map;
    uint32_t operand_maps;  ///< its operands' maps are maps_of_operands_[operand_maps ...]
  };

  static uint64_t key(uint32_t op, uint32_t map) { return uint64_t{op} << 32 | map; }

  uint32_t anchor(uint32_t op) const { return anchors_.empty() ? op : anchors_[op]; }

  bool is_member(uint32_t op) const { return std::binary_search(members_.begin(), members_.end(), op); }

  void add_step(const Visit& visit, Step step) {
    step_of_.emplace(key(visit.op, visit.map), static_cast<uint32_t>(out_.steps.size()));
    out_.steps.push_back(step);
  }

  void open(const Visit& visit) {
    if (step_of_.contains(key(visit.op, visit.map))) return;
    const FusionOp& op = graph_.op(visit.op);
    const bool through = is_seen_through(op);
    if (!through && (is_immediate(op) || !is_member(visit.op) || !op.is_fusible() || op.is_resident() ||
                     op.kind == OpKind::result)) {
      const StepKind kind = is_immediate(op) ? StepKind::immediate : StepKind::load;
      add_step(visit, {kind, visit.op, visit.map, 0, 0});
      return;
    }
    if (op.inputs.empty()) {
      const std::optional<uint32_t> axis = iota_axis(op);
      const uint32_t map = axis ? out_.maps.along(visit.map, op.output_shape, *axis) : visit.map;
      add_step(visit, {StepKind::compute, visit.op, map, 0, 0});
      return;
    }
    const uint32_t maps = static_cast<uint32_t>(maps_of_operands_.size());
    pending_.push_back({visit.op, visit.map, maps});
    for (const uint32_t input : op.inputs) {
      const Shape& shape = graph_.op(input).output_shape;
      const bool same_offset = through && keeps_offsets(graph_, op);
      const uint32_t map = same_offset ? visit.map
                                       : out_.maps.stretch(visit.map, op.output_shape, shape,
                                                           through ? op.ints("axes") : nullptr);
      maps_of_operands_.push_back(map);
    }
    for (size_t i = op.inputs.size(); i-- > 0;) {
      pending_.push_back({anchor(op.inputs[i]), maps_of_operands_[maps + i], kNone});
    }
  }

  void close(const Visit& visit) {
    if (step_of_.contains(key(visit.op, visit.map))) return;
    const FusionOp& op = graph_.op(visit.op);
    const auto operand_step = [&](size_t i) {
      return step_of_.at(key(anchor(op.inputs[i]), maps_of_operands_[visit.operand_maps + i]));
    };
    if (is_seen_through(op)) {
      step_of_.emplace(key(visit.op, visit.map), operand_step(0));
      return;
    }
    const uint32_t operands = static_cast<uint32_t>(out_.operands.size());
    for (size_t i = 0; i < op.inputs.size(); ++i) out_.operands.push_back(operand_step(i));
    add_step(visit,
             {StepKind::compute, visit.op, visit.map, operands, static_cast<uint32_t>(op.inputs.size())});
  }

  const FusionGraph& graph_;
  std::span<const uint32_t> members_;
  std::span<const uint32_t> anchors_;
  size_t most_steps_;
  LoopSchedule out_;
  std::vector<Visit> pending_;
  std::vector<uint32_t> maps_of_operands_;
  std::unordered_map<uint64_t, uint32_t> step_of_;
};

}  // namespace

std::optional<LoopSchedule> schedule_loop(const FusionGraph& graph, std::span<const uint32_t> members,
                                          const KernelLoop& loop, size_t most_steps,
                                          std::span<const uint32_t> anchors) {
  Scheduler scheduler(graph, members, loop.elements, most_steps, anchors);
  for (const uint32_t store : loop.stores) {
    if (!scheduler.add_store(store)) return std::nullopt;
  }
  return scheduler.take();
}

}  // namespace fuseboard
