// Operand values for the op table's rows: edges, and sweeps over all magnitudes.
// It must not know ops.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "graph/evaluate.h"

namespace fuseboard_test {

/// The edges of a dtype, each as its bytes would hold it.
inline std::vector<fuseboard::Element> edges_of(fuseboard::DType dtype) {
  using namespace fuseboard;
  std::vector<Element> out;
  if (dtype_class(dtype) == DTypeClass::Bool) return {{0, 0}, {0, 1}};
  if (dtype_class(dtype) != DTypeClass::Float) {
    const uint32_t width = 8 * dtype_bytes(dtype);
    const uint64_t top = uint64_t{1} << (width - 1);
    for (const uint64_t bits :
         {uint64_t{0}, uint64_t{1}, ~uint64_t{0}, top, top - 1, top + 1, uint64_t{2}, uint64_t{3},
          uint64_t{7}, uint64_t{8}, uint64_t{31}, uint64_t{32}, uint64_t{33}, uint64_t{64}, uint64_t{100},
          ~uint64_t{1}, ~uint64_t{6}, uint64_t{0x5a5a5a5a5a5a5a5a}}) {
      uint8_t bytes[8];
      element_to_bytes(dtype, {0, bits}, bytes);
      out.push_back(element_from_bytes(dtype, bytes));
    }
    return out;
  }
  constexpr double kValues[] = {
      0.0,    1.0,      2.0,       0.5,     3.0,    0.3,          0.41,   0.43,   0.31,  0.1,
      1e-3,   1e-8,     2.5,       1.5,     0.499,  0.9999,       7.25,   10.0,   30.0,  87.0,
      88.9,   100.0,    8388609.0, 1e10,    3e38,   1e-30,        1e-40,  1e-45,  0.785, 1.571,
      3.1416, 100001.0, 123456.0,  65504.0, 6e-8,   2147483648.0, 9.3e18, 1.9e19, 127.5, 255.9,
      1e-300, 1e300,    709.5,     744.0,   5e-324, 4294967295.5};
  const double beyond[] = {std::numeric_limits<double>::infinity(), std::nan("")};
  for (const double sign : {1.0, -1.0}) {
    for (const double value : kValues) out.push_back(converted(DType::f64, dtype, {sign * value, 0}));
    for (const double value : beyond) out.push_back(converted(DType::f64, dtype, {sign * value, 0}));
  }
  return out;
}

/// How many elements a row of this arity is asked for.
inline uint64_t samples_of(fuseboard::DType dtype, uint32_t arity) {
  const uint64_t edges = edges_of(dtype).size();
  if (arity == 0) return 300;
  if (arity == 1) return edges + 1500;
  return edges * edges + 500 + (arity > 2 ? 2 * edges * edges : 0);
}

/// The bytes of operand `number` of `arity`: all combinations of edges (of three operands some), then a
/// sweep.
inline std::vector<uint8_t> sampled(fuseboard::DType dtype, uint32_t number, uint32_t arity,
                                    uint64_t elements) {
  using namespace fuseboard;
  const std::vector<Element> edges = edges_of(dtype);
  const uint64_t side = edges.size();
  std::vector<uint8_t> out(elements * dtype_bytes(dtype));
  uint64_t state = 0x9e3779b97f4a7c15 * (number + 1);
  const uint64_t combined = arity == 1 ? side : elements - 500;
  for (uint64_t at = 0; at < elements; ++at) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    Element value = edges[(number == 0 ? at : number == 1 ? at / side : at * 7 / side) % side];
    if (at >= combined) {
      if (dtype_class(dtype) == DTypeClass::Float) {
        const double unit = static_cast<double>(state >> 11) * 0x1p-52 - 1;  // in [-1, 1)
        const int span = dtype == DType::f64 ? 2000 : 250;
        const int exponent = at % 3 == 0
                                 ? static_cast<int>((state & 0xffff) % static_cast<uint64_t>(span)) - span / 2
                                 : static_cast<int>((state & 0xf)) - 8;
        value = converted(DType::f64, dtype, {std::ldexp(unit, exponent), 0});
      } else {
        value = {0, state >> (state & 63)};
      }
    }
    element_to_bytes(dtype, value, out.data() + at * dtype_bytes(dtype));
  }
  return out;
}

}  // namespace fuseboard_test
