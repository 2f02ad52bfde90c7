// Shapes: element counts, byte sizes and NumPy's broadcasting rule.
// It must not know ops.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fuseboard {

/// Dimensions, outermost first; empty is a scalar.
using Shape = std::vector<uint64_t>;

/// product(shape), or nothing where the running product leaves 64 bits (a later 0 does not save it). O(rank).
std::optional<uint64_t> element_count(std::span<const uint64_t> shape);

/// product(shape) * dtype_bytes, or nothing where it leaves 64 bits (spec 1, "Operation graph").
std::optional<uint64_t> tensor_bytes(std::span<const uint64_t> shape, uint64_t dtype_bytes);

/// Whether `producer` stretches to `consumer` by NumPy's trailing-dimension rule (spec 1, legality 3).
bool broadcastable(std::span<const uint64_t> producer, std::span<const uint64_t> consumer);

/// NumPy's broadcast of two shapes ([2,1] and [3] give [2,3]), or nothing where they contradict each other.
std::optional<Shape> broadcast_shapes(std::span<const uint64_t> a, std::span<const uint64_t> b);

/// "[1024,512]"; "[]" for a scalar.
std::string shape_text(std::span<const uint64_t> shape);

}  // namespace fuseboard
