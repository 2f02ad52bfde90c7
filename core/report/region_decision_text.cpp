// A sentence a reason.
// It must not know how regions are found, nor JSON.
#include "report/region_decision_text.h"

#include "report/node_title.h"

namespace fuseboard {
namespace {

class DecisionText {
 public:
  DecisionText(const ComputeGraph& graph, const RegionDecision& decision, std::span<const uint32_t> path)
      : graph_(graph), decision_(decision), path_(path) {}

  std::string run() const {
    const std::string root = title(decision_.root);
    switch (decision_.reason) {
      case RegionReason::fused:
        return root + " to " + title(decision_.sink) + " are one kernel";
      case RegionReason::member_not_fusible:
        return no_region() + title(decision_.member) + where() + " is not fusible";
      case RegionReason::totals_differ:
        return no_region() + title(decision_.member) + where() + " has " + threads(decision_.member) + ", " +
               root + " " + threads(decision_.root);
      case RegionReason::branches_differ:
        return no_region() + title(decision_.member) + where() + " runs in other branches of conditionals";
      case RegionReason::total_unknown:
        return no_region() + "how many threads " + title(decision_.member) +
               (decision_.member == decision_.root ? "" : where()) + " has is unknown";
      case RegionReason::row_domain_differs:  // of ops
        return no_region() + title(decision_.member) + where() + " has other rows";
      case RegionReason::reduces_nothing:
        return no_region() + "nothing down to " + title(decision_.sink) + " reduces";
      case RegionReason::sink_is_no_row_value:
        return no_region() + title(decision_.sink) + " is neither full nor by row";
      case RegionReason::edge_leaks:
        return no_region() + title(decision_.from) + " is read by " + title(decision_.to) +
               ", where nothing joins it with its other readers";
      case RegionReason::not_dominated:
        return no_region() + title(decision_.sink) + ", where its branches meet, is reached without it" +
               way();
      case RegionReason::no_fan_out:
        return no_region() + chain();
      case RegionReason::already_claimed:
        return no_region() + "its branches meet in " + title(decision_.member) +
               ", which belongs to another region";
    }
    return "";
  }

 private:
  std::string title(uint32_t id) const { return node_title(graph_, id); }

  std::string no_region() const { return "no region begins at " + title(decision_.root) + ": "; }

  std::string threads(uint32_t id) const {
    return std::to_string(graph_.node(id).threads().value_or(0)) + " threads";
  }

  /// Where the member stands: " on the way to ...".
  std::string where() const {
    if (decision_.sink == kNoNode || decision_.sink == decision_.member) return "";
    return ", on the way to " + title(decision_.sink) + ",";
  }

  std::string way() const {
    std::string out;
    for (const uint32_t id : path_) out += (out.empty() ? ", by " : " -> ") + title(id);
    return out;
  }

  std::string chain() const {
    const std::string end =
        decision_.from == decision_.root ? "" : "from it to " + title(decision_.from) + " ";
    const std::string behind =
        decision_.to == kNoNode ? "" : ", and " + title(decision_.to) + " behind them joins no kernel";
    return end + "no launch has two readers" + behind;
  }

  const ComputeGraph& graph_;
  const RegionDecision& decision_;
  std::span<const uint32_t> path_;
};

}  // namespace

std::string region_decision_text(const ComputeGraph& graph, const RegionDecision& decision,
                                 std::span<const uint32_t> path) {
  return DecisionText(graph, decision, path).run();
}

}  // namespace fuseboard
