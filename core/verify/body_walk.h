// From the elements that a pass of a loop stores to the element of every step: the graph's indices, walked
// back once for a loop's body and then computed for a warp at a time.
// It must not know PTX, nor how the kernel computes its indices.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emit/ptx.h"
#include "graph/fusion_graph.h"
#include "verify/element_map.h"

namespace fuseboard {

/// A value is the element of some step for one pass; the first ones are those of the stores, and come from
/// outside. Each other one is a map of an earlier one.
struct BodyWalk {
  struct Value {
    uint32_t from = 0;
    uint32_t map = 0;  ///< into `maps`
  };
  /// Two ways to one step: their values must be the same.
  struct Agreement {
    uint32_t step = 0;
    uint32_t first = 0, second = 0;
  };
  static constexpr uint32_t kNoValue = 0xffffffff;

  uint32_t stores = 0;        ///< values that come from outside
  std::vector<Value> values;  ///< of `stores` and behind
  std::vector<ElementMap> maps;
  std::vector<uint32_t> value_of_step;  ///< kNoValue: no store needs the step
  std::vector<Agreement> agreements;

  /// Nothing where the steps are not what the graph's ops read: `fault` says why. O(steps, operands, views
  /// between them).
  static std::optional<BodyWalk> make(const FusionGraph& graph, const TracedBody& body, std::string& fault);

  /// The same of a kernel that reduces. From outside come the elements of the stores, the element of the full
  /// tensor (value full_of) and the row (value row_of), which each store and each fold's result is one of.
  static std::optional<BodyWalk> make_of_rows(const FusionGraph& graph, const TracedRows& rows,
                                              std::string& fault);
  static uint32_t full_of(const TracedRows& rows) { return static_cast<uint32_t>(rows.stored.size()); }
  static uint32_t row_of(const TracedRows& rows) { return full_of(rows) + 1; }
};

}  // namespace fuseboard
