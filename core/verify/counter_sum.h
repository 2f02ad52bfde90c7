// Adds up what the machines of one kernel counted.
// It must not know kernels.
#pragma once

#include "ptx/counters.h"

namespace fuseboard {

void add_counters(ptx::Counters& sum, const ptx::Counters& more);

}  // namespace fuseboard
