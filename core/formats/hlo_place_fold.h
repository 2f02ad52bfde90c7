// The variadic reduce by which HLO writes argmax and argmin: over values and their places, by a computation
// that keeps one of two pairs. It must not know inlining or tuples: operands are ops.
#pragma once

#include <optional>
#include <string_view>

#include "formats/hlo_module.h"
#include "formats/hlo_values.h"
#include "graph/fusion_graph.h"

namespace fuseboard {

/// A reduce, where its values stand, and who called the computation that it is part of.
struct HloFold {
  const HloInstruction& instruction;
  HloSpan operand;
  std::string_view scope;
};

/// The tuple of what `op`, a reduce of several results, folds: the extreme values and their places, as two
/// new ops; nothing where it is another fold. It is one of these where the second operand is an iota along
/// the one axis that is folded, the initial values change nothing, and the computation, tried on pairs of
/// every order, NaN among them, keeps the pair that the table's argmax (argmin) keeps. O(computation).
std::optional<uint32_t> hlo_place_fold(const HloLexer& lexer, const HloModule& module, const HloFold& fold,
                                       const FusionOp& op, HloValues& values, HloGraph& out);

}  // namespace fuseboard
