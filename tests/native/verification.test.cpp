// Verifications: what counts as verified, what is sampled, named, compared, cut short.
// It must not know how kernels are written.
#include "verify/verification.h"

#include "catch.h"
#include "graph_builder.h"
#include "report/run_json.h"
#include "verified.h"
#include "verify/kernel_check.h"
#include "verify/tensor_values.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

/// relu(x + b) over [rows, columns].
FusionGraph bias_relu(uint64_t rows, uint64_t columns, DType dtype = DType::f32) {
  GraphBuilder builder;
  const uint32_t x = builder.add("x", OpKind::input, {}, {rows, columns}, dtype);
  const uint32_t b = builder.add("b", OpKind::input, {}, {columns}, dtype);
  const uint32_t sum = builder.add("sum", OpKind::add, {x, b}, {rows, columns}, dtype);
  builder.add("out", OpKind::relu, {sum}, {rows, columns}, dtype);
  return std::move(builder.graph);
}

}  // namespace

TEST_CASE("a kernel whose every element holds is verified, with the bytes that its plan promised") {
  const PlannedGraph planned(bias_relu(33, 20), Math::precise);
  const VerifyReport report = planned.verify();
  REQUIRE(report.kernels.size() == 1);
  const KernelRun& run = report.kernels[0];
  CHECK(report.verified());
  CHECK(run.kind == RunKind::full);
  CHECK(run.verdict == RunVerdict::verified);
  CHECK(run.elements_held == 660);
  CHECK(run.values_held == 4 * 660);
  CHECK(run.read.measured == 4 * (660 + 20));
  CHECK(run.read.promised == run.read.measured);
  CHECK(run.written.measured == 4 * 660);
  CHECK(run.read.must_be_equal);
  CHECK(run.blocks_run == run.blocks);
  CHECK(report.unfused.compared);
  CHECK(report.unfused.equal);
  CHECK(report.unfused.tensors == 1);
}

TEST_CASE("however a run is cut into slices, it shows the same") {
  const PlannedGraph planned(bias_relu(33, 20), Math::precise);
  const VerifyOptions options;
  Verification verification(planned.graph, planned.plan, planned.kernels, planned.launched,
                            planned.emit_options, options);
  double before = 0;
  while (!verification.advance(7)) {
    CHECK(verification.report().progress >= before);
    before = verification.report().progress;
  }
  CHECK(run_json(planned.graph, planned.kernels, planned.launched, options, verification.report()) ==
        run_json(planned.graph, planned.kernels, planned.launched, options, planned.verify(options)));
}

TEST_CASE("a long kernel is sampled and stands at small sizes, unless all is asked for") {
  const PlannedGraph planned(bias_relu(1024, 640), Math::fast);
  VerifyOptions options;
  options.most_elements = 100000;
  const VerifyReport sampled = planned.verify(options);
  const KernelRun& run = sampled.kernels[0];
  CHECK(first_wrong(sampled, planned) == "");
  CHECK_FALSE(sampled.verified());
  CHECK(run.kind == RunKind::sampled);
  CHECK(run.verdict == RunVerdict::held);
  CHECK(run.blocks_run < run.blocks);
  CHECK(run.elements_held > 0);
  CHECK_FALSE(run.read.must_be_equal);
  REQUIRE(run.shrunk);
  CHECK(run.shrunk->verdict == RunVerdict::verified);
  CHECK(run.shrunk->shapes.find("[1024,640] as [") != std::string::npos);
  options.full = true;
  const VerifyReport full = planned.verify(options);
  CHECK(full.verified());
  CHECK(full.kernels[0].elements_held == 1024 * 640);
}

TEST_CASE("a buffer of 2^40 elements is sampled in moments, past every 32-bit offset") {
  const PlannedGraph planned(bias_relu(uint64_t{1} << 30, 1024), Math::fast);
  const VerifyReport report = planned.verify();
  CHECK(first_wrong(report, planned) == "");
  CHECK(report.kernels[0].verdict == RunVerdict::held);
  CHECK(report.kernels[0].note.find("2^31") != std::string::npos);
}

TEST_CASE("a source of a computing kind and an empty domain are named where bytes differ") {
  GraphBuilder resident;
  const uint32_t x = resident.add("x", OpKind::relu, {}, {64});
  resident.add("y", OpKind::neg, {x}, {64});
  const PlannedGraph first(std::move(resident.graph), Math::fast);
  const VerifyReport loaded = first.verify();
  CHECK(first_wrong(loaded, first) == "");
  CHECK(loaded.kernels[0].read.why_not.find("x has no operands") == 0);

  GraphBuilder empty;
  const uint32_t a = empty.add("a", OpKind::input, {}, {1, 8});
  const uint32_t none = empty.add("none", OpKind::input, {}, {0, 8});
  const uint32_t twice = empty.add("twice", OpKind::add, {a, a}, {1, 8});
  empty.add("nothing", OpKind::add, {twice, none}, {0, 8});
  empty.graph.add_output(twice);
  const PlannedGraph second(std::move(empty.graph), Math::fast);
  const VerifyReport skipped = second.verify();
  CHECK(first_wrong(skipped, second) == "");
  REQUIRE(skipped.kernels.size() == 1);
  CHECK(skipped.kernels[0].read.why_not.find("nothing has no elements") == 0);
}

TEST_CASE("values that stay f32 inside a kernel are left out of the comparison, and said so") {
  const PlannedGraph narrow(bias_relu(8, 16, DType::f16), Math::precise);
  const VerifyReport report = narrow.verify();
  CHECK(report.verified());
  CHECK_FALSE(report.unfused.compared);
  CHECK(report.unfused.left_out == 1);
  CHECK(report.unfused.why_not.find("f16 or bf16") != std::string::npos);
  const PlannedGraph fast(bias_relu(8, 16), Math::fast);
  CHECK(fast.verify().unfused.why_not.find("math: fast") == 0);
}

TEST_CASE("library calls are computed by reference, or give fresh values by name") {
  GraphBuilder builder;
  const uint32_t x = builder.add("x", OpKind::input, {}, {4, 6});
  const uint32_t w = builder.add("w", OpKind::input, {}, {6, 5});
  const uint32_t product = builder.add("product", OpKind::matmul, {x, w}, {4, 5});
  const uint32_t sorted = builder.add("sorted", OpKind::sort, {product}, {4, 5});
  builder.add("out", OpKind::neg, {sorted}, {4, 5});
  const PlannedGraph planned(std::move(builder.graph), Math::precise);
  const VerifyReport report = planned.verify();
  REQUIRE(report.kernels.size() == 3);
  CHECK(report.kernels[0].kind == RunKind::library);
  CHECK(report.kernels[1].kind == RunKind::fresh);
  CHECK(report.kernels[1].note.find("sort is a library call that has no reference") == 0);
  CHECK(report.kernels[2].verdict == RunVerdict::verified);
  CHECK(report.verified());
}

TEST_CASE("a matmul is computed with the transposes that it takes with it") {
  GraphBuilder builder;
  const uint32_t x = builder.add("x", OpKind::input, {}, {4, 6});
  const uint32_t w = builder.add("w", OpKind::input, {}, {5, 6});
  const uint32_t turned = builder.add("turned", OpKind::transpose, {w}, {6, 5});
  const uint32_t product = builder.add("product", OpKind::matmul, {x, turned}, {4, 5});
  builder.add("sum", OpKind::reduce, {product}, {4}, DType::f32,
              {{"reducer", std::string("sum")}, {"axes", std::vector<int64_t>{1}}});
  const PlannedGraph planned(std::move(builder.graph), Math::precise, Policy::rows);
  const VerifyReport report = planned.verify();
  REQUIRE(report.kernels.size() == 2);
  CHECK(report.kernels[0].kind == RunKind::library);
  const Kernel& call = planned.kernels[planned.launched[0]];
  CHECK(call.name == "matmul");
  REQUIRE(call.parameters.size() == 3);
  CHECK(call.parameters[1].op == w);
  CHECK(report.verified());
}

TEST_CASE("a run past its budget is a fault, and one that is cancelled says so") {
  const PlannedGraph planned(bias_relu(33, 20), Math::fast);
  VerifyOptions options;
  options.most_steps_per_block = 20;
  const VerifyReport late = planned.verify(options);
  REQUIRE(late.kernels[0].fault);
  CHECK(late.kernels[0].fault->kind == ptx::FaultKind::step_budget);
  CHECK(late.kernels[0].verdict == RunVerdict::faulted);
  CHECK_FALSE(late.passed());

  Verification verification(planned.graph, planned.plan, planned.kernels, planned.launched,
                            planned.emit_options, {});
  CHECK_FALSE(verification.advance(5));
  verification.cancel();
  CHECK(verification.advance(1));
  CHECK(verification.report().cancelled);
  CHECK(verification.report().kernels[0].verdict == RunVerdict::cancelled);
  CHECK_FALSE(verification.report().verified());
}

TEST_CASE("a scalar beside narrower integers is wrapped to their dtype") {
  for (const OpKind kind : {OpKind::max, OpKind::xor_, OpKind::div}) {
    GraphBuilder builder;
    const uint32_t scalar = builder.add("s", OpKind::input, {}, {}, DType::i32);
    const uint32_t tensor = builder.add("t", OpKind::input, {}, {40}, DType::u8);
    builder.add("y", kind, {scalar, tensor}, {40}, DType::u8);
    for (uint32_t seed = 1; seed <= 20; ++seed) {
      VerifyOptions options;
      options.seed = seed;
      const PlannedGraph planned(builder.graph, Math::precise);
      const VerifyReport report = planned.verify(options);
      INFO(op_text(kind) << " seed " << seed);
      CHECK(first_wrong(report, planned) == "");
      CHECK(report.verified());
    }
  }
}

TEST_CASE("a store that no trace shows is a mismatch, though it writes what is written anyway") {
  GraphBuilder builder;
  const uint32_t x = builder.add("x", OpKind::input, {}, {64});
  builder.add("y", OpKind::neg, {x}, {64});
  const PlannedGraph planned(builder.graph, Math::precise);
  const Kernel& kernel = planned.kernels[planned.launched[0]];
  EmittedKernel emitted = emit(planned.graph, kernel, planned.emit_options);
  const size_t store = emitted.text.find("st.global");
  const size_t end = emitted.text.find('\n', store);
  const std::string line = emitted.text.substr(store, end - store);
  emitted.text.insert(end, " " + line);  // the same again, on the same line
  const TensorValues values(planned.graph, 1);
  KernelCheck check({planned.graph, kernel, emitted, values});
  for (uint64_t steps = 1 << 20; !check.advance(steps); steps = 1 << 20) {
  }
  REQUIRE(check.mismatch().has_value());
  CHECK(check.mismatch()->what == Mismatch::What::store);
}

TEST_CASE("two scalars that come as parameters have values of their own") {
  GraphBuilder builder;
  const uint32_t x = builder.add("x", OpKind::input, {}, {64});
  const uint32_t a = builder.add("a", OpKind::scale, {x}, {64});
  builder.add("b", OpKind::scale, {a}, {64});
  const PlannedGraph planned(builder.graph, Math::precise);
  const Kernel& kernel = planned.kernels[planned.launched[0]];
  EmittedKernel emitted = emit(planned.graph, kernel, planned.emit_options);
  std::vector<std::string> names;
  for (const KernelParameter& each : kernel.parameters) {
    if (each.role == ParameterRole::scalar) names.push_back("[" + each.name + "]");
  }
  REQUIRE(names.size() == 2);
  const TensorValues values(planned.graph, 1);
  for (const bool swapped : {false, true}) {
    if (swapped) {  // in the loads: the list of parameters has no brackets
      const size_t first = emitted.text.find(names[0]);
      const size_t second = emitted.text.find(names[1]);
      emitted.text.replace(std::max(first, second), names[0].size(), first < second ? names[0] : names[1]);
      emitted.text.replace(std::min(first, second), names[0].size(), first < second ? names[1] : names[0]);
    }
    KernelCheck check({planned.graph, kernel, emitted, values});
    for (uint64_t steps = 1 << 20; !check.advance(steps); steps = 1 << 20) {
    }
    CHECK(check.mismatch().has_value() == swapped);
    CHECK_FALSE(check.fault().has_value());
  }
}
