// The texts of launch kinds and parameter roles.
// It must not know PTX.
#include "launch/kernel.h"

namespace fuseboard {

std::string_view parameter_role_text(ParameterRole role) {
  switch (role) {
    case ParameterRole::input:
      return "input";
    case ParameterRole::output:
      return "output";
    case ParameterRole::scalar:
      return "scalar";
  }
  return "";
}

std::string_view launch_kind_text(LaunchKind kind) {
  switch (kind) {
    case LaunchKind::kernel:
      return "kernel";
    case LaunchKind::library:
      return "library";
    case LaunchKind::none:
      return "none";
  }
  return "";
}

}  // namespace fuseboard
