// Choosing accesses, tiles and blocks for the boxes of a Move.
// It must not know PTX.
#include "launch/move_shape.h"

#include <algorithm>

#include "graph/attribute_use.h"
#include "launch/emittable.h"
#include "launch/launch_shape.h"
#include "launch/move_parts.h"
#include "launch/names.h"

namespace fuseboard {
namespace {

constexpr uint64_t kMostNarrow = uint64_t{1} << 31;
constexpr uint64_t kMostGrid = (uint64_t{1} << 31) - 1;
constexpr uint32_t kWidestAccess = 16;
constexpr uint64_t kLeastTileSide = 16;  ///< below it a walk along the result reads whole sectors anyway

/// Whether neighbours are one dimension: both strides run on.
bool runs_on(const MoveDim& outer, const MoveDim& inner) {
  return !outer.padding && !inner.padding && outer.from == inner.from * inner.extent &&
         outer.to == inner.to * inner.extent;
}

bool is_foreign(const FusionGraph& graph, const FusionOp& op) {
  if (op.dtype == DType::foreign) return true;
  return std::any_of(op.inputs.begin(), op.inputs.end(),
                     [&](uint32_t input) { return graph.op(input).dtype == DType::foreign; });
}

/// Whether all offsets of a part are multiples of `slots` but along the innermost dimension.
bool is_aligned(const MovePart& part, uint32_t slots, uint64_t index_stride) {
  if (part.to % slots != 0 || (!part.is_splat && part.from % slots != 0)) return false;
  if (index_stride % slots != 0) return false;
  for (size_t k = 0; k + 1 < part.dims.size(); ++k) {
    const MoveDim& dim = part.dims[k];
    if (dim.to % slots != 0 || (!part.is_splat && dim.from % slots != 0)) return false;
  }
  return true;
}

class MoveShaper {
 public:
  MoveShaper(const FusionGraph& graph, const GraphFacts& facts, uint32_t id)
      : graph_(graph), facts_(facts), op_(graph.op(id)), id_(id) {}

  MovePlan plan();

 private:
  std::string fault() const;
  std::string operand_fault(uint32_t input) const;
  bool is_seen_directly(uint32_t operand) const {
    const uint32_t input = op_.inputs[operand];
    return facts_.anchor[input] == facts_.storage.root[input];
  }
  bool is_immediate_operand(uint32_t operand) const {
    return is_immediate(graph_.op(facts_.storage.root[op_.inputs[operand]]));
  }
  void find_index(MoveShape& shape) const;
  void find_slots(const MoveShape& shape, MovePart& part) const;
  void find_tile(MoveShape& shape) const;
  bool needs_wide(const MoveShape& shape) const;
  bool share_blocks(MoveShape& shape) const;
  std::vector<uint32_t> sources() const;

  const FusionGraph& graph_;
  const GraphFacts& facts_;
  const FusionOp& op_;
  uint32_t id_;
};

std::string MoveShaper::operand_fault(uint32_t input) const {
  const std::string name = comment_of(graph_.name_of(input), 40);
  if (facts_.view_fault[input] != kNoOp) {
    return "reads " + name + ", which " + view_fault(graph_, facts_.view_fault[input]);
  }
  const std::string fault = source_fault(graph_, facts_.storage.root[input]);
  return fault.empty() ? "" : "reads " + name + ", which " + fault;
}

std::string MoveShaper::fault() const {
  if (facts_.elements[id_] >= kMostElements) return "has more elements than a kernel can index";
  for (uint32_t i = 0; i < op_.inputs.size(); ++i) {
    const FusionOp& operand = graph_.op(op_.inputs[i]);
    std::string why = operand_fault(op_.inputs[i]);
    if (!why.empty()) return why;
    const bool is_index = op_.kind == OpKind::gather && i == 1;
    if (!is_index && operand.dtype != op_.dtype) {
      return "of dtype " + std::string(dtype_text(op_.dtype)) + " reads " +
             comment_of(graph_.name_of(op_.inputs[i]), 40) + " of dtype " +
             std::string(dtype_text(operand.dtype)) + ": a move converts nothing";
    }
    if (op_.kind == OpKind::gather && is_immediate_operand(i)) {
      return "gathers by or from a constant that lies in no memory";
    }
  }
  return move_fault(graph_, id_);
}

void MoveShaper::find_index(MoveShape& shape) const {
  if (op_.kind != OpKind::gather) return;
  const Shape& operand = graph_.op(op_.inputs[0]).output_shape;
  const size_t axis = move_axis(op_, operand.size());
  shape.index = MoveIndex{graph_.op(op_.inputs[1]).dtype, operand[axis], shape.parts[0].dims[1].to};
}

/// As many elements as 16 bytes hold, where they lie side by side and aligned on both sides.
void MoveShaper::find_slots(const MoveShape& shape, MovePart& part) const {
  if (part.dims.empty()) return;
  MoveDim& last = part.dims.back();
  const bool is_line =
      last.to == 1 && !last.padding && (part.is_splat || (last.from == 1 && is_seen_directly(part.operand)));
  for (uint32_t slots = kWidestAccess / shape.bytes; is_line && slots > 1; slots /= 2) {
    if (last.extent % slots != 0) continue;
    if (!is_aligned(part, slots, shape.index ? shape.index->stride : 0)) continue;
    part.slots = slots;
    return;
  }
}

/// Tiles for a transpose that moves the innermost dimension, where both lines are long.
void MoveShaper::find_tile(MoveShape& shape) const {
  MovePart& part = shape.parts[0];
  if (op_info(op_.kind).shape_rule != ShapeRule::Permute || part.is_splat || part.dims.size() < 2) return;
  if (!is_seen_directly(0) || part.dims.back().from == 1) return;
  MoveTile tile;
  while (tile.column < part.dims.size() && part.dims[tile.column].from != 1) ++tile.column;
  if (tile.column == part.dims.size()) return;
  const uint64_t columns = part.dims[tile.column].extent;
  const uint64_t rows = part.dims.back().extent;
  if (std::min(columns, rows) < kLeastTileSide) return;
  if (shape.bytes < 4) {
    const uint32_t pack = 4 / shape.bytes;
    bool packs = std::min(columns, rows) >= kTileWords * pack / 2 && columns % pack == 0 && rows % pack == 0;
    for (const MoveDim& dim : part.dims) {
      packs = packs && (dim.from == 1 || dim.from % pack == 0) && (dim.to == 1 || dim.to % pack == 0);
    }
    if (packs) tile.pack = pack;
  }
  const uint64_t side = kTileWords * tile.pack;
  uint64_t tiles = 1;
  for (size_t k = 0; k < part.dims.size(); ++k) {
    const bool is_side = k == tile.column || k + 1 == part.dims.size();
    tiles *= is_side ? (part.dims[k].extent - 1) / side + 1 : part.dims[k].extent;
  }
  if (tiles > kMostGrid) return;
  shape.walk = MoveWalk::tiles;
  shape.tile = tile;
  part.slots = tile.pack;
  part.passes = tiles * kTileWords * kTileWords * tile.pack;
  part.blocks = static_cast<uint32_t>(tiles);
  shape.blocks = part.blocks;
  shape.shared_bytes = kTileWords * tile.pack * (kTileWords + 1) * std::max(shape.bytes, 4U);
}

bool MoveShaper::needs_wide(const MoveShape& shape) const {
  uint64_t most = facts_.elements[id_];
  for (const uint32_t input : op_.inputs) most = std::max(most, facts_.elements[input]);
  for (const MovePart& part : shape.parts) {
    for (const MoveDim& dim : part.dims) {
      if (!dim.padding) continue;
      most = std::max({most, dim.padding->limit, std::min(dim.padding->low, 0 - dim.padding->low)});
    }
  }
  return most >= kMostNarrow;
}

/// A thread an access, part after part; false where they are more than a grid has blocks.
bool MoveShaper::share_blocks(MoveShape& shape) const {
  uint64_t blocks = 0;
  for (MovePart& part : shape.parts) {
    uint64_t elements = 1;
    for (const MoveDim& dim : part.dims) elements *= dim.extent;
    part.passes = elements / part.slots;
    const uint64_t own = (part.passes - 1) / kThreads + 1;
    if (own > kMostGrid - blocks) return false;
    part.first_block = static_cast<uint32_t>(blocks);
    part.blocks = static_cast<uint32_t>(own);
    blocks += own;
  }
  shape.blocks = static_cast<uint32_t>(blocks);
  return true;
}

/// Distinct storages; of a pad without an operand's element, and of a concat, only those that are read.
std::vector<uint32_t> MoveShaper::sources() const {
  std::vector<uint32_t> out;
  for (uint32_t i = 0; i < op_.inputs.size(); ++i) {
    const uint32_t root = facts_.storage.root[op_.inputs[i]];
    const bool is_read = !is_immediate_operand(i) && facts_.elements[op_.inputs[i]] != 0;
    if (is_read) out.push_back(root);
  }
  std::vector<uint32_t> distinct;
  std::vector<uint32_t> sorted = out;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::vector<bool> seen(sorted.size(), false);
  for (const uint32_t root : out) {
    const auto at =
        static_cast<size_t>(std::lower_bound(sorted.begin(), sorted.end(), root) - sorted.begin());
    if (!seen[at]) distinct.push_back(root);
    seen[at] = true;
  }
  return distinct;
}

MovePlan MoveShaper::plan() {
  MovePlan out;
  out.fault = fault();
  if (!out.fault.empty()) return out;
  MoveShape shape;
  shape.bytes = dtype_bytes(op_.dtype);
  shape.parts = move_parts(graph_, id_);
  find_index(shape);
  for (MovePart& part : shape.parts) {
    part.is_splat = part.is_splat || is_immediate_operand(part.operand);
    if (!shape.index) merge_dims(part.dims);
    find_slots(shape, part);
  }
  shape.wide = needs_wide(shape);
  find_tile(shape);
  if (shape.walk == MoveWalk::elements && !share_blocks(shape)) {
    out.fault = "has more elements than one launch can walk";
    return out;
  }
  out.sources = sources();
  out.shape = std::move(shape);
  return out;
}

}  // namespace

std::string_view move_walk_text(MoveWalk walk) {
  switch (walk) {
    case MoveWalk::elements:
      return "elements";
    case MoveWalk::tiles:
      return "tiles";
  }
  return "";
}

void merge_dims(std::vector<MoveDim>& dims) {
  std::vector<MoveDim> merged;
  for (const MoveDim& dim : dims) {
    if (dim.extent == 1 && !dim.padding) continue;
    if (!merged.empty() && runs_on(merged.back(), dim)) {
      merged.back() = {merged.back().extent * dim.extent, dim.from, dim.to, {}};
    } else {
      merged.push_back(dim);
    }
  }
  dims = std::move(merged);
}

std::optional<MovePlan> plan_move(const FusionGraph& graph, const GraphFacts& facts, uint32_t id) {
  const FusionOp& op = graph.op(id);
  if (!op.has_arity() || is_foreign(graph, op) || has_flag(op, "relayout")) return std::nullopt;
  if (op.kind == OpKind::gather && op.attribute("axis") == nullptr) return std::nullopt;
  return MoveShaper(graph, facts, id).plan();
}

}  // namespace fuseboard
