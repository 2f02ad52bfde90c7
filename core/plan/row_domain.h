// The index space of a group that reduces: rows x columns, a column being folded away by its reductions.
// It must not know kernels, nor how a group is found.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/fusion_graph.h"

namespace fuseboard {

/// A full tensor's dimensions, outermost first, in as few parts as say which are kept and which are reduced:
/// dimensions of 1 are left out, neighbours of one kind are one part. [8,128,512] over axis 2 is
/// [(1024, kept), (512, reduced)]; batch norm's [N,C,H,W] over 0, 2, 3 is [(N, reduced), (C, kept),
/// (H * W, reduced)]. Two reductions walk the same rows exactly when their domains are equal.
/// A value is *full* where it has an element for each row and column, *by row* where it has one for each row.
/// Row-major: full element i is (row, column) where row is the kept parts' digits of i, column the reduced
/// ones'.
struct RowDomain {
  struct Part {
    uint64_t extent = 1;  ///< never 1
    bool is_reduced = false;
    friend bool operator==(const Part&, const Part&) = default;
  };
  std::vector<Part> parts;  ///< outermost first, kept and reduced in turn

  uint64_t rows() const;                                  ///< product of the kept parts
  uint64_t columns() const;                               ///< product of the reduced parts
  uint64_t elements() const;                              ///< rows * columns
  uint64_t element(uint64_t row, uint64_t column) const;  ///< O(parts)
  uint64_t row_of(uint64_t element) const;                ///< O(parts)
  /// Whether neighbours in memory are neighbours of one row: the innermost part is reduced (or there is
  /// none).
  bool is_innermost_reduced() const { return parts.empty() || parts.back().is_reduced; }

  friend bool operator==(const RowDomain&, const RowDomain&) = default;
};

/// The domain of a shape whose `axes` are folded; axes are ascending and in range, the product fits. O(rank).
RowDomain row_domain(std::span<const uint64_t> shape, std::span<const uint64_t> axes);

/// Of a Reduce op of a sound graph: its operand's shape and its axes (all of them where it has none; negative
/// ones count from the end). Nothing where it folds several operands (an initial value aside), has no
/// elements, or its axes or output do not fit its operand. O(rank).
std::optional<RowDomain> row_domain_of(const FusionGraph& graph, uint32_t reduce);

}  // namespace fuseboard
