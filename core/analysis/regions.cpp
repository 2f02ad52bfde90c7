// The walk up the post-dominator chain of every root.
// It must not know what a node is.
#include "analysis/regions.h"

#include <algorithm>
#include <utility>

namespace fuseboard {
namespace {

/// A tree grown leaf by leaf that answers nearest common ancestors: one jump pointer a node (Myers, "An
/// applicative random-access stack", 1983). O(log depth) a question.
class JumpTree {
 public:
  explicit JumpTree(uint32_t nodes)
      : parent(nodes + 1, nodes), depth(nodes + 1, 0), jump_(nodes + 1, nodes) {}

  void hang(uint32_t node, uint32_t under) {
    parent[node] = under;
    depth[node] = depth[under] + 1;
    const uint32_t far = jump_[under];
    jump_[node] = depth[under] - depth[far] == depth[far] - depth[jump_[far]] ? jump_[far] : under;
  }

  uint32_t common(uint32_t a, uint32_t b) const {
    if (depth[a] < depth[b]) std::swap(a, b);
    while (depth[a] > depth[b]) a = depth[jump_[a]] >= depth[b] ? jump_[a] : parent[a];
    while (a != b) {
      const bool may_jump = jump_[a] != jump_[b];
      a = may_jump ? jump_[a] : parent[a];
      b = may_jump ? jump_[b] : parent[b];
    }
    return a;
  }

  std::vector<uint32_t> parent;  ///< of the virtual root, which is `nodes`, itself
  std::vector<uint32_t> depth;

 private:
  std::vector<uint32_t> jump_;
};

template <class Order>
JumpTree dominators(const Rows& towards_root, const Order& order) {
  const uint32_t n = towards_root.size();
  JumpTree tree(n);
  for (const uint32_t v : order) {
    uint32_t under = n;
    bool is_first = true;
    for (const uint32_t w : towards_root[v]) {
      under = is_first ? w : tree.common(under, w);
      is_first = false;
    }
    tree.hang(v, under);
  }
  return tree;
}

class Finder {
 public:
  Finder(const Dag& dag, const std::vector<uint32_t>& order, const std::vector<uint8_t>& fusible,
         const std::vector<uint64_t>& compatibility, Entry entry)
      : dag_(dag),
        order_(order),
        fusible_(fusible),
        compatibility_(compatibility),
        post_(dominators(dag.successors, std::vector<uint32_t>(order.rbegin(), order.rend()))),
        step_(dag.size(), 0),
        claimed_(dag.size(), 0),
        dead_(dag.size(), kAlive),
        blame_(dag.size(), Edge{kNoMember, kNoMember}),
        position_(dag.size(), 0) {
    for (uint32_t i = 0; i < order.size(); ++i) position_[order[i]] = i;
    find_steps();
    if (entry == Entry::operands) return;
    const JumpTree dominator = dominators(dag.predecessors, order);
    for (uint32_t v = 0; v < dag.size(); ++v) {
      if (step_[v] != 0) step_[v] = dominator.parent[post_.parent[v]] == v ? 1 : 0;
    }
  }

  Regions run() {
    Regions out;
    for (const uint32_t root : order_) {
      if (fusible_[root] == 0 || claimed_[root] != 0) continue;
      const uint32_t sink = dead_[root] != kAlive ? root : last_sink(root);
      if (sink != root) {
        out.regions.push_back(claim(root, sink));
      } else {
        out.refusals.push_back(refusal(root));
      }
    }
    return out;
  }

 private:
  bool good(uint32_t a, uint32_t b) const {
    return fusible_[a] != 0 && fusible_[b] != 0 && compatibility_[a] == compatibility_[b];
  }

  /// step[v]: all between v and its post-dominator may join both. stop: the farthest compatible sink.
  void find_steps() {
    const uint32_t n = dag_.size();
    std::vector<uint32_t> far(n + 1, 0);  // the depth of stop
    std::vector<uint32_t> stop(n + 1, n);
    for (uint32_t i = n; i-- > 0;) {
      const uint32_t v = order_[i];
      const uint32_t p = post_.parent[v];
      bool ok = p != n && good(v, p);
      for (const uint32_t w : dag_.successors[v]) {
        if (!ok) break;
        ok = w == p || (good(v, w) && far[w] <= post_.depth[p]);
      }
      far[v] = ok ? far[p] : post_.depth[v];
      stop[v] = ok ? stop[p] : v;
      step_[v] = ok ? 1 : 0;
      if (!ok) blame_[v] = blamed(v, far, stop);
    }
  }

  struct Edge {
    uint32_t from;
    uint32_t to;
  };

  /// The edge at which every walk through v ends, where v has no step: into the first node that does not fit
  /// between v and its post-dominator; where that itself does not fit, the edge by which a branch leaves the
  /// one that goes farthest. O(successors): what their own walks end at is known.
  Edge blamed(uint32_t v, const std::vector<uint32_t>& far, const std::vector<uint32_t>& stop) const {
    const uint32_t p = post_.parent[v];
    uint32_t farthest = v;
    for (const uint32_t w : dag_.successors[v]) {
      if (!good(v, w)) return {v, w};
      if (farthest == v || position_[stop[w]] > position_[farthest]) farthest = stop[w];
    }
    const bool may_meet = p != dag_.size() && good(v, p);
    for (const uint32_t w : dag_.successors[v]) {
      const bool ends_here = may_meet ? w != p && far[w] > post_.depth[p] : stop[w] != farthest;
      if (!ends_here) continue;
      const Edge below = blame_[stop[w]];
      return below.to == kNoMember ? Edge{v, w} : below;  // a branch that ends in a node that feeds nothing
    }
    return {v, kNoMember};
  }

  /// The sink of the largest region, or the root itself where there is none.
  uint32_t last_sink(uint32_t root) {
    uint32_t c = root;
    bool fans_out = false;
    std::vector<uint32_t> walked;
    while (step_[c] != 0 && claimed_[post_.parent[c]] == 0) {
      if (!fans_out && dead_[c] != kAlive) break;
      fans_out = fans_out || dag_.successors[c].size() >= 2;
      walked.push_back(c);
      c = post_.parent[c];
    }
    if (fans_out) return c;
    const uint32_t end = dead_[c] != kAlive ? dead_[c] : c;
    for (const uint32_t each : walked) dead_[each] = end;
    dead_[root] = end;
    return root;
  }

  Refusal refusal(uint32_t root) const {
    const uint32_t end = dead_[root];
    const uint32_t p = post_.parent[end];
    Refusal out;
    out.root = root;
    out.fans_out = dag_.successors[end].size() >= 2;
    out.from = end;
    out.sink = p == dag_.size() ? kNoMember : p;
    if (step_[end] != 0) {
      out.reason = RefusalReason::claimed;
      out.to = p;
    } else if (blame_[end].from == kNoMember) {
      out.reason = RefusalReason::not_dominated;
    } else if (blame_[end].to == kNoMember) {
      out.reason = RefusalReason::no_fan_out;
    } else {
      out.from = blame_[end].from;
      out.to = blame_[end].to;
      const bool meets = out.to == p || (p != dag_.size() && good(end, p));
      out.reason = meets ? RefusalReason::unfit : RefusalReason::leaks;
      if (!meets) out.sink = kNoMember;
    }
    return out;
  }

  Region claim(uint32_t root, uint32_t sink) {
    Region region{root, sink, {root}};
    claimed_[root] = 1;
    for (size_t i = 0; i < region.members.size(); ++i) {
      if (region.members[i] == sink) continue;
      for (const uint32_t w : dag_.successors[region.members[i]]) {
        if (claimed_[w] != 0) continue;
        claimed_[w] = 1;
        region.members.push_back(w);
      }
    }
    std::sort(region.members.begin(), region.members.end(),
              [this](uint32_t a, uint32_t b) { return position_[a] < position_[b]; });
    return region;
  }

  static constexpr uint32_t kAlive = UINT32_MAX;

  const Dag& dag_;
  const std::vector<uint32_t>& order_;
  const std::vector<uint8_t>& fusible_;
  const std::vector<uint64_t>& compatibility_;
  JumpTree post_;
  std::vector<uint8_t> step_;
  std::vector<uint8_t> claimed_;
  std::vector<uint32_t> dead_;  ///< no region begins here: where the walk ended
  std::vector<Edge> blame_;     ///< of a node without a step; where it has one but for dominance, none
  std::vector<uint32_t> position_;
};

}  // namespace

Regions find_regions(const Dag& dag, const std::vector<uint32_t>& order, const std::vector<uint8_t>& fusible,
                     const std::vector<uint64_t>& compatibility, Entry entry) {
  return Finder(dag, order, fusible, compatibility, entry).run();
}

}  // namespace fuseboard
