// How the kernel of a Move walks: boxes of the result with the operand's strides, or tiles of a transpose.
// It must not know PTX.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/fusion_graph.h"
#include "launch/graph_facts.h"

namespace fuseboard {

enum class MoveWalk : uint8_t {
  elements,  ///< in the order of the result (of a concat: of each operand), one access a thread
  tiles,     ///< squares through shared memory, so that both sides are read and written along their lines
};

/// "elements", "tiles".
std::string_view move_walk_text(MoveWalk walk);

/// Where a padded dimension reads its operand: at index i where t = i - low is below `limit` and a multiple
/// of `step`: there at t / step.
struct MovePadding {
  uint64_t low = 0;    ///< wraps: the padding may be negative
  uint64_t step = 1;   ///< 1 + interior
  uint64_t limit = 0;  ///< one past the last t that reads
};

/// One dimension of a box; strides are in elements and wrap modulo 2^64 (a reversed dimension goes back).
struct MoveDim {
  uint64_t extent = 1;
  uint64_t from = 0;  ///< in the operand
  uint64_t to = 0;    ///< in the result
  std::optional<MovePadding> padding;
};

/// A box of the result and what fills it.
struct MovePart {
  uint32_t operand = 0;       ///< which of the op's inputs
  bool is_splat = false;      ///< every element is the operand's first one
  std::vector<MoveDim> dims;  ///< outermost first; neighbours that move together are one
  uint64_t from = 0, to = 0;  ///< the first element, in the operand and in the result
  uint32_t slots = 1;         ///< elements of one access, a power of two: it divides the innermost extent
  uint64_t passes = 1;        ///< accesses: the product of the extents by slots
  uint32_t first_block = 0, blocks = 1;  ///< elements: which blocks of 256 threads walk it, an access each
};

/// The index operand of a gather: dims[1] of its part runs over it, and the operand is read at index * stride
/// besides. Negative indices count from the end; what is still outside is clamped to [0, size - 1], as XLA
/// does, so that no index leaves the operand (the reference leaves such elements open).
struct MoveIndex {
  DType dtype = DType::i32;
  uint64_t size = 0;    ///< of the operand along the axis
  uint64_t stride = 1;  ///< of the operand along the axis, in elements
};

/// A tile has 32 * pack rows and columns. Words of `pack` elements are turned in registers on their way into
/// shared memory, whose lines of 33 words keep both directions free of bank conflicts.
struct MoveTile {
  uint32_t column = 0;  ///< the dimension along which the operand lies in a line; rows are the last one
  uint32_t pack = 1;    ///< elements of an access
};

constexpr uint32_t kTileWords = 32;  ///< words along each side of a tile
constexpr uint32_t kTileWarps = 8;

struct MoveShape {
  MoveWalk walk = MoveWalk::elements;
  uint32_t bytes = 4;  ///< of an element
  std::vector<MovePart> parts;
  std::optional<MoveIndex> index;  ///< of a gather
  std::optional<MoveTile> tile;
  bool wide = false;  ///< offsets need 64 bits
  uint32_t blocks = 1;
  uint32_t shared_bytes = 0;
};

/// What becomes of a Move op that has elements.
struct MovePlan {
  std::vector<uint32_t> sources;  ///< storages that the kernel reads, in the order of the operands
  std::optional<MoveShape> shape;
  std::string fault;  ///< without a shape: why there is none, in words that follow the op's name
};

/// Nothing where the op stays a library call: a gather without `axis`, elements of a foreign dtype, another
/// layout. O(operands * rank).
std::optional<MovePlan> plan_move(const FusionGraph& graph, const GraphFacts& facts, uint32_t op);

/// Dimensions of 1 dropped, neighbours merged where both strides run on; the part covers the same elements.
void merge_dims(std::vector<MoveDim>& dims);

}  // namespace fuseboard
