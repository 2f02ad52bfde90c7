// A register's bits as an element, and when two elements are alike.
// It must not know kernels.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "graph/dtype.h"
#include "graph/evaluate.h"
#include "launch/lowering.h"

namespace fuseboard {

Element register_value(Arithmetic arithmetic, uint64_t bits);

/// Alike to the last bit, but for what a NaN carries.
bool is_same_element(DType dtype, Element a, Element b);

/// "[2,5]", the coordinates of a linear offset in a shape.
std::string coordinates_text(std::span<const uint64_t> shape, uint64_t element);

}  // namespace fuseboard
