// One pass over the nodes for the lifetimes, one over the positions for the peak.
// It must not know op graphs, nor what the nodes compute.
#include "launch/memory_use.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "analysis/topological_order.h"

namespace fuseboard {
namespace {

__extension__ using Wide = unsigned __int128;  ///< sums of any number of sizes

class Lifetimes {
 public:
  explicit Lifetimes(const ComputeGraph& graph) {
    for (const ComputeBuffer& each : graph.buffers()) bytes_[each.id] = each.bytes;
  }

  void touch(uint64_t buffer, uint32_t position, bool is_write) {
    const auto [at, is_new] = index_.try_emplace(buffer, all.size());
    if (is_new) {
      const auto known = bytes_.find(buffer);
      all.push_back({buffer, known == bytes_.end() ? std::nullopt : known->second, position, position,
                     !is_write, false});
    }
    BufferLifetime& lifetime = all[at->second];
    lifetime.last = position;
    lifetime.is_result = is_write;
  }

  std::vector<BufferLifetime> all;

 private:
  std::unordered_map<uint64_t, std::optional<uint64_t>> bytes_;
  std::unordered_map<uint64_t, size_t> index_;
};

void find_peak(MemoryUse& use, uint32_t positions) {
  std::vector<Wide> change(positions + 1, 0);  // wraps: what ends is subtracted
  for (const BufferLifetime& each : use.lifetimes) {
    if (!each.bytes) ++use.unknown_sizes;
    const uint64_t bytes = each.bytes.value_or(0);
    change[each.is_resident ? 0 : each.first] += bytes;
    change[each.is_result ? positions : each.last + 1] -= bytes;
  }
  Wide live = 0;
  Wide most = 0;
  for (uint32_t at = 0; at < positions; ++at) {
    live += change[at];
    if (live <= most) continue;
    most = live;
    use.peak_at = at;
  }
  use.peak_bytes = most > UINT64_MAX ? UINT64_MAX : static_cast<uint64_t>(most);
}

}  // namespace

std::vector<uint32_t> stream_order(const ComputeGraph& graph) {
  const Dag dag = graph.dag();
  bool is_forward = true;
  std::vector<uint32_t> order(graph.size());
  for (uint32_t id = 0; id < graph.size(); ++id) {
    order[id] = id;
    for (const uint32_t p : dag.predecessors[id]) is_forward = is_forward && p < id;
  }
  return is_forward ? order : topological_order(dag);
}

MemoryUse memory_use(const ComputeGraph& graph, std::span<const uint32_t> order) {
  Lifetimes lifetimes(graph);
  for (uint32_t position = 0; position < order.size(); ++position) {
    const ComputeNode& node = graph.node(order[position]);
    for (const uint64_t buffer : node.inputs) lifetimes.touch(buffer, position, false);
    for (const uint64_t buffer : node.outputs) lifetimes.touch(buffer, position, true);
  }
  MemoryUse use;
  use.lifetimes = std::move(lifetimes.all);
  std::sort(use.lifetimes.begin(), use.lifetimes.end(), [](const BufferLifetime& a, const BufferLifetime& b) {
    return std::tie(a.first, a.buffer) < std::tie(b.first, b.buffer);
  });
  find_peak(use, static_cast<uint32_t>(order.size()));
  return use;
}

}  // namespace fuseboard
