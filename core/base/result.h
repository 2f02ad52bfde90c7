// A value, or the reasons why there is none, or a value with warnings: errors are values.
// It must not know what the value is.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "base/diagnostic.h"

namespace fuseboard {

/// `value` is empty exactly when some diagnostic is an error.
template <class T>
struct [[nodiscard]] Result {
  std::optional<T> value;
  std::vector<Diagnostic> diagnostics;

  explicit operator bool() const { return value.has_value(); }
};

}  // namespace fuseboard
