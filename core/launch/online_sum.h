// Sums of exponentials that are folded in the walk of their maximum, which saves a walk along the row.
// It must not know PTX, nor how threads share rows.
#pragma once

#include "graph/fusion_graph.h"
#include "launch/row_schedule.h"

namespace fuseboard {

/// Marks every sum of exp(x - m) where m is the row's maximum of the same x: a thread sums with the maximum
/// that it has so far, and scales its sum where that grows (Milakov and Gimelshein, "Online normalizer
/// calculation for softmax", 2018). Such a sum is there as early as its maximum, so that walks fall away;
/// steps that only it would have read are made in none. O(operands).
void sum_online(const FusionGraph& graph, RowSchedule& schedule);

}  // namespace fuseboard
