// Fills in the shapes and dtypes that a text left out, in topological order.
// It must not know formats: they say what is missing and where ops stand.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/fusion_graph.h"

namespace fuseboard {

/// What a text left open, by op.
struct Missing {
  enum State : uint8_t {
    given,
    wanted,
    told,  ///< unknown, and its fault is told already
  };
  std::vector<State> shape;
  std::vector<State> dtype;
};

/// Infers what is wanted; what cannot be inferred is an error (shape-mismatch; bad-attribute for the dtype of
/// a cast) at its op. Ops below one are passed over: a fault is told once, where it begins. What is on a
/// cycle is left to validate(). A source without a dtype is f32, a constant that is true or false bool. O(n +
/// m).
std::vector<Diagnostic> infer_missing(FusionGraph& graph, Missing missing, const OpPlaces& places);

}  // namespace fuseboard
