// Reading the digits of a map against the parts of a row domain.
// It must not know ops, nor PTX.
#include "launch/row_walks.h"

#include <algorithm>
#include <optional>

namespace fuseboard {
namespace {

/// A digit of an offset that lies in one part: (row or column / divisor) % extent, times weight.
struct Piece {
  bool of_columns = false;
  uint64_t divisor = 1;
  uint64_t extent = 1;
  uint64_t weight = 1;
};

/// The pieces of a map of full elements; nothing where a digit does not split evenly at the parts.
std::optional<std::vector<Piece>> pieces_of(const IndexMap& map, const RowDomain& domain) {
  std::vector<Piece> pieces;
  uint64_t weight = 1;
  for (size_t i = map.digits.size(); i-- > 0;) {
    Digit left = map.digits[i];
    uint64_t stride = 1;
    uint64_t counted[2] = {1, 1};
    for (size_t k = domain.parts.size(); k-- > 0 && left.extent > 1;) {
      const RowDomain::Part& part = domain.parts[k];
      const uint64_t end = stride * part.extent;
      uint64_t& within = counted[part.is_reduced ? 1 : 0];
      if (left.divisor < end) {
        if (left.divisor % stride != 0 || end % left.divisor != 0) return std::nullopt;
        const uint64_t rest = end / left.divisor;
        const uint64_t taken = std::min(rest, left.extent);
        if (left.extent % taken != 0 || (taken < rest && rest % taken != 0)) return std::nullopt;
        pieces.push_back({part.is_reduced, within * (left.divisor / stride), taken, weight});
        weight *= taken;
        left = {left.divisor * taken, left.extent / taken};
      }
      within *= part.extent;
      stride = end;
    }
    if (left.extent > 1) return std::nullopt;
  }
  return pieces;
}

void see_slots(const Piece& piece, uint32_t slots, MapWalk& out) {
  if (!out.is_affine || piece.divisor % slots == 0) return;
  out.is_affine = piece.divisor == 1 && out.slot_stride == 0 && piece.extent % slots == 0;
  out.slot_stride = out.is_affine ? piece.weight : 0;
}

void see_passes(const Piece& piece, const RowShape& shape, MapWalk& out) {
  if (shape.passes == 1 || out.pass == PassWalk::recomputed) return;
  const uint64_t step = shape.along_rows ? shape.threads : uint64_t{shape.threads} * shape.slots;
  const uint64_t moves = step / piece.divisor;
  const bool is_whole = step % piece.divisor == 0;
  if (is_whole && moves % piece.extent == 0) return;
  if (!is_whole || piece.divisor * piece.extent != shape.domain.columns()) {
    out.pass = PassWalk::recomputed;
    out.pass_stride = 0;
    return;
  }
  out.pass = PassWalk::walks;
  out.pass_stride += moves * piece.weight;
}

}  // namespace

std::vector<MapWalk> row_walks(const IndexMaps& maps, const RowShape& shape) {
  std::vector<MapWalk> walks(maps.size());
  for (uint32_t i = 0; i < maps.size(); ++i) {
    MapWalk& out = walks[i];
    const MapWalk& base = walks[maps[i].base];
    const bool is_direct = maps[i].base == 0;
    if (!is_direct && base.is_affine && base.slot_stride == 0 && base.pass == PassWalk::fixed) continue;
    const auto pieces = is_direct ? pieces_of(maps[i], shape.domain) : std::nullopt;
    if (!pieces) {
      out.is_affine = shape.slots == 1;
      out.pass = shape.passes == 1 ? PassWalk::fixed : PassWalk::recomputed;
      continue;
    }
    for (const Piece& piece : *pieces) {
      if (shape.slots > 1 && piece.of_columns != shape.along_rows) see_slots(piece, shape.slots, out);
      if (piece.of_columns) see_passes(piece, shape, out);
    }
  }
  return walks;
}

}  // namespace fuseboard
