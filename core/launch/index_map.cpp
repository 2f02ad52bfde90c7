// Composing index maps: splitting digits at the dimensions of a shape and keeping those that an operand has.
// It must not know ops, nor how the digits are computed.
#include "launch/index_map.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "graph/shape.h"

namespace fuseboard {
namespace {

/// The digits of one map cut so that each dimension of a shape is a run of them.
struct Cut {
  std::vector<Digit> digits;  ///< innermost first
  std::vector<uint32_t>
      start;  ///< dimension k, counted from the innermost, is digits[start[k] .. start[k + 1])
};

/// Nothing where a digit does not split evenly at a dimension.
std::optional<Cut> cut_at(std::span<const Digit> digits, std::span<const uint64_t> shape) {
  Cut cut;
  cut.start.reserve(shape.size() + 1);
  cut.start.push_back(0);
  size_t left = digits.size();
  Digit digit{1, 1};
  for (size_t k = shape.size(); k-- > 0;) {
    uint64_t dim = shape[k];
    while (dim > 1) {
      if (digit.extent == 1) {
        if (left == 0) return std::nullopt;
        digit = digits[--left];
      }
      const uint64_t part = std::min(digit.extent, dim);
      if (digit.extent % part != 0 || dim % part != 0) return std::nullopt;
      cut.digits.push_back({digit.divisor, part});
      digit = {digit.divisor * part, digit.extent / part};
      dim /= part;
    }
    cut.start.push_back(static_cast<uint32_t>(cut.digits.size()));
  }
  return cut;
}

/// Appends an outermost-first digit, merged with the one before where both are one digit in truth.
void append(IndexMap& map, Digit digit) {
  map.total *= digit.extent;
  if (!map.digits.empty() && map.digits.back().divisor == digit.divisor * digit.extent) {
    map.digits.back() = {digit.divisor, digit.extent * map.digits.back().extent};
    return;
  }
  map.digits.push_back(digit);
}

}  // namespace

bool stretches(std::span<const uint64_t> operand_shape, std::span<const uint64_t> shape,
               const std::vector<int64_t>* axes) {
  if (axes == nullptr) return broadcastable(operand_shape, shape);
  if (axes->size() != operand_shape.size()) return false;
  std::vector<bool> taken(shape.size(), false);
  for (size_t i = 0; i < operand_shape.size(); ++i) {
    const int64_t axis = (*axes)[i];
    if (axis < 0 || static_cast<uint64_t>(axis) >= shape.size()) return false;
    const size_t k = static_cast<size_t>(axis);
    if (taken[k] || (operand_shape[i] != 1 && operand_shape[i] != shape[k])) return false;
    taken[k] = true;
  }
  return true;
}

IndexMaps::IndexMaps(uint64_t elements) {
  IndexMap identity;
  if (elements > 1) append(identity, {1, elements});
  maps_.push_back(identity);
  if (elements > 1) ids_.emplace(std::vector<uint64_t>{0, 1, elements}, 0);
}

uint32_t IndexMaps::intern(IndexMap map) {
  if (map.digits.empty()) map.base = 0;
  if (map.digits.size() == 1 && map.digits[0].divisor == 1 && map.total == maps_[map.base].total)
    return map.base;
  if (map.digits.empty() && maps_[0].digits.empty()) return 0;
  std::vector<uint64_t> key{map.base};
  key.reserve(1 + 2 * map.digits.size());
  for (const Digit& digit : map.digits) {
    key.push_back(digit.divisor);
    key.push_back(digit.extent);
  }
  const auto [found, is_new] = ids_.emplace(std::move(key), size());
  if (is_new) maps_.push_back(std::move(map));
  return found->second;
}

uint32_t IndexMaps::stretch(uint32_t map, std::span<const uint64_t> shape,
                            std::span<const uint64_t> operand_shape, const std::vector<int64_t>* axes) {
  if (axes == nullptr && std::equal(shape.begin(), shape.end(), operand_shape.begin(), operand_shape.end())) {
    return map;
  }
  IndexMap out;
  out.base = maps_[map].base;
  std::optional<Cut> cut = cut_at(maps_[map].digits, shape);
  if (!cut) {
    out.base = map;
    const Digit whole{1, maps_[map].total};
    cut = cut_at(std::span(&whole, 1), shape);
    if (!cut) return map;  // not reached: product(shape) is the map's total
  }
  for (size_t i = 0; i < operand_shape.size(); ++i) {
    if (operand_shape[i] == 1) continue;
    const size_t dimension =
        axes == nullptr ? shape.size() - operand_shape.size() + i : static_cast<size_t>((*axes)[i]);
    const size_t k = shape.size() - 1 - dimension;
    for (uint32_t d = cut->start[k + 1]; d-- > cut->start[k];) append(out, cut->digits[d]);
  }
  return intern(std::move(out));
}

uint32_t IndexMaps::along(uint32_t map, std::span<const uint64_t> shape, uint32_t axis) {
  const std::vector<int64_t> axes{static_cast<int64_t>(axis)};
  const uint64_t extent = shape[axis];
  return stretch(map, shape, std::span(&extent, 1), &axes);
}

}  // namespace fuseboard
