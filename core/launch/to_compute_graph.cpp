// Kernels become nodes, their parameters buffers.
// It must not know PTX.
#include "launch/to_compute_graph.h"

#include <algorithm>
#include <utility>

#include "base/checked.h"
#include "graph/storage.h"
#include "launch/launch_order.h"

namespace fuseboard {
namespace {

class LaunchGraphMaker {
 public:
  LaunchGraphMaker(const FusionGraph& graph, const FusionPlan& plan, const std::vector<Kernel>& kernels)
      : graph_(graph),
        plan_(plan),
        kernels_(kernels),
        dag_(graph.dag()),
        storages_(storages(graph)),
        results_(graph.size()),
        is_read_(2 * size_t{graph.size()}, 0),
        is_written_(2 * size_t{graph.size()}, 0) {
    for (uint32_t id = 0; id < graph.size(); ++id) {
      const bool is_part = graph.op(id).kind == OpKind::result && storages_.root[id] == id;
      if (is_part && !graph.op(id).inputs.empty())
        results_[storages_.root[graph.op(id).inputs[0]]].push_back(id);
    }
  }

  LaunchedPlan run(const ToComputeGraphOptions& options) {
    std::vector<ComputeNode> launches;
    std::vector<uint32_t> order = launch_order(dag_, plan_, kernels_);
    launches.reserve(order.size());
    for (const uint32_t index : order) launches.push_back(launch(kernels_[index]));
    LaunchedPlan out;
    if (options.copies) copy_in(out);
    for (size_t i = 0; i < launches.size(); ++i) add(out, std::move(launches[i]), order[i]);
    if (options.copies) copy_out(out);
    for (uint64_t buffer = 0; buffer < is_read_.size(); ++buffer) {
      if (is_read_[buffer] != 0 || is_written_[buffer] != 0)
        out.graph.add_buffer({buffer, name_of(buffer), bytes_of(buffer)});
    }
    out.graph.infer_edges();
    return out;
  }

 private:
  uint32_t op_of(uint64_t buffer) const { return static_cast<uint32_t>(buffer % graph_.size()); }
  uint64_t bytes_of(uint64_t buffer) const { return storages_.bytes[op_of(buffer)]; }
  std::string name_of(uint64_t buffer) const {
    return graph_.name_of(op_of(buffer)) + (buffer < graph_.size() ? "" : ".data");
  }

  void read(ComputeNode& node, uint32_t op, uint32_t group) {
    const bool is_own = plan_.group_of[op] == group && graph_.op(op).is_resident();
    const uint64_t buffer = is_own ? resident_buffer(graph_, op) : op;
    is_read_[buffer] = 1;
    node.inputs.push_back(buffer);
  }

  /// The storage of an op, and those that are parts of it.
  void write(ComputeNode& node, uint32_t op) {
    for (std::vector<uint32_t> left{op}; !left.empty();) {
      const uint32_t id = left.back();
      left.pop_back();
      if (is_written_[id] != 0) continue;
      is_written_[id] = 1;
      node.outputs.push_back(id);
      left.insert(left.end(), results_[id].rbegin(), results_[id].rend());
    }
  }

  ComputeNode launch(const Kernel& kernel) {
    const FusionGroup& group = plan_.groups[kernel.group];
    ComputeNode node;
    node.name = kernel.name;
    node.function_name = kernel.entry.empty() ? kernel.name : kernel.entry;
    node.fusible = kernel.kind == LaunchKind::kernel && !kernel.move;
    if (kernel.emittable) node.config = kernel.config;
    node.cost_hint =
        std::max<uint64_t>(1, checked_add(group.bytes_read, group.bytes_written).value_or(UINT64_MAX));
    for (const KernelParameter& each : kernel.parameters) {
      if (each.role == ParameterRole::input) read(node, each.op, kernel.group);
      if (each.role == ParameterRole::output) write(node, each.op);
    }
    if (kernel.parameters.empty()) touch_group(node, group, kernel.group);
    return node;
  }

  /// A kernel too large to have parameters: what its group reads and writes.
  void touch_group(ComputeNode& node, const FusionGroup& group, uint32_t index) {
    std::vector<uint32_t> roots;
    for (const uint32_t id : group.external_inputs) {
      if (storages_.read_bytes(id) > 0) roots.push_back(storages_.root[id]);
    }
    for (const uint32_t root : distinct(roots)) read(node, root, index);
    roots.clear();
    for (const uint32_t id : group.external_outputs) {
      const uint32_t root = storages_.root[id];
      if (plan_.group_of[root] == index && storages_.written_bytes(root) > 0) roots.push_back(root);
    }
    for (const uint32_t root : distinct(roots)) write(node, root);
  }

  static std::vector<uint32_t> distinct(std::vector<uint32_t> ids) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
  }

  static void add(LaunchedPlan& out, ComputeNode node, uint32_t kernel) {
    out.graph.add_node(std::move(node));
    out.kernel_of.push_back(kernel);
  }

  ComputeNode copy(uint64_t buffer, CopyDirection direction) const {
    ComputeNode node;
    node.kind = NodeKind::memcpy;
    node.name = name_of(buffer);
    node.direction = direction;
    node.bytes = bytes_of(buffer);
    node.cost_hint = std::max<uint64_t>(1, *node.bytes);
    return node;
  }

  void copy_in(LaunchedPlan& out) const {
    for (uint64_t buffer = 0; buffer < is_read_.size(); ++buffer) {
      if (is_read_[buffer] == 0 || is_written_[buffer] != 0) continue;
      ComputeNode node = copy(buffer, CopyDirection::host_to_device);
      node.outputs.push_back(buffer);
      add(out, std::move(node), kNoOp);
    }
  }

  void copy_out(LaunchedPlan& out) const {
    std::vector<uint32_t> wanted;
    for (uint32_t id = 0; id < graph_.size(); ++id) {
      if (dag_.successors[id].empty()) wanted.push_back(storages_.root[id]);
    }
    for (const uint32_t id : graph_.outputs()) wanted.push_back(storages_.root[id]);
    for (const uint32_t root : distinct(std::move(wanted))) {
      if (is_written_[root] == 0) continue;
      ComputeNode node = copy(root, CopyDirection::device_to_host);
      node.inputs.push_back(root);
      add(out, std::move(node), kNoOp);
    }
  }

  const FusionGraph& graph_;
  const FusionPlan& plan_;
  const std::vector<Kernel>& kernels_;
  const Dag dag_;
  const Storages storages_;
  std::vector<std::vector<uint32_t>> results_;  ///< by opaque op: the storages that are parts of its result
  std::vector<uint8_t> is_read_;                ///< by buffer
  std::vector<uint8_t> is_written_;
};

}  // namespace

LaunchedPlan to_compute_graph(const FusionGraph& graph, const FusionPlan& plan,
                              const std::vector<Kernel>& kernels, const ToComputeGraphOptions& options) {
  return LaunchGraphMaker(graph, plan, kernels).run(options);
}

}  // namespace fuseboard
