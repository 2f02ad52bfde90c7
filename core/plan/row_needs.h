// What an op of a graph asks of the kernel that it joins: over which rows it reduces, at which it reads.
// It must not know which ops share a group, nor kernels.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "analysis/dag.h"
#include "graph/fusion_graph.h"
#include "graph/storage.h"
#include "plan/decision.h"
#include "plan/row_domain.h"

namespace fuseboard {

constexpr uint32_t kNoDomain = 0xffffffff;

/// Of an op, or of all ops of a group together. Domains are numbers (RowFacts::domains).
struct RowNeeds {
  uint32_t domain = kNoDomain;  ///< that its reductions fold
  /// The rows at which it reads what a reduction made: such a value is stretched over `reads`' reduced parts.
  uint32_t reads = kNoDomain;
  bool reads_elsewhere = false;  ///< at more rows than one domain's, or at another element than its own
  uint64_t elements = 0;         ///< of the largest value
};

/// What a group asks that is made of two: of two domains it keeps the first.
RowNeeds both(const RowNeeds& a, const RowNeeds& b);

/// Of every op of a sound graph: the values behind an edge (identity, stretch or fold), told apart by axes
/// and never by sizes, so that [R] stretched over the wrong axis of a square matrix is seen.
struct RowFacts {
  std::vector<RowDomain> domains;  ///< distinct
  std::vector<RowNeeds> needs;     ///< of each op; all edges from fusible producers count
  std::vector<uint64_t> elements;  ///< of each op's value
  bool reduces = false;            ///< some op folds a domain
};

/// Why two groups cannot share a kernel, and the domain that clashes with the one that they would fold.
struct RowClash {
  Reason reason;
  uint32_t other;
};

/// Asks in this order: do both fold one domain, is what depends on a fold read only at its own row or
/// element, is no value larger than the domain. Groups that fold nothing never clash. O(1).
std::optional<RowClash> clash(const RowFacts& facts, const RowNeeds& above, const RowNeeds& below);

/// A reduction takes part where it names its reducer and has a row domain (plan/row_domain.h) with more than
/// one column; one whose initial value depends on another reduction does not. O((n + m) * rank) plus sorting
/// the distinct domains.
RowFacts row_facts(const FusionGraph& graph, const Dag& dag, const Storages& storages);

}  // namespace fuseboard
