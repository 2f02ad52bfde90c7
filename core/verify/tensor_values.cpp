// Reading storages and the views of them.
// It must not know kernels.
#include "verify/tensor_values.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "launch/loop_schedule.h"
#include "verify/calm_ops.h"
#include "verify/element_map.h"

namespace fuseboard {

TensorValues::TensorValues(const FusionGraph& graph, uint64_t seed)
    : graph_(graph), seed_(seed), held_(graph.size()), calm_(calm_of_ops(graph)) {}

void TensorValues::read(uint32_t op, uint64_t offset, std::span<uint8_t> out) const {
  const Tensor& held = held_[op];
  if (!held.known) return seeded_bytes(seed_, op, graph_.op(op).dtype, offset, out, calm_[op]);
  const uint64_t size = held.bytes.size();
  const uint64_t count = offset >= size ? 0 : std::min<uint64_t>(out.size(), size - offset);
  std::copy_n(held.bytes.begin() + static_cast<std::ptrdiff_t>(std::min(offset, size)),
              static_cast<std::ptrdiff_t>(count), out.begin());
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(count), out.end(), uint8_t{0});
}

uint64_t TensorValues::bits(uint32_t op, uint64_t index, uint32_t bytes) const {
  const Tensor& held = held_[op];
  if (!held.known) return seeded_bits(seed_, op, index, graph_.op(op).dtype, calm_[op]);
  uint64_t bits = 0;
  if ((index + 1) * bytes <= held.bytes.size()) std::memcpy(&bits, &held.bytes[index * bytes], bytes);
  return bits;
}

std::vector<uint8_t> TensorValues::dense(uint32_t op) const {
  if (held_[op].known) return held_[op].bytes;
  std::vector<uint8_t> bytes(graph_.output_bytes(op));
  read(op, 0, bytes);
  return bytes;
}

Tensor TensorValues::tensor(uint32_t op) const {
  std::vector<ElementMap> maps;
  const uint32_t size = dtype_bytes(graph_.op(op).dtype);
  const uint64_t elements = element_count(graph_.op(op).output_shape).value_or(0);
  uint32_t root = op;
  while (elements > 0 && is_seen_through(graph_.op(root))) {
    ElementMap map = element_map(graph_, root, 0);
    if (!map.is_identity) maps.push_back(std::move(map));
    root = graph_.op(root).inputs[0];
  }
  if (maps.empty()) return {true, dense(root)};
  Tensor tensor{true, std::vector<uint8_t>(elements * size)};
  for (uint64_t i = 0; i < elements; ++i) {
    uint64_t at = i;
    for (const ElementMap& map : maps) at = map.at(at);
    const uint64_t value = bits(root, at, size);
    std::memcpy(&tensor.bytes[i * size], &value, size);
  }
  return tensor;
}

}  // namespace fuseboard
