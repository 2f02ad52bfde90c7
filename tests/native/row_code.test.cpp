// Kernels that reduce, emitted over row shapes of every kind, executed and held against the graph.
// It must not know how a shape is chosen.
#include "emit/row_code.h"

#include <map>

#include "catch.h"
#include "graph_builder.h"
#include "ptxas.h"
#include "verify/kernel_check.h"
#include "verify/tensor_values.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

struct RowKernel {
  GraphBuilder b;
  Kernel kernel;
  std::vector<uint32_t> inputs;
  uint32_t fold = 0;

  uint32_t input(const std::string& name, Shape shape, DType dtype = DType::f32) {
    inputs.push_back(b.add(name, OpKind::input, {}, std::move(shape), dtype));
    return inputs.back();
  }
  uint32_t member(const std::string& name, OpKind kind, std::vector<uint32_t> from, Shape shape,
                  DType dtype = DType::f32, std::vector<Attribute> attributes = {}) {
    kernel.order.push_back(
        b.add(name, kind, std::move(from), std::move(shape), dtype, std::move(attributes)));
    return kernel.order.back();
  }
  uint32_t reduce(const std::string& name, const std::string& reducer, std::vector<uint32_t> from,
                  std::vector<int64_t> axes, Shape kept, DType dtype = DType::f32) {
    fold = member(name, OpKind::reduce, std::move(from), std::move(kept), dtype,
                  {{"reducer", reducer}, {"axes", std::move(axes)}});
    return fold;
  }
  uint32_t stretched(uint32_t of, const Shape& to, std::vector<int64_t> axes, DType dtype = DType::f32) {
    return member("", OpKind::broadcast, {of}, to, dtype, {{"axes", std::move(axes)}});
  }

  /// As lowering would, over a shape that is given.
  void finish(RowShape shape, std::vector<uint32_t> stores) {
    shape.domain = *row_domain_of(b.graph, fold);
    shape.stores = std::move(stores);
    const uint64_t at_once = shape.along_rows ? shape.threads : uint64_t{shape.threads} * shape.slots;
    shape.passes = (shape.domain.columns() + at_once - 1) / at_once;
    kernel.kind = LaunchKind::kernel;
    kernel.entry = "k";
    kernel.name = "k";
    kernel.emittable = true;
    for (const uint32_t id : inputs) add_parameter(ParameterRole::input, id);
    for (const uint32_t id : shape.stores) add_parameter(ParameterRole::output, id);
    kernel.config.grid[0] =
        static_cast<uint32_t>((shape.domain.rows() + shape.rows_in_block - 1) / shape.rows_in_block);
    kernel.config.block[0] =
        shape.threads * (shape.along_rows ? shape.rows_in_block / shape.slots : shape.rows_in_block);
    for (const uint32_t id : shape.stores) b.graph.add_output(id);
    kernel.rows = std::move(shape);
  }
  void add_parameter(ParameterRole role, uint32_t id) {
    const FusionOp& op = b.graph.op(id);
    kernel.parameters.push_back({role, "p" + std::to_string(kernel.parameters.size()), id, "", op.dtype,
                                 *element_count(op.output_shape)});
  }

  EmittedKernel emitted(Math math = Math::fast, const std::string& target = "sm_90") const {
    EmitOptions options;
    options.target = *target_from_name(target);
    options.math = math;
    return emit(b.graph, kernel, options);
  }

  /// "" where every value, fold, load and store holds.
  std::string fault(Math math = Math::fast) const {
    const EmittedKernel made = emitted(math);
    if (made.text.empty()) return "nothing is emitted";
    const TensorValues values(b.graph, 7);
    KernelCheckSetup setup{b.graph, kernel, made, values};
    setup.fast = math == Math::fast;
    KernelCheck check(setup);
    uint64_t steps = ~uint64_t{0} >> 1;
    check.advance(steps);
    if (check.fault()) return "fault: " + check.fault()->message + "\n" + made.text;
    if (check.mismatch()) return check.mismatch()->message + "\n" + made.text;
    if (check.elements_held() == 0) return "nothing was held";
    return "";
  }
};

RowShape shape_of(RowWalk walk, uint32_t slots, uint32_t threads, uint32_t rows_in_block,
                  bool along_rows = false) {
  RowShape shape;
  shape.walk = walk;
  shape.along_rows = along_rows;
  shape.slots = slots;
  shape.threads = threads;
  shape.rows_in_block = rows_in_block;
  return shape;
}

RowKernel softmax(RowShape shape, Shape full, int64_t axis, DType dtype = DType::f32) {
  RowKernel k;
  Shape kept;
  std::vector<int64_t> axes;
  for (size_t i = 0; i < full.size(); ++i) {
    if (static_cast<int64_t>(i) == axis) continue;
    kept.push_back(full[i]);
    axes.push_back(static_cast<int64_t>(i));
  }
  const uint32_t x = k.input("x", full, dtype);
  const uint32_t m = k.reduce("m", "max", {x}, {axis}, kept, dtype);
  const uint32_t d = k.member("d", OpKind::sub, {x, k.stretched(m, full, axes, dtype)}, full, dtype);
  const uint32_t e = k.member("e", OpKind::exp, {d}, full, dtype);
  const uint32_t s = k.reduce("s", "sum", {e}, {axis}, kept, dtype);
  const uint32_t y = k.member("y", OpKind::div, {e, k.stretched(s, full, axes, dtype)}, full, dtype);
  k.finish(std::move(shape), {y});
  return k;
}

/// Shapes for a domain whose innermost part is reduced, of `columns`.
std::vector<RowShape> shapes_along_columns(uint64_t columns) {
  std::vector<RowShape> out;
  for (const RowWalk walk : {RowWalk::held, RowWalk::looped}) {
    for (const uint32_t slots : {1U, 2U, 4U}) {
      if (columns % slots != 0) continue;
      for (const auto& [threads, rows] : {std::pair{1U, 32U},
                                          {4U, 8U},
                                          {8U, 16U},
                                          {32U, 1U},
                                          {32U, 4U},
                                          {64U, 1U},
                                          {64U, 2U},
                                          {256U, 1U}}) {
        const uint64_t passes = (columns + uint64_t{threads} * slots - 1) / (uint64_t{threads} * slots);
        if (walk == RowWalk::held && passes * slots > 64) continue;
        out.push_back(shape_of(walk, slots, threads, rows));
      }
    }
  }
  return out;
}

std::string text(const RowShape& shape) {
  return std::string(shape.walk == RowWalk::held ? "held" : "looped") + (shape.along_rows ? " along" : "") +
         " slots " + std::to_string(shape.slots) + " threads " + std::to_string(shape.threads) + " rows " +
         std::to_string(shape.rows_in_block);
}

}  // namespace

TEST_CASE("softmax over the last axis holds, whatever share of a row a thread has") {
  for (const Shape& full : {Shape{5, 64}, Shape{9, 100}, Shape{3, 300}, Shape{1, 33}}) {
    for (const RowShape& shape : shapes_along_columns(full[1])) {
      INFO(text(shape) << " over " << shape_text(full));
      CHECK(softmax(shape, full, 1).fault() == "");
    }
  }
}

TEST_CASE("softmax over the first axis holds, whatever rows a thread has") {
  for (const Shape& full : {Shape{64, 8}, Shape{37, 40}, Shape{5, 96}, Shape{130, 3}}) {
    for (const RowWalk walk : {RowWalk::held, RowWalk::looped}) {
      for (const uint32_t slots : {1U, 2U, 4U}) {
        if (full[1] % slots != 0) continue;
        for (const auto& [threads, groups] : {std::pair{1U, 32U},
                                              {32U, 1U},
                                              {16U, 2U},
                                              {8U, 8U},
                                              {4U, 32U},
                                              {64U, 2U},
                                              {128U, 8U},
                                              {2U, 64U}}) {
          if (walk == RowWalk::held && (full[0] + threads - 1) / threads * slots > 64) continue;
          const RowShape shape = shape_of(walk, slots, threads, groups * slots, true);
          INFO(text(shape) << " over " << shape_text(full));
          CHECK(softmax(shape, full, 0).fault() == "");
        }
      }
    }
  }
}

namespace {

/// LayerNorm over the last axis with gamma and beta; mean and rstd are kept as well.
RowKernel layer_norm(RowShape shape, Shape full, DType dtype = DType::f32) {
  RowKernel k;
  const Shape kept{full[0]};
  const uint32_t x = k.input("x", full, dtype);
  const uint32_t gamma = k.input("gamma", {full[1]}, dtype);
  const uint32_t beta = k.input("beta", {full[1]}, dtype);
  const DType wide = dtype_bytes(dtype) < 4 ? DType::f32 : dtype;
  const uint32_t w = wide == dtype ? x : k.member("w", OpKind::cast, {x}, full, wide);
  const uint32_t mean = k.reduce("mean", "mean", {w}, {1}, kept, wide);
  const uint32_t d = k.member("d", OpKind::sub, {w, k.stretched(mean, full, {0}, wide)}, full, wide);
  const uint32_t q = k.member("q", OpKind::mul, {d, d}, full, wide);
  const uint32_t v = k.reduce("v", "mean", {q}, {1}, kept, wide);
  const uint32_t r = k.member("r", OpKind::rsqrt, {v}, kept, wide);
  const uint32_t n = k.member("n", OpKind::mul, {d, k.stretched(r, full, {0}, wide)}, full, wide);
  const uint32_t c = wide == dtype ? n : k.member("c", OpKind::cast, {n}, full, dtype);
  const uint32_t g = k.member("g", OpKind::mul, {c, k.stretched(gamma, full, {1}, dtype)}, full, dtype);
  const uint32_t y = k.member("y", OpKind::add, {g, k.stretched(beta, full, {1}, dtype)}, full, dtype);
  k.finish(std::move(shape), {mean, r, y});
  return k;
}

RowKernel one_fold(RowShape shape, const Shape& full, std::vector<int64_t> axes, Shape kept,
                   const std::string& reducer, DType dtype, DType result) {
  RowKernel k;
  const uint32_t x = k.input("x", full, dtype);
  const uint32_t r = k.reduce("r", reducer, {x}, std::move(axes), std::move(kept), result);
  k.finish(std::move(shape), {r});
  return k;
}

DType result_of(const std::string& reducer, DType dtype) {
  if (reducer.starts_with("arg")) return DType::i64;
  if (reducer == "any" || reducer == "all") return DType::boolean;
  const bool sums_truths = dtype == DType::boolean && reducer != "max" && reducer != "min";
  return sums_truths ? (reducer == "mean" ? DType::f32 : DType::i64) : dtype;
}

}  // namespace

TEST_CASE("LayerNorm that keeps mean and rstd holds in every dtype and mode") {
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16, DType::f64}) {
    for (const Shape& full : {Shape{5, 64}, Shape{3, 200}}) {
      for (const RowShape& shape : shapes_along_columns(full[1])) {
        for (const Math math : {Math::fast, Math::precise}) {
          INFO(text(shape) << " over " << shape_text(full) << " of " << dtype_text(dtype));
          CHECK(layer_norm(shape, full, dtype).fault(math) == "");
        }
      }
    }
  }
}

TEST_CASE("every reducer holds in every dtype, within a warp, across warps and along rows") {
  for (const char* reducer : {"sum", "mean", "prod", "max", "min", "any", "all", "argmax", "argmin"}) {
    for (const DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16, DType::i8, DType::u8,
                              DType::i16, DType::i32, DType::u32, DType::i64, DType::u64, DType::boolean}) {
      for (const RowWalk walk : {RowWalk::held, RowWalk::looped}) {
        const DType result = result_of(reducer, dtype);
        INFO(reducer << " of " << dtype_text(dtype) << (walk == RowWalk::held ? " held" : " looped"));
        for (const uint32_t threads : {8U, 128U}) {
          CHECK(
              one_fold(shape_of(walk, 2, threads, 128 / threads), {3, 310}, {1}, {3}, reducer, dtype, result)
                  .fault() == "");
          CHECK(one_fold(shape_of(walk, 2, threads, 256 / threads, true), {75, 6}, {0}, {6}, reducer, dtype,
                         result)
                    .fault() == "");
        }
      }
    }
  }
}

TEST_CASE("batch norm's axes and a full reduction hold") {
  for (const RowWalk walk : {RowWalk::held, RowWalk::looped}) {
    CHECK(one_fold(shape_of(walk, 4, 32, 2), {2, 3, 4, 8}, {0, 2, 3}, {3}, "sum", DType::f32, DType::f32)
              .fault() == "");
    CHECK(one_fold(shape_of(walk, 1, 64, 1), {2, 3, 4, 7}, {0, 2, 3}, {3}, "argmax", DType::f32, DType::i64)
              .fault() == "");
    CHECK(
        one_fold(shape_of(walk, 2, 16, 4, true), {2, 3, 4, 6}, {0, 2}, {3, 6}, "mean", DType::f32, DType::f32)
            .fault() == "");
    CHECK(one_fold(shape_of(walk, 4, 256, 1), {3, 5, 32}, {0, 1, 2}, {}, "sum", DType::f32, DType::f32)
              .fault() == "");
  }
}

TEST_CASE("a softmax's row is multiplied by one reciprocal in math fast, and divided in math precise") {
  const RowKernel k = softmax(shape_of(RowWalk::held, 4, 32, 1), {8, 256}, 1);
  const auto count = [](const std::string& text, const char* opcode) {
    size_t found = 0;
    for (size_t at = text.find(opcode); at != std::string::npos; at = text.find(opcode, at + 1)) ++found;
    return found;
  };
  const std::string fast = k.emitted(Math::fast).text;
  CHECK(count(fast, "rcp.approx.ftz.f32") == 1);
  CHECK(count(fast, "div.") == 0);
  CHECK(count(k.emitted(Math::precise).text, "div.rn.f32") == 8);
}

TEST_CASE("a thread that holds many words of a row has 64 registers, so that 1024 fit a multiprocessor") {
  const auto is_bounded = [](uint32_t threads) {
    const RowKernel k = softmax(shape_of(RowWalk::held, 4, threads, 1), {8, 4096}, 1);
    return k.emitted().text.find(".maxnreg 64") != std::string::npos;
  };
  CHECK(is_bounded(128));
  CHECK_FALSE(is_bounded(256));  // 16 words
  CHECK_FALSE(is_bounded(64));   // 64 words: more than that leaves room for
}

TEST_CASE("kernels of rows assemble for every target") {
  PtxasBatch batch;
  for (const Target& target : targets()) {
    for (const RowShape& shape : shapes_along_columns(100)) {
      const RowKernel k = layer_norm(shape, {9, 100}, DType::f16);
      batch.add(target, k.emitted(Math::fast, std::string(target.name)).text, "k");
    }
    for (const char* reducer : {"sum", "mean", "prod", "max", "min", "any", "all", "argmax", "argmin"}) {
      for (const DType dtype : {DType::f32, DType::f64, DType::bf16, DType::i8, DType::u64, DType::boolean}) {
        const RowKernel k = one_fold(shape_of(RowWalk::looped, 2, 64, 4, true), {75, 6}, {0}, {6}, reducer,
                                     dtype, result_of(reducer, dtype));
        batch.add(target, k.emitted(Math::fast, std::string(target.name)).text, "k");
      }
    }
  }
  CHECK(batch.kernels() > 500);
  CHECK(batch.assemble(true) == "");
}
