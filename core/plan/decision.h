// A planner's choice about one edge, as data: what was decided, why, and with which ops in the way.
// It must not know how the choice was made.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "plan/row_domain.h"

namespace fuseboard {

enum class Verdict : uint8_t { fused, refused };

enum class Reason : uint8_t {
  fused,
  producer_not_fusible,
  consumer_not_fusible,
  shapes_differ,
  would_create_cycle,
  row_domain_differs,  ///< reductions of both groups fold different row domains
  reads_other_rows,    ///< what a reduction made would be read at another row or element than its reader's
  larger_than_rows,    ///< a value has more elements than the row domain
  not_a_row_value,   ///< neither full nor by row, and wanted outside: the kernel of the rows cannot store it
  region_is_closed,  ///< one end belongs to a closed region (its root and sink: path_start, path_length)
};

/// "would-create-cycle".
std::string_view reason_text(Reason reason);
bool speaks_of_rows(Reason reason);
std::string_view verdict_text(Verdict verdict);

/// One for every distinct edge, in the order of planning.
struct Decision {
  uint32_t producer = 0;
  uint32_t consumer = 0;
  Verdict verdict = Verdict::refused;
  Reason reason = Reason::fused;
  bool together = false;  ///< both ends share a group in the end (by another way where refused)
  bool tree = false;      ///< the path is kept as two edges and a tree path between them
  /// would_create_cycle: its steps stand at DecisionList::steps[path_start ...]. The four reasons of rows:
  /// the domain, DecisionList::domains[path_start], and the other one, [path_length] (the same where there is
  /// one).
  uint32_t path_start = 0;
  uint32_t path_length = 0;
  uint32_t path_total = 0;  ///< ops on the whole path
};

constexpr uint32_t kPathKept = 64;

/// All decisions of a plan, and what it takes to tell the offending path of each.
struct DecisionList {
  std::vector<Decision> decisions;
  std::vector<uint32_t> steps;
  std::vector<uint32_t> tree_parent;  ///< one producer of each op, by which tree paths run
  std::vector<RowDomain> domains;     ///< that decisions about rows speak of

  /// The offending path of a would_create_cycle decision: it begins in the producer's group and ends in the
  /// consumer's, and two neighbours on it are an edge, or members of one group. At most kPathKept ops; where
  /// path_total is more, those left out stand behind the second. O(kPathKept): a million refusals cannot hold
  /// a long path each.
  std::vector<uint32_t> path(const Decision& decision) const;

  /// Of a reason that speaks of rows: the domain that the group folds, and the one that it clashes with.
  std::pair<const RowDomain&, const RowDomain&> row_domains(const Decision& decision) const {
    return {domains[decision.path_start], domains[decision.path_length]};
  }
};

}  // namespace fuseboard
