// Instructions that turn a register's value into another arithmetic or another dtype, as a cast does.
// It must not know ops, templates or loops.
#pragma once

#include <string>

#include "emit/ptx_writer.h"
#include "emit/target.h"
#include "graph/evaluate.h"
#include "launch/lowering.h"

namespace fuseboard {

/// The class of register that values of an arithmetic stand in.
RegisterClass register_class_of(Arithmetic arithmetic);

/// "0f3F800000", "0d3FF0000000000000", "-7": a known value as an operand. pred, which has no literals: "1",
/// "0".
std::string literal(Arithmetic arithmetic, const Element& element);

class ConversionCode {
 public:
  ConversionCode(PtxWriter& writer, const Target& target) : writer_(writer), target_(target) {}

  /// The register (possibly the same) that holds `reg`'s value in another arithmetic: rounded to nearest
  /// even, cut and saturated, wrapped, or "not zero".
  std::string to_arithmetic(Arithmetic from, const std::string& reg, Arithmetic to);

  /// As a value of a dtype, standing in its arithmetic: rounded through f16 and bf16, wrapped or saturated to
  /// narrow integers.
  std::string to_dtype(Arithmetic from, const std::string& reg, DType to);

  /// Wraps an integer register in place to a dtype narrower than its arithmetic.
  void wrap(DType dtype, const std::string& reg);

  /// The bits of a value of dtype `from` as a value of `to`, of the same size.
  std::string bitcast(DType from, const std::string& reg, DType to);

  /// An s32 or s64 register that orders as IEEE's total order does the floats f32 or f64.
  std::string total_order_key(Arithmetic from, const std::string& reg);

 private:
  std::string to_integer(Arithmetic from, const std::string& reg, DType to);
  std::string through_f16(Arithmetic from, const std::string& reg);
  std::string through_bf16(Arithmetic from, const std::string& reg);
  std::string rounded_to_odd(Arithmetic from, const std::string& reg);
  std::string made(RegisterClass register_class, std::string_view opcode, std::string_view a);
  std::string made(RegisterClass register_class, std::string_view opcode, std::string_view a,
                   std::string_view b);

  PtxWriter& writer_;
  const Target& target_;
};

}  // namespace fuseboard
