// Opening a value, asking for its operands, closing it when they are there.
// It must not know PTX.
#include "launch/step_scheduler.h"

#include <algorithm>

#include "graph/storage.h"
#include "launch/names.h"

namespace fuseboard {

StepScheduler::StepScheduler(const FusionGraph& graph, std::span<const uint32_t> members, uint64_t elements,
                             size_t most_steps, std::span<const uint32_t> anchors)
    : graph_(graph),
      members_(members),
      anchors_(anchors),
      most_steps_(most_steps),
      out_{IndexMaps(elements), {}, {}, {}} {}

uint32_t StepScheduler::fold_rows(const RowDomain& domain) {
  std::vector<uint64_t> shape;
  std::vector<uint64_t> kept;
  std::vector<int64_t> axes;
  for (size_t k = 0; k < domain.parts.size(); ++k) {
    shape.push_back(domain.parts[k].extent);
    if (domain.parts[k].is_reduced) continue;
    kept.push_back(domain.parts[k].extent);
    axes.push_back(static_cast<int64_t>(k));
  }
  rows_ = FoldedRows{domain, out_.maps.stretch(0, shape, kept, &axes)};
  return rows_->row_map;
}

bool StepScheduler::add_store(uint32_t op, uint32_t map) {
  pending_.push_back({op, map, kNone});
  while (!pending_.empty()) {
    const Visit visit = pending_.back();
    pending_.pop_back();
    if (visit.operand_maps == kNone) {
      open(visit);
    } else {
      close(visit);
    }
    if (!fault_.empty()) return false;
    if (out_.steps.size() > most_steps_ || pending_.size() > 8 * most_steps_) return false;
  }
  out_.stored.push_back(step_of_.at(key(op, map)));
  return true;
}

bool StepScheduler::is_member(uint32_t op) const {
  return std::binary_search(members_.begin(), members_.end(), op);
}

bool StepScheduler::is_fold(uint32_t op) const {
  return rows_ && graph_.op(op).op_class() == OpClass::Reduce && is_member(op);
}

/// Whether a value that is no view is known or loaded.
bool StepScheduler::is_source(uint32_t id) const {
  const FusionOp& op = graph_.op(id);
  return is_immediate(op) || !is_member(id) || !op.is_fusible() || op.is_resident() ||
         op.kind == OpKind::result;
}

void StepScheduler::add_step(const Visit& visit, Step step, bool depends_on_fold) {
  step_of_.emplace(key(visit.op, visit.map), static_cast<uint32_t>(out_.steps.size()));
  out_.steps.push_back(step);
  asked_.push_back(visit.map);
  depends_on_fold_.push_back(depends_on_fold);
}

void StepScheduler::refuse(uint32_t op, const char* why) {
  fault_ = comment_of(graph_.name_of(op), 40) + " (" + comment_of(graph_.op(op).kind_text(), 40) + ") " + why;
}

void StepScheduler::open(const Visit& visit) {
  if (step_of_.contains(key(visit.op, visit.map))) return;
  if (is_fold(visit.op)) return open_fold(visit);
  const FusionOp& op = graph_.op(visit.op);
  const bool through = is_seen_through(op);
  if (!through && is_source(visit.op)) {
    const StepKind kind = is_immediate(op) ? StepKind::immediate : StepKind::load;
    add_step(visit, {kind, visit.op, visit.map, 0, 0}, false);
    return;
  }
  if (op.inputs.empty()) {
    const std::optional<uint32_t> axis = iota_axis(op);
    const uint32_t map = axis ? out_.maps.along(visit.map, op.output_shape, *axis) : visit.map;
    add_step(visit, {StepKind::compute, visit.op, map, 0, 0}, false);
    return;
  }
  const uint32_t maps = static_cast<uint32_t>(maps_of_operands_.size());
  const bool same_offset = through && keeps_offsets(graph_, op);
  for (const uint32_t input : op.inputs) {
    const Shape& shape = graph_.op(input).output_shape;
    const uint32_t map = same_offset ? visit.map
                                     : out_.maps.stretch(visit.map, op.output_shape, shape,
                                                         through ? op.ints("axes") : nullptr);
    maps_of_operands_.push_back(map);
  }
  ask_operands(visit, maps);
}

/// What is folded is wanted at every element of the row, an initial value (one element) at any.
void StepScheduler::open_fold(const Visit& visit) {
  const FusionOp& op = graph_.op(visit.op);
  if (visit.map != rows_->row_map) return refuse(visit.op, "is read at another row");
  if (row_domain_of(graph_, visit.op) != rows_->domain) {
    return refuse(visit.op, "folds other rows than its kernel");
  }
  const uint32_t maps = static_cast<uint32_t>(maps_of_operands_.size());
  maps_of_operands_.push_back(0);
  if (op.inputs.size() == 2) {
    const uint64_t elements = rows_->domain.elements();
    maps_of_operands_.push_back(out_.maps.stretch(0, std::span(&elements, 1), {}, nullptr));
  }
  ask_operands(visit, maps);
}

void StepScheduler::ask_operands(const Visit& visit, uint32_t maps) {
  const FusionOp& op = graph_.op(visit.op);
  pending_.push_back({visit.op, visit.map, maps});
  for (size_t i = op.inputs.size(); i-- > 0;) {
    pending_.push_back({anchor(op.inputs[i]), maps_of_operands_[maps + i], kNone});
  }
}

void StepScheduler::close(const Visit& visit) {
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
  bool depends = is_fold(visit.op);
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    out_.operands.push_back(operand_step(i));
    depends = depends || depends_on_fold_[out_.operands.back()];
  }
  if (depends && visit.map != 0 && visit.map != rows_->row_map) {
    return refuse(visit.op, "is read at another row or column");
  }
  const StepKind kind = is_fold(visit.op) ? StepKind::fold : StepKind::compute;
  add_step(visit, {kind, visit.op, visit.map, operands, static_cast<uint32_t>(op.inputs.size())}, depends);
}

}  // namespace fuseboard
