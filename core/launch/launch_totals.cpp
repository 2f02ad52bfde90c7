// Adding up nodes.
// It must not know op graphs, nor the text that a graph came from.
#include "launch/launch_totals.h"

#include "base/checked.h"

namespace fuseboard {
namespace {

void add(KnownSum& total, const std::optional<uint64_t>& part) {
  if (!part) {
    ++total.unknown;
  } else if (total.sum) {
    total.sum = checked_add(*total.sum, *part);
  }
}

}  // namespace

LaunchTotals launch_totals(const ComputeGraph& graph) {
  LaunchTotals totals;
  for (const ComputeNode& node : graph.nodes()) {
    switch (node.kind) {
      case NodeKind::kernel_launch:
        ++totals.launches;
        add(totals.threads, node.threads());
        break;
      case NodeKind::memcpy:
        ++totals.copies;
        add(totals.bytes_copied, node.bytes);
        break;
      case NodeKind::memset:
        ++totals.fills;
        add(totals.bytes_set, node.bytes);
        break;
      case NodeKind::event_record:
      case NodeKind::event_wait:
      case NodeKind::host_callback:
      case NodeKind::barrier:
      case NodeKind::conditional:
        break;
    }
  }
  return totals;
}

}  // namespace fuseboard
