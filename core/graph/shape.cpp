// Counting and broadcasting of shapes.
// It must not know ops.
#include "graph/shape.h"

#include <algorithm>

#include "base/checked.h"

namespace fuseboard {

std::optional<uint64_t> element_count(std::span<const uint64_t> shape) {
  std::optional<uint64_t> total = 1;
  for (const uint64_t dim : shape) {
    total = checked_mul(*total, dim);
    if (!total) return std::nullopt;
  }
  return total;
}

std::optional<uint64_t> tensor_bytes(std::span<const uint64_t> shape, uint64_t dtype_bytes) {
  const std::optional<uint64_t> count = element_count(shape);
  return count ? checked_mul(*count, dtype_bytes) : std::nullopt;
}

bool broadcastable(std::span<const uint64_t> producer, std::span<const uint64_t> consumer) {
  if (producer.size() > consumer.size()) return false;
  const std::span<const uint64_t> tail = consumer.last(producer.size());
  for (size_t i = 0; i < producer.size(); ++i) {
    if (producer[i] != tail[i] && producer[i] != 1) return false;
  }
  return true;
}

std::optional<Shape> broadcast_shapes(std::span<const uint64_t> a, std::span<const uint64_t> b) {
  if (a.size() < b.size()) std::swap(a, b);
  Shape out(a.begin(), a.end());
  const size_t skip = a.size() - b.size();
  for (size_t i = 0; i < b.size(); ++i) {
    uint64_t& dim = out[skip + i];
    if (dim == 1) {
      dim = b[i];
    } else if (b[i] != 1 && b[i] != dim) {
      return std::nullopt;
    }
  }
  return out;
}

std::string shape_text(std::span<const uint64_t> shape) {
  std::string out = "[";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i != 0) out += ',';
    out += std::to_string(shape[i]);
  }
  return out += ']';
}

}  // namespace fuseboard
