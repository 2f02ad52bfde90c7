// The text of each kind of fault.
// It must not know how a kernel runs.
#include "ptx/fault.h"

namespace fuseboard::ptx {

std::string_view fault_kind_text(FaultKind kind) {
  switch (kind) {
    case FaultKind::out_of_bounds:
      return "out-of-bounds";
    case FaultKind::misaligned:
      return "misaligned";
    case FaultKind::never_written:
      return "never-written";
    case FaultKind::race:
      return "race";
    case FaultKind::barrier:
      return "barrier";
    case FaultKind::read_only:
      return "read-only";
    case FaultKind::trap:
      return "trap";
    case FaultKind::unsupported:
      return "unsupported";
    case FaultKind::call_depth:
      return "call-depth";
    case FaultKind::bad_branch:
      return "bad-branch";
    case FaultKind::step_budget:
      return "step-budget";
  }
  return "";
}

}  // namespace fuseboard::ptx
