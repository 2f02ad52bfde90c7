// Turning guesses round.
// It must not know how a guess is made, nor the text that a graph came from.
#include "launch/turn_guesses.h"

#include <string_view>
#include <unordered_set>

namespace fuseboard {

void turn_guesses(ComputeGraph& graph, const std::vector<std::string>& functions) {
  const std::unordered_set<std::string_view> turned(functions.begin(), functions.end());
  for (uint32_t id = 0; id < graph.size(); ++id) {
    ComputeNode& node = graph.node(id);
    if (node.fusible_is_guess && turned.contains(node.function_name)) node.fusible = !node.fusible;
  }
}

}  // namespace fuseboard
