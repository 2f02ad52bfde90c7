// What no value of an attribute may be: an axis outside the shape, an unknown reducer, a constant its dtype
// cannot hold. It must not know texts; types of attributes are the formats' business.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "graph/fusion_graph.h"

namespace fuseboard {

struct AttributeFault {
  std::string_view attribute;
  std::string message;
  std::string hint;
};

/// The first fault of op `id`, whose inputs are in range. O(attributes).
std::optional<AttributeFault> attribute_fault(const FusionGraph& graph, uint32_t id);

}  // namespace fuseboard
