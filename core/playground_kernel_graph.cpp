// Asking formats, launch, layout and report about a kernel graph.
// It must not know JavaScript or pages.
#include "playground_kernel_graph.h"

#include <algorithm>
#include <span>
#include <utility>

#include "formats/kernel_graph.h"
#include "launch/turn_guesses.h"
#include "layout/side_by_side.h"
#include "playground_layout.h"
#include "report/compute_graph_dot.h"
#include "report/kernel_plan_json.h"
#include "report/node_labels.h"

namespace fuseboard {
namespace {

/// Columns of what the page writes below a node's label: its threads, or a direction and bytes.
size_t detail_columns(const ComputeNode& node) {
  switch (node.kind) {
    case NodeKind::kernel_launch: {
      const size_t digits = std::to_string(node.threads().value_or(0)).size();
      return std::max(std::string_view("threads unknown").size(), digits + (digits - 1) / 3 + 8);
    }
    case NodeKind::memcpy:
      return std::string_view("device to device, 1023 MiB").size();
    case NodeKind::memset:
      return std::string_view("memset, size unknown").size();
    case NodeKind::event_record:
    case NodeKind::event_wait:
    case NodeKind::host_callback:
    case NodeKind::barrier:
    case NodeKind::conditional:
      break;
  }
  return node_kind_text(node.kind).size();
}

/// What the page writes over a group: "group 0 · Softmax · 5 launches as one", in its 11 px font.
float title_width(size_t index, const LaunchGroup& group) {
  constexpr float kColumn = 6.8F;
  constexpr float kPadding = 18;
  const size_t columns = std::to_string(index).size() + group.title.size() +
                         std::to_string(group.members.size()).size() +
                         std::string_view("group  ~  ~  launches as one").size();
  return static_cast<float>(columns) * kColumn + kPadding;
}

std::vector<float> box_widths(const ComputeGraph& graph, const std::vector<std::string>& labels) {
  constexpr size_t kQuery = 2;  // the mark of a guess stands right of the label
  std::vector<float> widths;
  for (uint32_t id = 0; id < graph.size(); ++id) {
    const ComputeNode& node = graph.node(id);
    const size_t label = labels[id].size() + (node.fusible_is_guess ? kQuery : 0);
    widths.push_back(box_width(std::max(label, detail_columns(node))));
  }
  return widths;
}

/// Edges in the order of kernel plan JSON; the members of a group in a box.
Layout drawn(const ComputeGraph& graph, const std::vector<float>& widths,
             std::span<const LaunchGroup> groups) {
  std::vector<uint32_t> from;
  std::vector<uint32_t> to;
  const Dag dag = graph.dag();
  for (uint32_t id = 0; id < graph.size(); ++id) {
    for (const uint32_t next : dag.successors[id]) {
      from.push_back(id);
      to.push_back(next);
    }
  }
  std::vector<uint32_t> group_of(graph.size(), UINT32_MAX);
  std::vector<float> titles;
  for (uint32_t g = 0; g < groups.size(); ++g) {
    titles.push_back(title_width(g, groups[g]));
    for (const uint32_t id : groups[g].members) group_of[id] = g;
  }
  const std::vector<uint8_t> boxed(groups.size(), 1);
  const std::vector<float> heights(graph.size(), kBoxHeight);
  return layered_layout({widths, heights, from, to, group_of, boxed, titles});
}

}  // namespace

Result<PlannedKernelGraph> PlannedKernelGraph::read(std::string_view text, Entry entry,
                                                    const PlaygroundOptions& options) {
  Result<ReadKernelGraph> read = read_kernel_graph(text);
  if (!read) return {std::nullopt, std::move(read.diagnostics)};
  PlannedKernelGraph out;
  out.graph_ = std::move(read.value->graph);
  for (const ReadKernelGraph::Span& each : read.value->places) {
    out.places_.push_back({each.offset, each.length});
  }
  turn_guesses(out.graph_, options.turned);
  Result<ReductionFusionPlan> plan = analyse(out.graph_, entry);
  read.diagnostics.insert(read.diagnostics.end(), plan.diagnostics.begin(), plan.diagnostics.end());
  if (!plan) return {std::nullopt, std::move(read.diagnostics)};
  out.regions_ = std::move(*plan.value);
  out.chains_ = fuse_chains(out.graph_, out.regions_);
  if (!options.fused) {  // what the passes would do stays as their decisions
    out.regions_.groups.clear();
    out.chains_.groups.clear();
  }
  out.rewritten_ = collapse(out.graph_, out.groups());
  return {std::move(out), std::move(read.diagnostics)};
}

std::vector<LaunchGroup> PlannedKernelGraph::groups() const {
  std::vector<LaunchGroup> all = launch_groups(regions_);
  for (const ChainFusionGroup& each : chains_.groups) all.push_back({each.members, "Chain"});
  return all;
}

std::string PlannedKernelGraph::plan_json(std::string_view text, std::string_view format,
                                          const PlaygroundOptions& options,
                                          const std::vector<Diagnostic>& diagnostics) const {
  return kernel_plan_json({text, format, options.entry, options.fused, options.turned, graph_, places_,
                           groups(), regions_.decisions, chains_.decisions, rewritten_, diagnostics});
}

std::string PlannedKernelGraph::dot() const { return compute_graph_dot(graph_, groups()); }

PlaygroundLayout PlannedKernelGraph::layout() const {
  std::vector<float> widths = box_widths(graph_, node_labels(graph_));
  const std::vector<LaunchGroup> groups = this->groups();
  Layout sheet = drawn(graph_, widths, groups);
  if (!groups.empty()) {
    const std::vector<float> fused_widths = box_widths(rewritten_, rewritten_labels(graph_, groups));
    sheet = side_by_side(std::move(sheet), drawn(rewritten_, fused_widths, {}));
    widths.insert(widths.end(), fused_widths.begin(), fused_widths.end());
  }
  return page_layout(std::move(sheet), std::move(widths));
}

}  // namespace fuseboard
