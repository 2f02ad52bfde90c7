// The lanes of a warp that meet at one instruction: shfl.sync, vote.sync and their like.
// It must not know what they do there.
#pragma once

#include <cstdint>

#include "ptx/execution.h"

namespace fuseboard::ptx {

/// Whether the active lanes may run a .sync instruction now, all of `mask` that have not ended being there
/// (Flow::next); otherwise they wait (Flow::regroup), or fault where the mask leaves one of them out. Lanes
/// with different masks wait apart. `anywhere`: they need not stand at the same instruction (bar.warp.sync).
Flow meet(Execution& x, const MicroOp& op, Slot mask, bool anywhere);

/// Takes back the counting of an instruction at which lanes wait: it counts when it goes through.
void uncount(const MicroOp& op, uint32_t lanes);

}  // namespace fuseboard::ptx
