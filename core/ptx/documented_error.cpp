// One row an approximate instruction (PTX ISA, Floating Point Instructions and Half Precision Floating Point
// Instructions). It must not know how they are computed.
#include "ptx/documented_error.h"

namespace fuseboard::ptx {
namespace {

constexpr double kTwoToMinus20_5 = 6.743495761743e-07;
constexpr double kTwoToMinus22_9 = 1.277653530283e-07;
constexpr double kTwoToMinus9_9 = 1.046653772008e-03;
constexpr double kTwoToMinus10_987 = 4.927009930882e-04;

constexpr DocumentedError kErrors[] = {
    {Opcode::ex2, Type::f32, Modifier::approx, ErrorMeasure::relative, 0x1p-22, ""},
    {Opcode::ex2, Type::f16, Modifier::approx, ErrorMeasure::relative, kTwoToMinus9_9, ""},
    {Opcode::ex2, Type::f16x2, Modifier::approx, ErrorMeasure::relative, kTwoToMinus9_9, ""},
    {Opcode::ex2, Type::bf16, Modifier::approx, ErrorMeasure::relative, 0x1p-7, ""},
    {Opcode::ex2, Type::bf16x2, Modifier::approx, ErrorMeasure::relative, 0x1p-7, ""},
    {Opcode::lg2, Type::f32, Modifier::approx, ErrorMeasure::relative, 0x1p-22,
     "outside (1/2, 2); inside, 2^-22 absolute"},
    {Opcode::sin, Type::f32, Modifier::approx, ErrorMeasure::absolute, kTwoToMinus20_5, "[-pi, pi]"},
    {Opcode::cos, Type::f32, Modifier::approx, ErrorMeasure::absolute, kTwoToMinus20_5, "[-pi, pi]"},
    {Opcode::rcp, Type::f32, Modifier::approx, ErrorMeasure::ulps, 1, ""},
    {Opcode::sqrt, Type::f32, Modifier::approx, ErrorMeasure::relative, 0x1p-23, ""},
    {Opcode::rsqrt, Type::f32, Modifier::approx, ErrorMeasure::relative, kTwoToMinus22_9, ""},
    {Opcode::tanh, Type::f32, Modifier::approx, ErrorMeasure::relative, 0x1p-11, ""},
    {Opcode::tanh, Type::f16, Modifier::approx, ErrorMeasure::absolute, kTwoToMinus10_987, ""},
    {Opcode::tanh, Type::f16x2, Modifier::approx, ErrorMeasure::absolute, kTwoToMinus10_987, ""},
    {Opcode::tanh, Type::bf16, Modifier::approx, ErrorMeasure::absolute, 0x1p-8, ""},
    {Opcode::tanh, Type::bf16x2, Modifier::approx, ErrorMeasure::absolute, 0x1p-8, ""},
    {Opcode::div, Type::f32, Modifier::approx, ErrorMeasure::ulps, 2, "divisors in [2^-126, 2^126]"},
    {Opcode::div, Type::f32, Modifier::full, ErrorMeasure::ulps, 2, ""},
};

}  // namespace

std::optional<DocumentedError> documented_error(Opcode opcode, Type type, const Modifiers& modifiers) {
  for (const DocumentedError& each : kErrors)
    if (each.opcode == opcode && each.type == type && modifiers.has(each.form)) return each;
  return std::nullopt;
}

}  // namespace fuseboard::ptx
