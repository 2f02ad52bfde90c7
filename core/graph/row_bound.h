// The distance that a row of the op table allows between its reference and a kernel's value.
// It must not know rows, graphs or kernels.
#pragma once

#include "graph/dtype.h"
#include "graph/evaluate.h"

namespace fuseboard {

/// One unit in the last place of f32 or f64 at a value; the least subnormal at and near zero.
long double unit_in_last_place(long double value, bool is_f64);

struct RowBound {
  bool is_f64 = false;          ///< what the row computes in: f64, or f32
  double ulps = 0;              ///< in its units in the last place
  long double slack = 0;        ///< an absolute distance beside that
  DType standing = DType::f32;  ///< how the op's value stands in a kernel
  DType result = DType::f32;    ///< the op's own dtype

  /// Of a float: fills in `ulps`, `bound` (with the slack, in units at `exact`) and `holds`. Past the range
  /// counts as its end; a value that stands narrower than it was computed is rounded once more.
  void measure(long double exact, const Element& got, Held& held) const;

  /// Whether an integer or bool is the conversion of some value within the bound: conversions keep the order.
  bool is_between(long double exact, const Element& got) const;

 private:
  long double allowed(long double exact) const;  ///< the whole distance
};

}  // namespace fuseboard
