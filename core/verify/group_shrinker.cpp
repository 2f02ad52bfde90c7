// Copying a group's ops, finding which dimensions are bound together, and giving them small sizes.
// It must not know kernels.
#include "verify/group_shrinker.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "graph/storage.h"
#include "launch/loop_schedule.h"
#include "launch/move_parts.h"
#include "verify/dimension_atoms.h"
#include "verify/move_shrinker.h"

namespace fuseboard {
namespace {

constexpr uint64_t kMostElements = uint64_t{1} << 16;

class Shrinker {
 public:
  Shrinker(const FusionGraph& graph, const FusionGroup& group) : graph_(graph), group_(group) {}

  std::optional<ShrunkGroup> shrink(bool ragged, std::string& why_not) {
    moves_ = group_.members.size() == 1 && graph_.op(group_.members[0]).op_class() == OpClass::Move;
    copy_ops();
    make_atoms();
    if (!join_all()) {
      why_not = "what it reshapes or folds neither splits nor joins whole dimensions";
      return std::nullopt;
    }
    if (moves_ && !move_fault(graph_, group_.members[0]).empty()) {
      why_not = "it has no kernel at any size";
      return std::nullopt;
    }
    for (const uint32_t small : {0U, 2U, 1U}) {
      choose_sizes(ragged, small);
      if (resize()) {
        describe();
        return std::move(out_);
      }
    }
    why_not = "its shapes have too many dimensions";
    return std::nullopt;
  }

 private:
  /// The members, then whatever views they read through down to the storages.
  void copy_ops() {
    for (const uint32_t id : group_.members) copy(id, true);
    for (size_t next = 0; next < out_.original.size(); ++next) {
      const uint32_t id = out_.original[next];
      const bool is_read_through = next < group_.members.size() || is_seen_through(graph_.op(id));
      if (!is_read_through) continue;
      for (const uint32_t input : graph_.op(id).inputs) {
        if (!new_id_.contains(input)) copy(input, false);
      }
    }
    for (uint32_t id = 0; id < out_.graph.size(); ++id) {
      for (uint32_t& input : out_.graph.op(id).inputs) input = new_id_.at(input);
    }
    for (const uint32_t id : group_.external_outputs) out_.graph.add_output(new_id_.at(id));
  }

  void copy(uint32_t id, bool is_member) {
    FusionOp op = graph_.op(id);
    if (!is_member && !is_seen_through(op) && !is_immediate(op)) {
      op.kind = OpKind::input;
      op.foreign_kind.clear();
      op.attributes.clear();
      op.inputs.clear();
    }
    const uint32_t added = out_.graph.add_op(std::move(op));
    new_id_.emplace(id, added);
    out_.original.push_back(id);
    out_.label.push_back(is_member ? 0 : added);
  }

  void make_atoms() {
    for (const FusionOp& op : out_.graph.ops()) {
      std::vector<std::vector<uint32_t>> dims;
      for (const uint64_t size : op.output_shape) {
        dims.emplace_back();
        if (size > 1) dims.back().push_back(atoms_.add(size));
      }
      dims_.push_back(std::move(dims));
    }
  }

  bool join_all() {
    for (uint32_t id = 0; id < out_.graph.size(); ++id) {
      const FusionOp& op = out_.graph.op(id);
      for (const uint32_t input : op.inputs) {
        if (!join(id, op, input)) return false;
      }
    }
    return join_domain();
  }

  bool is_member(uint32_t id) const { return out_.label[id] == 0; }
  bool folds(uint32_t id) const { return is_member(id) && out_.graph.op(id).op_class() == OpClass::Reduce; }
  uint64_t elements(uint32_t id) const { return element_count(out_.graph.op(id).output_shape).value_or(0); }

  /// Members that reduce walk the rows of one domain (plan/row_domain.h), and so do the others: full ones
  /// stay full, those by row stay by row.
  bool join_domain() {
    uint32_t first = 0;
    while (first < out_.graph.size() && !folds(first)) ++first;
    if (first == out_.graph.size()) return true;
    const uint32_t full = out_.graph.op(first).inputs[0];
    for (uint32_t id = 0; id < out_.graph.size(); ++id) {
      if (folds(id) && !atoms_.join(all_of(out_.graph.op(id).inputs[0]), all_of(full))) return false;
      if (!is_member(id) || folds(id)) continue;
      if (elements(id) == elements(full) && !atoms_.join(all_of(id), all_of(full))) return false;
      const bool by_row = elements(id) == elements(first) && elements(id) != elements(full);
      if (by_row && !atoms_.join(all_of(id), all_of(first))) return false;
    }
    return true;
  }

  bool join(uint32_t id, const FusionOp& op, uint32_t input) {
    const Shape& from = out_.graph.op(input).output_shape;
    if (op_info(op.kind).shape_rule == ShapeRule::Reshape) {
      if (element_count(from).value_or(0) == 0) return true;
      return atoms_.join(all_of(input), all_of(id));
    }
    if (folds(id)) return join_reduce(id, op, input);
    if (op.op_class() == OpClass::Move && is_member(id)) return join_move(id, op, input);
    const std::vector<int64_t>* axes = is_seen_through(op) ? op.ints("axes") : nullptr;
    for (size_t i = 0; i < from.size(); ++i) {
      const size_t to =
          axes != nullptr ? static_cast<size_t>((*axes)[i]) : op.output_shape.size() - from.size() + i;
      if (to >= op.output_shape.size()) return false;
      if (from[i] > 1 && from[i] == op.output_shape[to] && !atoms_.join(dims_[input][i], dims_[id][to]))
        return false;
    }
    return true;
  }

  bool join_move(uint32_t id, const FusionOp& op, uint32_t input) {
    for (size_t place = 0; place < op.inputs.size(); ++place) {
      if (op.inputs[place] != input) continue;
      for (size_t dim = 0; dim < dims_[input].size(); ++dim) {
        const std::optional<size_t> to = moved_dimension(op, place, dim);
        if (to && !atoms_.join(dims_[input][dim], dims_[id][*to])) return false;
      }
    }
    return true;
  }

  /// The dimensions that are kept are the result's, in order; an initial value has none.
  bool join_reduce(uint32_t id, const FusionOp& op, uint32_t input) {
    if (input != op.inputs[0]) return true;
    const Shape& from = out_.graph.op(input).output_shape;
    std::vector<bool> is_folded(from.size(), op.ints("axes") == nullptr);
    for (const int64_t axis : op.ints("axes") == nullptr ? std::vector<int64_t>{} : *op.ints("axes")) {
      const int64_t at = axis < 0 ? axis + static_cast<int64_t>(from.size()) : axis;
      if (at < 0 || static_cast<size_t>(at) >= from.size()) return false;
      is_folded[static_cast<size_t>(at)] = true;
    }
    std::vector<uint32_t> kept;
    for (size_t i = 0; i < from.size(); ++i) {
      if (!is_folded[i]) kept.insert(kept.end(), dims_[input][i].begin(), dims_[input][i].end());
    }
    return atoms_.join(kept, all_of(id));
  }

  std::vector<uint32_t> all_of(uint32_t id) const {
    std::vector<uint32_t> all;
    for (const std::vector<uint32_t>& dim : dims_[id]) all.insert(all.end(), dim.begin(), dim.end());
    return all;
  }

  /// `small`: the size of all that is not innermost; 0: sizes of their own.
  void choose_sizes(bool ragged, uint64_t small) {
    size_.assign(atoms_.count(), 0);
    uint64_t inner = moves_ ? (ragged ? 133 : 144) : ragged ? 37 : 16;  // a tile of bytes has 128 a side
    for (uint32_t id = 0; id < out_.graph.size(); ++id) {
      const std::vector<uint32_t> all = atoms_.expanded(all_of(id));
      if (all.empty() || size_[all.back()] != 0) continue;
      const uint64_t before = atoms_.size(all.back());
      if (before <= 16) {
        size_[all.back()] = before;
      } else if (!ragged && before % 16 == 0) {
        size_[all.back()] = inner;
        if (inner < 48 || moves_) inner += 16;
      } else {
        size_[all.back()] = ragged || moves_ ? inner : 17 + inner / 8;
        inner += 2;
      }
      size_[all.back()] = std::min(size_[all.back()], before);
    }
    uint64_t outer = moves_ ? 5 : 2;  // of which a Move may cut both ends
    for (uint32_t atom = 0; atom < atoms_.count(); ++atom) {
      if (size_[atom] != 0) continue;
      size_[atom] = std::min(atoms_.size(atom), small != 0 ? small : outer);
      outer = outer == 7 ? 2 : outer + 1;
    }
  }

  bool resize() {
    for (uint32_t id = 0; id < out_.graph.size(); ++id) {
      Shape& shape = out_.graph.op(id).output_shape;
      for (size_t d = 0; d < shape.size(); ++d) {
        if (dims_[id][d].empty()) continue;
        shape[d] = 1;
        for (const uint32_t atom : atoms_.expanded(dims_[id][d])) {
          shape[d] *= size_[atom];
          if (shape[d] > kMostElements) return false;
        }
      }
      const bool is_known = !moves_ || out_.label[id] != 0;  // a Move's own shape comes from its operands'
      if (is_known && !is_small(id)) return false;
    }
    return !moves_ || (shrink_move(out_.graph, 0, graph_, graph_.op(group_.members[0])) && is_small(0));
  }

  bool is_small(uint32_t id) const {
    const std::optional<uint64_t> elements = element_count(out_.graph.op(id).output_shape);
    return elements && *elements <= kMostElements;
  }

  void describe() {
    if (group_.external_outputs.empty()) return;
    const uint32_t output = group_.external_outputs[0];
    out_.shapes = shape_text(graph_.op(output).output_shape) + " as " +
                  shape_text(out_.graph.op(new_id_.at(output)).output_shape);
  }

  const FusionGraph& graph_;
  const FusionGroup& group_;
  ShrunkGroup out_;
  bool moves_ = false;  ///< the group is a Move alone: op 0
  std::unordered_map<uint32_t, uint32_t> new_id_;
  DimensionAtoms atoms_;
  std::vector<std::vector<std::vector<uint32_t>>> dims_;  ///< op, dimension: atoms, outermost first
  std::vector<uint64_t> size_;                            ///< by atom
};

}  // namespace

std::optional<ShrunkGroup> shrink_group(const FusionGraph& graph, const FusionGroup& group, bool ragged,
                                        std::string& why_not) {
  return Shrinker(graph, group).shrink(ragged, why_not);
}

}  // namespace fuseboard
