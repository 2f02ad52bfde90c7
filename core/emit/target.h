// The GPU architectures that kernels are written for.
// It must not know kernels.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace fuseboard {

struct Target {
  std::string_view name = "sm_90";
  uint32_t sm = 90;
  std::string_view ptx_version = "8.1";
};

std::span<const Target> targets();

std::optional<Target> target_from_name(std::string_view name);

}  // namespace fuseboard
