// Merging nodes of a DAG into groups while the contracted graph stays acyclic, near-linearly.
// It must not know what a node is, nor why one wants to merge.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "analysis/ancestor_forest.h"
#include "analysis/dag.h"
#include "analysis/group_search.h"
#include "analysis/order_list.h"

namespace fuseboard {

/// Why a merge was refused: a path from the producer's group through a third group to the consumer's.
/// Neighbours in `steps` are an edge or members of one group; in a tree witness steps are {p, x, y, c}: an
/// edge p -> x, the tree path from x down to y in the forest, an edge y -> c.
struct CycleWitness {
  bool tree = false;
  uint64_t total = 0;  ///< nodes on the whole path
  std::vector<uint32_t>
      steps;  ///< at most kSteps; where the path has more, those left out stand behind the second
  static constexpr uint32_t kSteps = 64;
};

/// Groups begin as single nodes. All groups stand in one list that is always a topological order of the
/// contracted graph. A merge along an edge P -> C asks whether some third group lies on a path P -> ... -> C:
/// first cheaply (does anything else leave P, or enter C; is such a path known from before; is one found in a
/// spanning forest), then by two searches that meet in the middle, confined to the labels between P and C
/// (Bender, Fineman, Gilbert and Tarjan, "A new approach to incremental cycle detection and related
/// problems", 2016; the order as in Pearce and Kelly, 2006).
class AcyclicMerge {
 public:
  enum class Outcome : uint8_t { together, merged, cycle };

  /// `order` is a topological order of `dag`. Both must outlive this. O(n + m).
  AcyclicMerge(const Dag& dag, std::span<const uint32_t> order);

  /// Merges the groups of both ends of the edge producer -> consumer unless that closes a cycle. Amortised
  /// near-constant on every family measured; refusals have no proven bound.
  Outcome merge(uint32_t producer, uint32_t consumer);

  /// Of the last merge() that answered `cycle`.
  const CycleWitness& witness() const { return witness_; }

  uint32_t find(uint32_t node);

  /// The forest that tree witnesses speak of; empty where none was asked for.
  std::vector<uint32_t> take_tree_parent();

 private:
  struct Path {
    uint64_t total;
    std::vector<uint32_t> steps;
  };

  /// A few edges from a group to neighbours outside both groups of a merge; `all` where there are no more.
  struct Neighbours {
    static constexpr uint32_t kMost = 4;  ///< enough for nearly all refusals, too few to matter for the rest
    uint32_t count = 0;
    bool all = true;
    uint32_t edges[kMost];
  };
  Neighbours neighbours(GroupSearch& side, uint32_t group, uint32_t other);

  bool refused_by_memory(uint32_t p, uint32_t c);
  bool refused_by_tree(const Neighbours& out, const Neighbours& in);
  bool refused_by_ancestors(uint32_t p, const Neighbours& in);
  bool refused_by_search(uint32_t p, uint32_t c);
  bool advance(GroupSearch& search, const GroupSearch& other, uint32_t start, uint32_t target);
  void remember_path(uint32_t p, uint32_t c);
  void set_tree_witness(uint32_t p, uint32_t x, uint32_t y, uint32_t last_edge);
  uint32_t unite(uint32_t p, uint32_t c);
  void place(uint32_t p, uint32_t c, uint32_t merged);

  const Dag& dag_;
  std::span<const uint32_t> topological_;
  std::optional<AncestorForest> forest_;  ///< made when first asked
  OrderList order_;
  std::vector<uint32_t> parent_;
  std::vector<uint32_t> size_;
  GroupSearch forward_;
  GroupSearch backward_;
  uint32_t round_ = 0;
  uint32_t meeting_ = 0;        ///< the group in which the last refused searches met
  std::vector<uint32_t> line_;  ///< scratch of place()
  /// Paths found by searching, from one group into another, by the pair. Groups only grow: a path stays one.
  std::unordered_map<uint64_t, Path> known_paths_;
  CycleWitness witness_;
};

}  // namespace fuseboard
