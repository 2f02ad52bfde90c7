// Every Point row of the op table, in every dtype and mode: what its PTX gives in the interpreter holds
// against the row's reference within the row's bound. It must not know how templates are read.
#include <algorithm>
#include <cmath>
#include <limits>

#include "catch.h"
#include "kernel_runner.h"
#include "launch/lower.h"
#include "plan/fusion_planner.h"
#include "row_samples.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

constexpr double kScalar = 1.25;

struct RowCase {
  FusionGraph graph;
  uint32_t op = 0;
};

/// x, y, z -> the op, alone.
RowCase row_case(OpKind kind, DType operands, DType result, uint64_t elements) {
  RowCase out;
  FusionOp op;
  op.kind = kind;
  op.dtype = result;
  op.dtype_bytes = dtype_bytes(result);
  op.output_shape = {elements};
  if (kind == OpKind::leaky_relu) op.attributes.push_back({"negative_slope", 0.125});
  if (kind == OpKind::reduce_precision) {
    op.attributes.push_back({"exponent_bits", int64_t{5}});
    op.attributes.push_back({"mantissa_bits", int64_t{7}});
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
  return out;
}

struct Worst {
  double share = 0;  ///< of the bound
  double ulps = 0;
};

/// Runs one row and holds every element. "" or the first element that does not hold.
std::string held(const RowCase& row, Math math, const char* target, Worst* worst) {
  const FusionOp& op = row.graph.op(row.op);
  const uint64_t elements = op.output_shape[0];
  const FusionPlan plan = FusionPlanner::plan_unfused(row.graph);
  const Kernel kernel = lower(row.graph, plan, {math})[plan.group_of[row.op]];
  if (!kernel.emittable) return kernel.diagnostics.empty() ? "not emittable" : kernel.diagnostics[0].message;
  std::vector<Tensor> tensors(row.graph.size());
  for (uint32_t i = 0; i < op.inputs.size(); ++i) {
    const DType dtype = row.graph.op(op.inputs[i]).dtype;
    tensors[op.inputs[i]] = {true, sampled(dtype, i, static_cast<uint32_t>(op.inputs.size()), elements)};
  }
  const KernelRun run = run_kernel(
      kernel, emit(row.graph, kernel, {*target_from_name(target), math, {}, "rows"}).text, tensors, kScalar);
  if (!run.error.empty()) return run.error;
  const PointReference reference(row.graph, row.op, kScalar);
  std::vector<Element> operands(op.inputs.size());
  const std::vector<uint8_t>& stored = run.stored.at(row.op);
  for (uint64_t at = 0; at < elements; ++at) {
    std::string asked;
    for (size_t i = 0; i < operands.size(); ++i) {
      const DType dtype = row.graph.op(op.inputs[i]).dtype;
      operands[i] = element_from_bytes(dtype, tensors[op.inputs[i]].bytes.data() + at * dtype_bytes(dtype));
    }
    const Element got = element_from_bytes(op.dtype, stored.data() + at * op.dtype_bytes);
    const Held result = reference.hold(operands, at, math == Math::fast, got);
    if (worst != nullptr && result.holds && result.bound != 0) {
      worst->ulps = std::max(worst->ulps, std::min(result.ulps, result.bound));
    }
    if (result.holds) continue;
    // What was stored was rounded once more to f16 or bf16.
    const Element narrow = converted(
        op.dtype == DType::f16 || op.dtype == DType::bf16 ? DType::f32 : op.dtype, op.dtype, result.expected);
    const bool is_narrow = op.dtype == DType::f16 || op.dtype == DType::bf16;
    const double unit = op.dtype == DType::f16 ? 0x1p-10 : 0x1p-7;
    if (is_narrow && (narrow.real == got.real || (narrow.real != narrow.real && got.real != got.real) ||
                      std::fabs(narrow.real - got.real) <= unit * std::fabs(narrow.real) + 0x1p-24)) {
      continue;
    }
    for (size_t i = 0; i < operands.size(); ++i) {
      asked += (i == 0 ? "" : ", ") + element_text(row.graph.op(op.inputs[i]).dtype, operands[i]);
    }
    return std::string(op_text(op.kind)) + "(" + asked + ") gave " + element_text(op.dtype, got) +
           ", expected " + element_text(op.dtype, result.expected) + ": " + std::to_string(result.ulps) +
           " ulp of " + std::to_string(result.bound);
  }
  return "";
}

/// The dtype of the result, as the row's rule has it.
DType result_of(OpKind kind, DType operands) {
  switch (op_info(kind).dtype_rule) {
    case DTypeRule::Bool:
      return DType::boolean;
    case DTypeRule::Float:
      return dtype_class(operands) == DTypeClass::Float ? operands : DType::f32;
    case DTypeRule::Given:
    case DTypeRule::First:
    case DTypeRule::Promote:
    case DTypeRule::Select:
    case DTypeRule::Clamp:
      break;
  }
  return operands;
}

bool has_lowering(OpKind kind, DType operands) {
  const RowCase row = row_case(kind, operands, result_of(kind, operands), 1);
  return !lowering_of(row.graph, row.graph.op(row.op), Math::fast).statements.empty();
}

constexpr DType kAll[] = {
#define DTYPE(identifier, ...) DType::identifier,
#include "graph/dtypes.def"
};

}  // namespace

TEST_CASE("every Point row's PTX holds against its reference, in every dtype and mode") {
  size_t rows = 0;
  for (uint32_t k = 0; k < op_kind_count(); ++k) {
    const OpKind kind = static_cast<OpKind>(k);
    if (op_info(kind).op_class != OpClass::Point) continue;
    for (const DType dtype : kAll) {
      if (!has_lowering(kind, dtype)) continue;
      const uint64_t elements = samples_of(dtype, op_info(kind).least_arity);
      for (const Math math : {Math::fast, Math::precise}) {
        for (const char* target : {"sm_75", "sm_90"}) {
          ++rows;
          INFO(op_text(kind) << " " << dtype_text(dtype) << " " << (math == Math::fast ? "fast " : "precise ")
                             << target);
          CHECK(held(row_case(kind, dtype, result_of(kind, dtype), elements), math, target, nullptr) == "");
        }
      }
    }
  }
  CHECK(rows > 1500);
}

TEST_CASE("casts and bit casts of every dtype into every other hold") {
  for (const OpKind kind : {OpKind::cast, OpKind::bitcast_convert}) {
    for (const DType from : kAll) {
      for (const DType to : kAll) {
        if (kind == OpKind::bitcast_convert && dtype_bytes(from) != dtype_bytes(to)) continue;
        for (const char* target : {"sm_75", "sm_90"}) {
          INFO(op_text(kind) << " " << dtype_text(from) << " to " << dtype_text(to) << " " << target);
          CHECK(held(row_case(kind, from, to, samples_of(from, 1)), Math::precise, target, nullptr) == "");
        }
      }
    }
  }
}

TEST_CASE("comparisons by total order hold") {
  for (const OpKind kind : {OpKind::eq, OpKind::ne, OpKind::lt, OpKind::le, OpKind::gt, OpKind::ge}) {
    for (const DType dtype : {DType::f32, DType::f64, DType::f16}) {
      RowCase row = row_case(kind, dtype, DType::boolean, samples_of(dtype, 2));
      row.graph.op(row.op).attributes.push_back({"total_order", true});
      INFO(op_text(kind) << " " << dtype_text(dtype));
      CHECK(held(row, Math::fast, "sm_90", nullptr) == "");
    }
  }
}

TEST_CASE(
    "our part of a transcendental's error is as small as its bound says, approximations rounded correctly") {
  struct Ours {
    OpKind kind;
    double f32, f64;  ///< the worst that millions of arguments showed, rounded up
  };
  constexpr Ours kOurs[] = {
      {OpKind::exp, 1.7, 1},      {OpKind::expm1, 1.6, 1.8}, {OpKind::log, 0.95, 0.85},
      {OpKind::log1p, 0.95, 1.4}, {OpKind::tanh, 1.8, 1.4},  {OpKind::sigmoid, 2.4, 2.2},
      {OpKind::sinh, 2.4, 1.6},   {OpKind::cosh, 2.4, 1.2},  {OpKind::asinh, 1.8, 1.7},
      {OpKind::acosh, 2, 2},      {OpKind::atanh, 1.9, 1.8}, {OpKind::sin, 1.6, 0.8},
      {OpKind::cos, 1.6, 0.8},    {OpKind::tan, 2.7, 1.2},   {OpKind::asin, 2.4, 2.3},
      {OpKind::acos, 1.3, 1.2},   {OpKind::atan, 2, 1.6},    {OpKind::erf, 1.25, 1.6},
      {OpKind::cbrt, 0.8, 0.6},   {OpKind::pow, 3.4, 1.4},   {OpKind::atan2, 1.9, 1.5},
      {OpKind::exp2, 0.51, 0.9}};
  for (const Ours& each : kOurs) {
    for (const DType dtype : {DType::f32, DType::f64}) {
      Worst worst;
      const uint64_t elements = samples_of(dtype, op_info(each.kind).least_arity) + 6000;
      INFO(op_text(each.kind) << " " << dtype_text(dtype));
      CHECK(held(row_case(each.kind, dtype, dtype, elements), Math::precise, "sm_90", &worst) == "");
      CHECK(worst.ulps <= (dtype == DType::f32 ? each.f32 : each.f64));
    }
  }
}

TEST_CASE("every dtype has every row that makes sense for it") {
  std::string missing;
  for (uint32_t k = 0; k < op_kind_count(); ++k) {
    const OpKind kind = static_cast<OpKind>(k);
    if (op_info(kind).op_class != OpClass::Point) continue;
    for (const DType dtype : kAll) {
      if (!has_lowering(kind, dtype))
        missing += std::string(op_text(kind)) + ":" + std::string(dtype_text(dtype)) + " ";
    }
  }
  std::string expected;  // bits of floats, shifts and counts of bool, precision of what is no float
  for (const char* bits : {"and", "or", "xor", "not"}) {
    for (const char* dtype : {"f64", "f32", "f16", "bf16"}) expected += std::string(bits) + ":" + dtype + " ";
  }
  for (const char* shift :
       {"shift_left", "shift_right_logical", "shift_right_arithmetic", "popcount", "clz"}) {
    for (const char* dtype : {"f64", "f32", "f16", "bf16", "bool"})
      expected += std::string(shift) + ":" + dtype + " ";
  }
  for (const char* dtype : {"i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"}) {
    expected += std::string("reduce_precision:") + dtype + " ";
  }
  CHECK(missing == expected);
}
