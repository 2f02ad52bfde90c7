// The texts of the policies.
// It must not know what they do.
#include "plan/policy.h"

namespace fuseboard {

std::string_view policy_text(Policy policy) {
  switch (policy) {
    case Policy::rows:
      return "rows";
    case Policy::regions:
      return "regions";
    case Policy::elementwise:
      return "elementwise";
  }
  return "";
}

std::optional<Policy> policy_from_text(std::string_view text) {
  for (const Policy each : kPolicies) {
    if (policy_text(each) == text) return each;
  }
  return std::nullopt;
}

}  // namespace fuseboard
