// Every Point row of the op table: the PTX that is emitted for it gives its reference's value.
// It must not know how templates are read.
#include <cmath>
#include <limits>

#include "catch.h"
#include "kernel_runner.h"
#include "plan/fusion_planner.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kSamples[] = {
    0.0F,   -0.0F,  1.0F,  -1.0F,  2.0F,   -2.0F,       0.5F,    -0.5F,   3.0F,       -3.0F,
    0.3F,   -0.3F,  0.41F, 0.43F,  -0.31F, 0.1F,        -0.1F,   1e-3F,   -1e-3F,     1e-8F,
    -1e-8F, 2.5F,   -2.5F, 1.5F,   -1.5F,  0.49999997F, 0.9F,    0.95F,   7.25F,      -7.25F,
    10.0F,  -10.0F, 30.0F, -30.0F, 87.0F,  -87.0F,      100.0F,  -100.0F, 8388609.0F, -8388609.0F,
    1e10F,  -1e10F, 3e38F, -3e38F, 1e-30F, 1e-40F,      -1e-40F, kInf,    -kInf,      std::nanf("")};

/// The samples, and for ops of one operand a sweep over all magnitudes.
std::vector<float> samples(uint32_t arity) {
  std::vector<float> out(std::begin(kSamples), std::end(kSamples));
  uint32_t state = 12345;
  for (int i = 0; arity == 1 && i < 3000; ++i) {
    state = state * 1664525U + 1013904223U;
    const float unit = static_cast<float>(state >> 8) / 8388608.0F - 1;  // in [-1, 1)
    state = state * 1664525U + 1013904223U;
    const int exponent = i % 3 == 0 ? static_cast<int>(state >> 24) - 128 : static_cast<int>(state >> 28) - 8;
    out.push_back(std::ldexp(unit, exponent));
  }
  return out;
}

/// How far a row of math: fast may be from its reference: relative and absolute.
struct Bound {
  double relative = 4e-6;
  double absolute = 2e-38;
};

Bound bound_of(OpKind kind, Math math) {
  if (math == Math::precise) {  // these round twice where the reference rounds once, or the other way
    if (kind == OpKind::axpy) return {2e-6, 1.5e-45};
    const bool rounds_twice = kind == OpKind::rsqrt || kind == OpKind::fma;
    return rounds_twice ? Bound{2e-7, 1.5e-45} : Bound{0, 0};
  }
  switch (kind) {
    case OpKind::exp:
    case OpKind::sigmoid:
    case OpKind::silu:
    case OpKind::elu:
    case OpKind::expm1:
    case OpKind::softplus:
      return {2e-5, 1e-36};
    case OpKind::pow:
      return {2e-5, 1e-36};
    case OpKind::tan:
      return {2e-4, 1e-6};
    case OpKind::sin:
    case OpKind::cos:
      return {1e-5, 1e-6};
    case OpKind::gelu:
    case OpKind::gelu_tanh:
      return {3e-6, 1e-6};
    default:
      return {};
  }
}

bool is_close(float got, double want, const Bound& bound) {
  const float rounded = static_cast<float>(want);
  if (rounded != rounded) return got != got;
  if (std::isinf(rounded) || std::isinf(got) || bound.relative == 0) return got == rounded;
  return std::fabs(static_cast<double>(got) - want) <= bound.relative * std::fabs(want) + bound.absolute;
}

/// sin and cos lose their argument's meaning past here in fast math; rem its quotient's.
bool is_in_range(OpKind kind, float a, float b) {
  if (kind == OpKind::sin || kind == OpKind::cos || kind == OpKind::tan)
    return std::isinf(a) || !(std::fabs(a) > 200);
  if (kind == OpKind::axpy) return !(std::fabs(a) > 1e38F);  // alpha * a overflows before b is added
  if (kind == OpKind::rem) return !(std::fabs(a / b) > 4e6F) || std::isinf(a) || b == 0;
  return true;
}

struct RowCase {
  FusionGraph graph;
  Kernel kernel;
  uint32_t op = 0;
};

/// x, y, z -> the op, alone, of one element for every combination of samples.
RowCase row_case(OpKind kind, DType operands, Math math, uint64_t elements) {
  RowCase out;
  FusionOp op;
  op.kind = kind;
  op.dtype = op_info(kind).dtype_rule == DTypeRule::Bool ? DType::boolean : operands;
  op.dtype_bytes = dtype_bytes(op.dtype);
  op.output_shape = {elements};
  if (kind == OpKind::elu || kind == OpKind::scale) op.attributes.push_back({"alpha", 1.25});
  if (kind == OpKind::leaky_relu) op.attributes.push_back({"negative_slope", 0.125});
  if (kind == OpKind::reduce_precision) {
    op.attributes.push_back({"exponent_bits", int64_t{5}});
    op.attributes.push_back({"mantissa_bits", int64_t{10}});
  }
  for (uint32_t i = 0; i < op_info(kind).least_arity; ++i) {
    FusionOp input;
    input.kind = OpKind::input;
    input.dtype = kind == OpKind::select && i == 0 ? DType::boolean : operands;
    input.dtype_bytes = dtype_bytes(input.dtype);
    input.output_shape = {elements};
    op.inputs.push_back(out.graph.add_op(input));
  }
  out.op = out.graph.add_op(op);
  const FusionPlan plan = FusionPlanner::plan_unfused(out.graph);
  out.kernel = lower(out.graph, plan, {math})[plan.group_of[out.op]];
  return out;
}

void check_row(OpKind kind, DType operands, Math math, const char* target) {
  const uint32_t arity = op_info(kind).least_arity;
  const std::vector<float> picks = samples(arity);
  const uint64_t side = operands == DType::boolean ? 2 : picks.size();
  uint64_t elements = 1;
  for (uint32_t i = 0; i < std::min(arity, 2U); ++i) elements *= side;
  if (arity > 2) elements *= 5;
  RowCase row = row_case(kind, operands, math, elements);
  INFO(op_text(kind) << " " << dtype_text(operands) << " " << target);
  REQUIRE(row.kernel.emittable);
  std::vector<std::vector<float>> values(row.graph.size());
  for (uint32_t i = 0; i < arity; ++i) {
    for (uint64_t at = 0; at < elements; ++at) {
      const uint64_t pick = i == 0 ? at % side : i == 1 ? at / side % side : at / (side * side) * 7 % side;
      float value = operands == DType::boolean ? static_cast<float>(pick) : picks[pick];
      if (kind == OpKind::select && i == 0) value = static_cast<float>(pick % 2);
      values[i].push_back(value);
    }
  }
  const EmittedKernel emitted = emit(row.graph, row.kernel, {*target_from_name(target), math, {}, "pasted"});
  KernelRun run;
  run_kernel(row.kernel, emitted.text, values, 1.25F, run);
  REQUIRE(run.error.empty());
  const Bound bound = bound_of(kind, math);
  size_t wrong = 0;
  for (uint64_t at = 0; at < elements; ++at) {
    ReferenceArguments x;
    x.alpha = 1.25;
    x.negative_slope = 0.125;
    x.exponent_bits = 5;
    x.mantissa_bits = 10;
    if (arity > 0) x.a = values[0][at];
    if (arity > 1) x.b = values[1][at];
    if (arity > 2) x.c = values[2][at];
    x.index = static_cast<double>(at);
    const bool any = math == Math::precise && kind != OpKind::axpy;
    if (!any && !is_in_range(kind, static_cast<float>(x.a), static_cast<float>(x.b))) continue;
    double want = reference_of(kind, x);
    if (row.graph.op(row.op).dtype == DType::boolean) want = want != 0 ? 1 : 0;
    const float got = run.stored[row.op][at];
    if (is_close(got, want, bound) || ++wrong > 3) continue;
    UNSCOPED_INFO("a " << x.a << " b " << x.b << " c " << x.c << " got " << got << " want " << want);
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("every Point row's PTX gives its reference's value") {
  for (uint32_t k = 0; k < op_kind_count(); ++k) {
    const OpKind kind = static_cast<OpKind>(k);
    const OpInfo& info = op_info(kind);
    if (info.op_class != OpClass::Point || is_for_integers(kind)) continue;
    for (const Math math : {Math::fast, Math::precise}) {
      const std::string_view column = math == Math::fast ? info.ptx_fast : info.ptx_precise;
      if (math == Math::fast) CHECK_FALSE(column.empty());
      if (column.empty()) continue;
      for (const char* target : {"sm_75", "sm_90"}) {
        if (!is_logic(kind)) check_row(kind, DType::f32, math, target);
        if (info.dtype_rule != DTypeRule::Float && kind != OpKind::reduce_precision && kind != OpKind::iota) {
          check_row(kind, DType::boolean, math, target);
        }
      }
    }
  }
}

TEST_CASE("precise PTX is missing for transcendentals alone") {
  std::string missing;
  for (uint32_t k = 0; k < op_kind_count(); ++k) {
    const OpInfo& info = op_info(static_cast<OpKind>(k));
    if (info.op_class == OpClass::Point && !info.ptx_fast.empty() && info.ptx_precise.empty()) {
      missing += std::string(info.text) + " ";
    }
  }
  CHECK(missing ==
        "sigmoid tanh exp exp2 log log1p expm1 cbrt pow sin cos tan atan2 erf gelu gelu_tanh silu softplus "
        "elu ");
}
