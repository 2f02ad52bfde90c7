// What a kernel folds though it is one value for a whole row: made for each column after all.
// It must not know PTX.
#pragma once

#include "launch/row_schedule.h"

namespace fuseboard {

/// A fold wants a full operand. A loaded or computed by-row value that is one, and nothing that has to be by
/// row (a store, an initial value, what is computed from it by row), becomes full: at the same map, so that
/// all columns of a row have the same value. O(operands).
void spread_folded_rows(RowSchedule& schedule);

}  // namespace fuseboard
