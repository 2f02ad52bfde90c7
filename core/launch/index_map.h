// How a loop's linear index becomes the offset of an element: mixed-radix digits of it, composed through
// views and broadcasting. It must not know ops, nor how the digits are computed.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace fuseboard {

/// (base / divisor) % extent; extent is at least 2.
struct Digit {
  uint64_t divisor = 1;
  uint64_t extent = 1;
};

/// An offset: the digits of `base`, outermost first, read as a mixed-radix number. No digits: offset 0.
struct IndexMap {
  uint32_t base = 0;          ///< 0: the loop's index; otherwise the offset that map `base` gives
  std::vector<Digit> digits;  ///< neighbours that are one digit in truth are merged
  uint64_t total = 1;         ///< product of the extents: offsets are in [0, total)
};

/// The distinct maps of one loop. Map 0 is the loop's index itself; a map's base has a smaller id.
class IndexMaps {
 public:
  explicit IndexMaps(uint64_t elements);

  const IndexMap& operator[](uint32_t id) const { return maps_[id]; }
  uint32_t size() const { return static_cast<uint32_t>(maps_.size()); }

  /// The map to the operand's offsets, where `map` gives offsets in `shape` and the operand of
  /// `operand_shape` stretches to it: operand dimension i is dimension axes[i] of shape, or by NumPy's
  /// trailing rule where axes is null. The operand must fit (stretches()) and product(shape) be the map's
  /// total. A reshape needs no new map. O(ranks).
  uint32_t stretch(uint32_t map, std::span<const uint64_t> shape, std::span<const uint64_t> operand_shape,
                   const std::vector<int64_t>* axes);

  /// The map to the index along one dimension of shape. O(rank).
  uint32_t along(uint32_t map, std::span<const uint64_t> shape, uint32_t axis);

 private:
  uint32_t intern(IndexMap map);

  std::vector<IndexMap> maps_;
  std::map<std::vector<uint64_t>, uint32_t> ids_;
};

/// Whether an operand stretches to shape as IndexMaps::stretch wants it; axes must be distinct and in range.
bool stretches(std::span<const uint64_t> operand_shape, std::span<const uint64_t> shape,
               const std::vector<int64_t>* axes);

}  // namespace fuseboard
