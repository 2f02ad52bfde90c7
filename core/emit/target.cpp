// The table of targets.
// It must not know kernels.
#include "emit/target.h"

namespace fuseboard {
namespace {

constexpr Target kTargets[] = {
#define TARGET(name, sm, version) {name, sm, version},
#include "emit/targets.def"
};

}  // namespace

std::span<const Target> targets() { return kTargets; }

std::optional<Target> target_from_name(std::string_view name) {
  for (const Target& target : kTargets) {
    if (target.name == name) return target;
  }
  return std::nullopt;
}

}  // namespace fuseboard
