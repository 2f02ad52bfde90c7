// Which products melt into sums, and with which sign.
// It must not know loops.
#include "emit/contraction.h"

#include "catch.h"
#include "emit/ptx.h"
#include "graph_builder.h"
#include "launch/lower.h"
#include "plan/fusion_planner.h"

namespace {

using namespace fuseboard;
using namespace fuseboard_test;

EmittedKernel emitted(const FusionGraph& graph, Math math = Math::fast) {
  const std::vector<Kernel> kernels = lower(graph, FusionPlanner().plan(graph), {math});
  return emit(graph, kernels.back(), {*target_from_name("sm_90"), math, {}, "pasted"});
}

/// The fma of x * y (kind) z, with x * y first or second.
std::string fma_line(OpKind kind, bool product_first, bool known_y = false) {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {1});
  const uint32_t y = known_y ? b.add("y", OpKind::constant, {}, {}, DType::f32, {{"value", 2.0}})
                             : b.add("y", OpKind::input, {}, {1});
  const uint32_t z = b.add("z", OpKind::input, {}, {1});
  const uint32_t product = b.add("p", OpKind::mul, {x, y}, {1});
  b.add("s", kind, product_first ? std::vector{product, z} : std::vector{z, product}, {1});
  const std::string text = emitted(b.graph).text;
  CHECK(count_of(text, "mul.f32") == 0);
  const size_t at = text.find("fma.rn.f32");
  REQUIRE(at != std::string::npos);
  const size_t neg = text.find("neg.f32 ");
  const std::string negated =
      neg == std::string::npos ? "" : text.substr(neg, text.find(';', neg) - neg) + "; ";
  return negated + text.substr(at, text.find(';', at) - at);
}

}  // namespace

TEST_CASE("a product read once by a sum is one fma, its sign where it belongs") {
  CHECK(fma_line(OpKind::add, true) == "fma.rn.f32 %f4, %f1, %f2, %f3");
  CHECK(fma_line(OpKind::add, false) == "fma.rn.f32 %f4, %f2, %f3, %f1");
  CHECK(fma_line(OpKind::sub, true) == "neg.f32 %f4, %f3; fma.rn.f32 %f5, %f1, %f2, %f4");
  CHECK(fma_line(OpKind::sub, false) == "neg.f32 %f4, %f3; fma.rn.f32 %f5, %f2, %f4, %f1");
  CHECK(fma_line(OpKind::sub, false, true) == "fma.rn.f32 %f3, %f2, 0fC0000000, %f1");
}

TEST_CASE("a product stays where somebody else reads it, where it is stored, and in math: precise") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {64});
  const uint32_t p = b.add("p", OpKind::mul, {x, x}, {64});
  const uint32_t s = b.add("s", OpKind::add, {p, x}, {64});
  FusionGraph once = b.graph;
  CHECK(count_of(emitted(once).text, "fma.rn.f32") == 4);
  CHECK(count_of(emitted(once, Math::precise).text, "fma") == 0);
  b.add("t", OpKind::sub, {s, p}, {64});
  CHECK(count_of(emitted(b.graph).text, "mul.f32") == 4);
  once.add_output(p);
  CHECK(count_of(emitted(once).text, "mul.f32") == 4);
  GraphBuilder twice;
  const uint32_t y = twice.add("y", OpKind::input, {}, {64});
  const uint32_t q = twice.add("q", OpKind::mul, {y, y}, {64});
  twice.add("d", OpKind::add, {q, q}, {64});
  CHECK(count_of(emitted(twice.graph).text, "mul.f32") == 4);
}

TEST_CASE("of two products the first melts; integers and f64 never do") {
  GraphBuilder b;
  const uint32_t x = b.add("x", OpKind::input, {}, {64});
  const uint32_t y = b.add("y", OpKind::input, {}, {64});
  const uint32_t p = b.add("p", OpKind::mul, {x, x}, {64});
  const uint32_t q = b.add("q", OpKind::mul, {y, y}, {64});
  b.add("s", OpKind::add, {p, q}, {64});
  const EmittedKernel two = emitted(b.graph);
  CHECK(count_of(two.text, "fma.rn.f32") == 4);
  CHECK(count_of(two.text, "mul.f32") == 4);
  for (const TracedBody::Step& step : two.bodies.at(0).steps) CHECK(step.is_contracted == (step.op == p));
  for (const Trace& trace : two.traces) CHECK(two.bodies[0].steps[trace.step].op != p);
  for (const DType dtype : {DType::i32, DType::f64}) {
    GraphBuilder other;
    const uint32_t z = other.add("z", OpKind::input, {}, {64}, dtype);
    const uint32_t r = other.add("r", OpKind::mul, {z, z}, {64}, dtype);
    other.add("s", OpKind::add, {r, z}, {64}, dtype);
    CHECK(count_of(emitted(other.graph).text, "fma") == 0);
  }
}
