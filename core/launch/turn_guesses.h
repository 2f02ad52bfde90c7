// What a person knows better than the name: functions whose guessed fusible flag is the other way round.
// It must not know how a guess is made, nor the text that a graph came from.
#pragma once

#include <string>
#include <vector>

#include "launch/compute_graph.h"

namespace fuseboard {

/// Turns the flag of every launch of these functions where it is a guess (ComputeNode::fusible_is_guess,
/// which stays: the text still does not say it). A flag that the text gives stays as it is. O(names + nodes).
void turn_guesses(ComputeGraph& graph, const std::vector<std::string>& functions);

}  // namespace fuseboard
