// The planner's policies and their names.
// It must not know what they do.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fuseboard {

enum class Policy : uint8_t {
  rows,  ///< spec 1's merge, with edges of reductions over the same rows; never more bytes than elementwise
  regions,      ///< closed regions around reductions first, then spec 1 over what is left
  elementwise,  ///< spec 1
};

constexpr Policy kPolicies[] = {Policy::rows, Policy::regions, Policy::elementwise};

std::string_view policy_text(Policy policy);
std::optional<Policy> policy_from_text(std::string_view text);

}  // namespace fuseboard
