// Reading registers as the arithmetic that they are used in.
// It must not know kernels.
#include "verify/register_value.h"

#include <vector>

#include "graph/shape.h"

namespace fuseboard {

Element register_value(Arithmetic arithmetic, uint64_t bits) {
  switch (arithmetic) {
    case Arithmetic::pred:
      return {0, bits & 1};
    case Arithmetic::s32:
      return {0, static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(bits)))};
    case Arithmetic::u32:
      return {0, bits & 0xffffffff};
    case Arithmetic::s64:
    case Arithmetic::u64:
      return {0, bits};
    case Arithmetic::f32:
      return {static_cast<double>(__builtin_bit_cast(float, static_cast<uint32_t>(bits))), 0};
    case Arithmetic::f64:
      return {__builtin_bit_cast(double, bits), 0};
  }
  return {};
}

bool is_same_element(DType dtype, Element a, Element b) {
  if (dtype_class(dtype) != DTypeClass::Float) return a.bits == b.bits;
  if (a.real != a.real || b.real != b.real) return a.real != a.real && b.real != b.real;
  return __builtin_bit_cast(uint64_t, a.real) == __builtin_bit_cast(uint64_t, b.real);
}

std::string coordinates_text(std::span<const uint64_t> shape, uint64_t element) {
  std::vector<uint64_t> at(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    at[d] = shape[d] == 0 ? 0 : element % shape[d];
    element = shape[d] == 0 ? 0 : element / shape[d];
  }
  return shape_text(at);
}

}  // namespace fuseboard
