// Finding the row of an edge.
// It must not know what a group is for.
#include "analysis/edge_lists.h"

#include <algorithm>

namespace fuseboard {

uint32_t EdgeLists::owner(uint32_t edge) const {
  const auto behind = std::upper_bound(rows_.start.begin(), rows_.start.end(), edge);
  return static_cast<uint32_t>(behind - rows_.start.begin() - 1);
}

}  // namespace fuseboard
