// Softmax and variance where careless kernels lose everything: huge values, rows without a finite one, a
// small spread around a large mean. It must not know how kernels are written.
#include <cmath>
#include <limits>

#include "catch.h"
#include "graph_builder.h"
#include "shared_rows.h"
#include "verified.h"
#include "verify/kernel_check.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;
using Ints = std::vector<int64_t>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Lanes of a warp, warps of a block, a loop.
const std::vector<SharedRows> kShared = {{RowWalk::held, 4, 8, 4},
                                         {RowWalk::held, 1, 64, 1},
                                         {RowWalk::looped, 2, 32, 2},
                                         {RowWalk::looped, 1, 64, 1}};

std::vector<Attribute> over_columns(const std::string& reducer) {
  return {{"reducer", reducer}, {"axes", Ints{1}}, {"keepdims", true}};
}

/// One kernel under the policy rows, with its results once it has run and held.
class RowRun {
 public:
  RowRun(GraphBuilder b, const SharedRows& shared, Math math)
      : planned_(std::move(b.graph), math, Policy::rows), values_(planned_.graph, 1) {
    REQUIRE(planned_.launched.size() == 1);
    REQUIRE(kernel().rows);
    share_rows(kernel(), shared);
  }

  const RowShape& rows() { return *kernel().rows; }

  void give(uint32_t op, const std::vector<double>& elements) {
    const DType dtype = planned_.graph.op(op).dtype;
    std::vector<uint8_t> bytes(elements.size() * dtype_bytes(dtype));
    for (size_t i = 0; i < elements.size(); ++i)
      element_to_bytes(dtype, {elements[i], 0}, &bytes[i * dtype_bytes(dtype)]);
    values_.hold(op, std::move(bytes));
  }

  /// Each result by op; every value, fold, load and store holds.
  std::vector<std::vector<double>> results() {
    const EmittedKernel emitted = emit(planned_.graph, kernel(), planned_.emit_options);
    KernelCheckSetup setup{planned_.graph, kernel(), emitted, values_};
    setup.fast = planned_.emit_options.math == Math::fast;
    KernelCheck check(setup);
    uint64_t steps = ~uint64_t{0} >> 1;
    check.advance(steps);
    CHECK((check.fault() ? check.fault()->message : "") == "");
    CHECK((check.mismatch() ? check.mismatch()->message : "") == "");
    std::vector<std::vector<double>> out(planned_.graph.size());
    for (size_t i = 0; i < kernel().parameters.size(); ++i) {
      const KernelParameter& each = kernel().parameters[i];
      if (each.role != ParameterRole::output) continue;
      const std::vector<uint8_t> bytes = check.bytes_of(i);
      for (uint64_t at = 0; at < each.elements; ++at)
        out[each.op].push_back(element_from_bytes(each.dtype, &bytes[at * dtype_bytes(each.dtype)]).real);
    }
    return out;
  }

 private:
  Kernel& kernel() { return planned_.kernels[planned_.launched[0]]; }

  PlannedGraph planned_;
  TensorValues values_;
};

struct Softmax {
  GraphBuilder b;
  uint32_t x = 0, y = 0;

  Softmax(uint64_t rows, uint64_t columns, DType dtype) {
    const Shape full{rows, columns};
    const Shape kept{rows, 1};
    x = b.add("x", OpKind::input, {}, full, dtype);
    const uint32_t m = b.add("m", OpKind::reduce, {x}, kept, dtype, over_columns("max"));
    const uint32_t d = b.add("d", OpKind::sub, {x, m}, full, dtype);
    const uint32_t e = b.add("e", OpKind::exp, {d}, full, dtype);
    const uint32_t s = b.add("s", OpKind::reduce, {e}, kept, dtype, over_columns("sum"));
    y = b.add("y", OpKind::div, {e, s}, full, dtype);
  }
};

}  // namespace

TEST_CASE("softmax of values up to 1e4 sums to one, in every walk, mode and dtype") {
  const uint64_t rows = 6;
  const uint64_t columns = 132;
  std::vector<double> x;
  for (uint64_t i = 0; i < rows * columns; ++i) {
    const double sign = i % 2 == 0 ? 1 : -1;
    x.push_back(i / columns % 2 == 0 ? sign * 1e4 : sign * 1e4 * static_cast<double>(i * 7 % 101) / 101);
  }
  for (const DType dtype : {DType::f32, DType::f16, DType::f64}) {
    for (const Math math : {Math::fast, Math::precise}) {
      for (const SharedRows& shared : kShared) {
        Softmax graph(rows, columns, dtype);
        const uint32_t y = graph.y;
        const uint32_t input = graph.x;
        RowRun run(std::move(graph.b), shared, math);
        run.give(input, x);
        const std::vector<double> got = run.results()[y];
        REQUIRE(got.size() == rows * columns);
        for (uint64_t r = 0; r < rows; ++r) {
          double sum = 0;
          for (uint64_t c = 0; c < columns; ++c) sum += got[r * columns + c];
          INFO(dtype_text(dtype) << " row " << r);
          CHECK(std::abs(sum - 1) < (dtype == DType::f16 ? 2e-2 : 1e-5));
        }
        CHECK(std::abs(got[0] - 1.0 / 66) < 1e-4);  // half of the first row is the maximum
        CHECK(got[1] == 0);
      }
    }
  }
}

TEST_CASE("softmax of a row without a finite value is NaN, of one finite value is one there") {
  const uint64_t columns = 70;
  for (const DType dtype : {DType::f32, DType::bf16, DType::f64}) {
    for (const SharedRows& shared : kShared) {
      Softmax graph(4, columns, dtype);
      const uint32_t y = graph.y;
      const uint32_t input = graph.x;
      RowRun run(std::move(graph.b), shared.slots == 4 ? SharedRows{shared.walk, 2, 8, 4} : shared,
                 Math::fast);
      std::vector<double> x(4 * columns, -kInfinity);
      x[columns + 37] = 3;                                            // row 1: one finite value
      for (uint64_t c = 0; c < columns; ++c) x[2 * columns + c] = 1;  // row 2: one infinite value
      x[2 * columns + 69] = kInfinity;
      for (uint64_t c = 0; c < columns; ++c) x[3 * columns + c] = 0.5;  // row 3: all alike
      run.give(input, x);
      const std::vector<double> got = run.results()[y];
      for (uint64_t c = 0; c < columns; ++c) {
        CHECK(std::isnan(got[c]));
        CHECK(got[columns + c] == (c == 37 ? 1 : 0));
        CHECK(std::abs(got[3 * columns + c] * 70 - 1) < 1e-2);
      }
      CHECK(std::isnan(got[2 * columns + 69]));
    }
  }
}

TEST_CASE("the variance of 1e6 and a little is as exact as its mean allows") {
  const uint64_t rows = 3;
  const uint64_t columns = 260;
  for (const Math math : {Math::fast, Math::precise}) {
    for (const SharedRows& shared : kShared) {
      GraphBuilder b;
      const Shape full{rows, columns};
      const Shape kept{rows, 1};
      const uint32_t x = b.add("x", OpKind::input, {}, full);
      const uint32_t mean = b.add("mean", OpKind::reduce, {x}, kept, DType::f32, over_columns("mean"));
      const uint32_t d = b.add("d", OpKind::sub, {x, mean}, full);
      const uint32_t q = b.add("q", OpKind::mul, {d, d}, full);
      const uint32_t variance = b.add("v", OpKind::reduce, {q}, kept, DType::f32, over_columns("mean"));
      b.graph.add_output(mean);
      RowRun run(std::move(b), shared, math);
      std::vector<double> elements;
      for (uint64_t i = 0; i < rows * columns; ++i)
        elements.push_back(1e6 + 0.0625 * static_cast<double>(i * 29 % 64));
      run.give(x, elements);
      double depth = static_cast<double>(run.rows().passes * run.rows().slots) + 2;
      for (uint32_t threads = run.rows().threads; threads > 1; threads /= 2) ++depth;
      const auto results = run.results();
      for (uint64_t r = 0; r < rows; ++r) {
        double exact_mean = 0;
        for (uint64_t c = 0; c < columns; ++c) exact_mean += elements[r * columns + c] / columns;
        double exact = 0;
        for (uint64_t c = 0; c < columns; ++c) {
          const double away = elements[r * columns + c] - exact_mean;
          exact += away * away / columns;
        }
        const double off = results[mean][r] - exact_mean;
        CHECK(std::abs(off) <= (depth + 4) * 0x1p-24 * 1.000005e6);
        CHECK(std::abs(results[variance][r] - (exact + off * off)) <=
              (depth + 8) * 0x1p-24 * (exact + off * off));
      }
    }
  }
}

TEST_CASE("a row that is held is loaded once and stored once; what a loop loads again is as told") {
  for (const uint64_t columns : {uint64_t{132}, uint64_t{4096}, uint64_t{100000}}) {
    for (const DType dtype : {DType::f32, DType::f16}) {
      Softmax graph(3, columns, dtype);
      const PlannedGraph planned(std::move(graph.b.graph), Math::fast, Policy::rows);
      REQUIRE(planned.launched.size() == 1);
      const Kernel& kernel = planned.kernels[planned.launched[0]];
      const VerifyReport report = planned.verify();
      CHECK(first_wrong(report, planned) == "");
      const KernelRun& run = report.kernels[0];
      CHECK((kernel.rows->walk == RowWalk::looped) == (columns == 100000));
      CHECK((kernel.bytes_reread > 0) == (columns == 100000));
      CHECK(run.read.measured == 3 * columns * dtype_bytes(dtype));
      CHECK(run.written.measured == run.read.measured);
      CHECK(run.counters.global_load_bytes == run.read.measured + kernel.bytes_reread);
      CHECK(run.counters.global_store_bytes == run.written.measured);
    }
  }
}
